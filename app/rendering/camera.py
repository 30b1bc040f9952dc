"""Where on the picture a place in the world appears."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

Affine = NDArray[np.float64]
"""(6,): column = a·x + b·y + c, row = d·x + e·y + f."""


@dataclass(frozen=True, slots=True)
class Camera:
    """North up, looking straight down; places in metres from the film's own origin."""

    x_m: float
    y_m: float
    width_px: int
    height_px: int
    scale_px_per_m: float

    def world(self) -> Affine:
        """From metres to pixels; pixel (0, 0) reaches from 0 to 1."""
        k = self.scale_px_per_m
        column = self.width_px / 2 - k * self.x_m
        row = self.height_px / 2 + k * self.y_m
        return np.array([k, 0.0, column, 0.0, -k, row])

    def body(self, x_m: float, y_m: float, heading_rad: float) -> Affine:
        """From a body's own metres (x ahead, y to its left) to pixels."""
        k, c, s = self.scale_px_per_m, cos(heading_rad), sin(heading_rad)
        column = self.width_px / 2 + k * (x_m - self.x_m)
        row = self.height_px / 2 - k * (y_m - self.y_m)
        return np.array([k * c, -k * s, column, -k * s, -k * c, row])

    def sees(self, x_m: float, y_m: float, reach_m: float) -> bool:
        """Whether something at this place could reach into the picture."""
        half_x_m = self.width_px / self.scale_px_per_m / 2 + reach_m
        half_y_m = self.height_px / self.scale_px_per_m / 2 + reach_m
        return abs(x_m - self.x_m) < half_x_m and abs(y_m - self.y_m) < half_y_m
