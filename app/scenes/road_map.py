"""The road a scene happens on: surfaces, lines painted on them, places to stop and to cross."""

from __future__ import annotations

from dataclasses import dataclass, replace
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


def moved_map(road_map: RoadMap, x_m: float, y_m: float) -> RoadMap:
    """The same road elsewhere: every point is moved by x and y."""
    by_m = np.array([x_m, y_m])

    def moved(lane: Lane) -> Lane:
        line_m = None if lane.centre_line_m is None else lane.centre_line_m + by_m
        return Lane(lane.id, lane.polygon_m + by_m, line_m)

    return RoadMap(
        lanes=tuple(moved(lane) for lane in road_map.lanes),
        boundaries=tuple(replace(b, points_m=b.points_m + by_m) for b in road_map.boundaries),
        stop_lines_m=tuple(line_m + by_m for line_m in road_map.stop_lines_m),
        crossings_m=tuple(outline_m + by_m for outline_m in road_map.crossings_m),
    )
