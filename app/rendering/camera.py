"""Where on the picture a place in the world appears."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats

Affines = NDArray[np.float64]
"""(n, 6): column = a·x + b·y + c, row = d·x + e·y + f."""


@dataclass(frozen=True, slots=True)
class Camera:
    """North up, looking straight down; places in metres from the film's own origin."""

    x_m: float
    y_m: float
    width_px: int
    height_px: int
    scale_px_per_m: float

    def bodies(self, x_m: Floats, y_m: Floats, heading_rad: Floats) -> Affines:
        """From the own metres of n bodies (x ahead, y to the left) to pixels.

        Pixel (0, 0) reaches from 0 to 1.
        """
        k = self.scale_px_per_m
        along, across = k * np.cos(heading_rad), k * np.sin(heading_rad)
        column = self.width_px / 2 + k * (x_m - self.x_m)
        row = self.height_px / 2 - k * (y_m - self.y_m)
        return np.stack([along, -across, column, -across, -along, row], axis=1)

    def world(self) -> Affines:
        """From the world's metres to pixels: a body at the origin that looks east."""
        here = np.zeros(1)
        return self.bodies(here, here, here)

    def sees(self, x_m: Floats, y_m: Floats, reach_m: float) -> NDArray[np.bool_]:
        """Which of n bodies could reach into the picture."""
        half_x_m = self.width_px / self.scale_px_per_m / 2 + reach_m
        half_y_m = self.height_px / self.scale_px_per_m / 2 + reach_m
        return (np.abs(x_m - self.x_m) < half_x_m) & (np.abs(y_m - self.y_m) < half_y_m)
