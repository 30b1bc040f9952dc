"""The road a scene happens on: surfaces, lines painted on them, places to stop and to cross."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(n, 2) array of x and y in metres."""


class Marking(StrEnum):
    """How a boundary is painted or built."""

    solid = "solid"
    dashed = "dashed"
    double_solid = "double_solid"
    curb = "curb"
    road_edge = "road_edge"
    guard_rail = "guard_rail"
    none = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """A drivable surface: its outline, and the line along its middle if known."""

    id: str
    polygon_m: Points
    centre_line_m: Points | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """A line along or between lanes."""

    points_m: Points
    marking: Marking


@dataclass(frozen=True, slots=True, eq=False)
class RoadMap:
    """Everything fixed to the ground; empty where nothing is known."""

    lanes: tuple[Lane, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    stop_lines_m: tuple[Points, ...] = ()
    crossings_m: tuple[Points, ...] = ()
