"""Where on the picture a place in the world appears, seen from straight above."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats

Affines = NDArray[np.float64]
"""(n, 6): column = a·x + b·y + c, row = d·x + e·y + f."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Looking straight down; places in metres from the film's own origin.

    The picture shows the world turned counter-clockwise by `turn_rad`; at 0 north is up.
    """

    x_m: float
    y_m: float
    width_px: int
    height_px: int
    scale_px_per_m: float
    turn_rad: float = 0.0

    def bodies(self, x_m: Floats, y_m: Floats, heading_rad: Floats) -> Affines:
        """From the own metres of n bodies (x ahead, y to the left) to pixels.

        Pixel (0, 0) reaches from 0 to 1.
        """
        k, turned_rad = self.scale_px_per_m, heading_rad + self.turn_rad
        along, across = k * np.cos(turned_rad), k * np.sin(turned_rad)
        right_m, up_m = self.from_middle_m(x_m, y_m)
        column, row = self.width_px / 2 + k * right_m, self.height_px / 2 - k * up_m
        return np.stack([along, -across, column, -across, -along, row], axis=1)

    def world(self) -> Affines:
        """From the world's metres to pixels: a body at the origin that looks east."""
        here = np.zeros(1)
        return self.bodies(here, here, here)

    def sees(self, x_m: Floats, y_m: Floats, reach_m: float) -> NDArray[np.bool_]:
        """Which of n bodies could reach into the picture."""
        half_x_m = self.width_px / self.scale_px_per_m / 2 + reach_m
        half_y_m = self.height_px / self.scale_px_per_m / 2 + reach_m
        right_m, up_m = self.from_middle_m(x_m, y_m)
        return (np.abs(right_m) < half_x_m) & (np.abs(up_m) < half_y_m)

    def from_middle_m(self, x_m: Floats, y_m: Floats) -> tuple[Floats, Floats]:
        """How far to the right of the picture's middle, and how far above, n places are."""
        east_m, north_m = x_m - self.x_m, y_m - self.y_m
        turn, rise = cos(self.turn_rad), sin(self.turn_rad)
        return turn * east_m - rise * north_m, rise * east_m + turn * north_m
