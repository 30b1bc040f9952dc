"""Velocities and accelerations given in x and y, along the way a road user faces."""

from __future__ import annotations

import numpy as np

from app.scenes.scene import Floats


def along_heading(x: Floats, y: Floats, heading_rad: Floats) -> Floats:
    """The part of a vector that points forwards, negative if backwards; nan without a heading.

    All arrays have shape (n,).
    """
    with np.errstate(over="ignore", invalid="ignore"):
        forwards: Floats = x * np.cos(heading_rad) + y * np.sin(heading_rad)
    return forwards


def forward_speed_mps(x_mps: Floats, y_mps: Floats, heading_rad: Floats) -> Floats:
    """Speed of a road user, negative while it reverses; without a heading it moves forwards.

    All arrays have shape (n,).

    Examples
    --------
    >>> x_mps, y_mps = np.array([3.0, -3.0, 3.0]), np.array([4.0, 0.0, 4.0])
    >>> forward_speed_mps(x_mps, y_mps, np.array([np.arctan2(4, 3), 0.0, np.nan])).round(9).tolist()
    [5.0, -3.0, 5.0]
    """
    forwards_mps = along_heading(x_mps, y_mps, heading_rad)
    with np.errstate(over="ignore"):
        return np.where(np.isnan(heading_rad), np.hypot(x_mps, y_mps), forwards_mps)
