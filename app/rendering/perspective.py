"""Where on the picture a place in the world appears, seen by a camera that looks ahead."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from app.rendering.style import FilmStyle
from app.scenes.scene import Floats

Projections = NDArray[np.float64]
"""(n, 3, 4): times (x, y, z, 1) gives column · depth, row · depth, depth."""


@dataclass(frozen=True, slots=True)
class ChaseCamera:
    """A pinhole above the ground, never tilted to a side, looking down by `down_rad`."""

    x_m: float
    y_m: float
    up_m: float
    heading_rad: float
    down_rad: float
    focal_px: float
    width_px: int
    height_px: int

    @property
    def horizon_row_px(self) -> float:
        """Where flat ground ends; may be outside the picture."""
        return self.height_px / 2 - self.focal_px * tan(self.down_rad)

    def world(self) -> Projections:
        """From the world's metres to the picture."""
        here = np.zeros(1)
        return self.bodies(here, here, here)

    def bodies(self, x_m: Floats, y_m: Floats, heading_rad: Floats) -> Projections:
        """From the own metres of n bodies (x ahead, y to the left, z up) to the picture."""
        east_m, north_m = x_m - self.x_m, y_m - self.y_m
        ahead, aside = cos(self.heading_rad), sin(self.heading_rad)
        turned_rad = heading_rad - self.heading_rad
        zero, one = np.zeros_like(x_m), np.ones_like(x_m)
        forward = np.stack(
            [np.cos(turned_rad), -np.sin(turned_rad), zero, ahead * east_m + aside * north_m]
        )
        right = np.stack(
            [-np.sin(turned_rad), -np.cos(turned_rad), zero, aside * east_m - ahead * north_m]
        )
        up = np.stack([zero, zero, one, -self.up_m * one])
        level, steep = cos(self.down_rad), sin(self.down_rad)
        depth = level * forward - steep * up
        down = -steep * forward - level * up
        column = self.width_px / 2 * depth + self.focal_px * right
        row = self.height_px / 2 * depth + self.focal_px * down
        return np.ascontiguousarray(np.stack([column, row, depth]).transpose(2, 0, 1))

    def depths_of_rows_m(self, rows_px: NDArray[np.floating]) -> Floats:
        """How deep in the picture the ground is that these rows below the horizon show."""
        below = (rows_px - self.height_px / 2) / self.focal_px + tan(self.down_rad)
        return np.asarray(self.up_m / cos(self.down_rad) / below)


def chase_camera(style: FilmStyle, x_m: float, y_m: float, heading_rad: float) -> ChaseCamera:
    """Behind and above a vehicle whose centre is here."""
    return ChaseCamera(
        x_m - style.chase_back_m * cos(heading_rad),
        y_m - style.chase_back_m * sin(heading_rad),
        style.chase_up_m,
        heading_rad,
        radians(style.chase_down_deg),
        style.width_px / 2 / tan(radians(style.chase_fov_deg) / 2),
        style.width_px,
        style.height_px,
    )
