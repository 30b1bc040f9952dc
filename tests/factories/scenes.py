"""Small scenes, made by hand, in which everything is known beforehand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from app.scenes.road_map import Boundary, Lane, Marking, RoadMap
from app.scenes.scene import Floats, RoadUser, Scene, SceneKind, Source, Track

LANE_WIDTH_M = 3.5


def make_track(
    track_id: str = "1",
    *,
    time_s: ArrayLike = (0.0, 0.1, 0.2, 0.3),
    x_m: ArrayLike | None = None,
    y_m: ArrayLike = 0.0,
    heading_rad: ArrayLike = 0.0,
    speed_mps: ArrayLike = 10.0,
    acceleration_mps2: ArrayLike = 0.0,
    valid: ArrayLike = True,
    kind: RoadUser = RoadUser.car,
    length_m: float = 4.5,
    width_m: float = 1.8,
) -> Track:
    """A track; scalars stand for all samples, and x follows from the first speed if not given.

    Invalid samples become nan, as everywhere.
    """
    times = np.asarray(time_s, dtype=np.float64)
    is_valid = np.broadcast_to(np.asarray(valid, dtype=np.bool_), times.shape).copy()

    def fill(values: ArrayLike) -> Floats:
        spread = np.broadcast_to(np.asarray(values, dtype=np.float64), times.shape).copy()
        spread[~is_valid] = np.nan
        return spread

    speeds = fill(speed_mps)
    return Track(
        id=track_id,
        kind=kind,
        length_m=length_m,
        width_m=width_m,
        time_s=times,
        x_m=fill(np.nan_to_num(speeds) * times if x_m is None else x_m),
        y_m=fill(y_m),
        heading_rad=fill(heading_rad),
        speed_mps=speeds,
        acceleration_mps2=fill(acceleration_mps2),
        valid=is_valid,
    )


def moving_track(
    track_id: str,
    position_m: Callable[[Floats], tuple[Floats, Floats]],
    time_s: Floats,
) -> Track:
    """A track along `position_m(time_s)`; heading, speed and acceleration are its derivatives."""
    tiny_s = 1e-4
    (x0, y0), (x1, y1), (x2, y2) = (position_m(time_s + d) for d in (-tiny_s, 0.0, tiny_s))
    vx, vy = (x2 - x0) / (2 * tiny_s), (y2 - y0) / (2 * tiny_s)
    ax, ay = (x2 - 2 * x1 + x0) / tiny_s**2, (y2 - 2 * y1 + y0) / tiny_s**2
    speed = np.hypot(vx, vy)
    return make_track(
        track_id,
        time_s=time_s,
        x_m=x1,
        y_m=y1,
        heading_rad=np.arctan2(vy, vx),
        speed_mps=speed,
        acceleration_mps2=(ax * vx + ay * vy) / np.where(speed > 0, speed, 1.0),
    )


def straight_road(n_lanes: int = 3, start_m: float = -200.0, end_m: float = 400.0) -> RoadMap:
    """Lanes along x; lane 0 is the rightmost, with its middle at y = 0."""
    ends = np.array([start_m, end_m])

    def line(y_m: float) -> Floats:
        return np.column_stack([ends, np.full(2, y_m)])

    edges = (np.arange(n_lanes + 1) - 0.5) * LANE_WIDTH_M
    return RoadMap(
        lanes=tuple(
            Lane(
                id=f"lane-{i}",
                polygon_m=np.vstack([line(edges[i]), line(edges[i + 1])[::-1]]),
                centre_line_m=line(i * LANE_WIDTH_M),
            )
            for i in range(n_lanes)
        ),
        boundaries=tuple(
            Boundary(line(y), Marking.solid if i in (0, n_lanes) else Marking.dashed)
            for i, y in enumerate(edges)
        ),
    )


def straight_road_scene(
    n_cars: int = 3, duration_s: float = 4.0, step_s: float = 0.1, speed_mps: float = 20.0
) -> Scene:
    """Cars at constant, slightly different speeds, lane by lane; the first is the ego."""
    time_s = np.arange(round(duration_s / step_s) + 1) * step_s
    tracks = tuple(
        make_track(
            f"car-{i}",
            time_s=time_s,
            x_m=15.0 * ((i + 1) // 2) * (-1) ** i + (speed_mps + 0.5 * i) * time_s,
            y_m=LANE_WIDTH_M * (i % 3),
            speed_mps=speed_mps + 0.5 * i,
        )
        for i in range(n_cars)
    )
    return Scene(
        name="straight road",
        step_s=step_s,
        tracks=tracks,
        road_map=straight_road(),
        source=Source(generator="by hand"),
        ego_id=tracks[0].id if tracks else None,
        kind=SceneKind.highway,
        roles={"E": tracks[0].id} if tracks else {},
    )


def roundabout_scene(duration_s: float = 6.0, step_s: float = 0.1) -> Scene:
    """An ego that circles at 8 m/s on a radius of 15 m, and a pedestrian who stands outside.

    The heading passes ±π, the pedestrian is there for part of the time only.
    """
    radius_m, speed_mps = 15.0, 8.0
    time_s = np.arange(round(duration_s / step_s) + 1) * step_s

    def circle(t: Floats) -> tuple[Floats, Floats]:
        angle = speed_mps / radius_m * t
        return radius_m * np.cos(angle), radius_m * np.sin(angle)

    around = np.linspace(0.0, 2 * np.pi, 65)
    ring = np.column_stack([np.cos(around), np.sin(around)])
    pedestrian = make_track(
        "walker",
        time_s=time_s,
        x_m=20.0,
        speed_mps=0.0,
        valid=(time_s > 1.0) & (time_s < 4.0),
        kind=RoadUser.pedestrian,
        length_m=0.6,
        width_m=0.6,
    )
    return Scene(
        name="roundabout",
        step_s=step_s,
        tracks=(moving_track("ego", circle, time_s), pedestrian),
        road_map=RoadMap(
            boundaries=(
                Boundary(ring * (radius_m - 2.5), Marking.curb),
                Boundary(ring * (radius_m + 2.5), Marking.solid),
            ),
            stop_lines_m=(np.array([[18.0, -2.0], [18.0, 2.0]]),),
            crossings_m=(np.array([[18.0, -2.0], [22.0, -2.0], [22.0, 2.0], [18.0, 2.0]]),),
        ),
        source=Source(generator="by hand"),
        ego_id="ego",
        kind=SceneKind.roundabout,
        roles={"E": "ego"},
    )
