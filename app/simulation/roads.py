"""Roads to drive on."""

from __future__ import annotations

import numpy as np

from app.scenes.road_map import Boundary, Lane, Marking, Points, RoadMap

LANE_WIDTH_M = 3.5


def straight_highway(
    n_lanes: int, start_m: float, end_m: float, lane_width_m: float = LANE_WIDTH_M
) -> RoadMap:
    """One carriageway along +x; lane 0 is the rightmost and has its middle at y = 0."""
    if n_lanes < 1:
        raise ValueError(f"a highway needs a lane, not {n_lanes}")
    if not start_m < end_m:
        raise ValueError(f"the highway ends at {end_m} m, before it starts at {start_m} m")

    def line(y_m: float) -> Points:
        return np.array([[start_m, y_m], [end_m, y_m]])

    edges_y_m = [(i - 0.5) * lane_width_m for i in range(n_lanes + 1)]
    return RoadMap(
        lanes=tuple(
            Lane(
                id=f"lane-{i}",
                polygon_m=np.vstack([line(edges_y_m[i]), line(edges_y_m[i + 1])[::-1]]),
                centre_line_m=line(i * lane_width_m),
            )
            for i in range(n_lanes)
        ),
        boundaries=tuple(
            Boundary(line(y_m), Marking.solid if i in (0, n_lanes) else Marking.dashed)
            for i, y_m in enumerate(edges_y_m)
        ),
    )
