"""Who and what may come into a film's pictures, and where everyone is in each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.rendering.window import FARTHEST_M
from app.scenes.resampling import TrackStates, sample_track
from app.scenes.road_map import Points, RoadMap
from app.scenes.scene import Floats, Scene, Track

BRAKING_MPS2 = -0.5
# How far a body may reach beyond its centre and still be seen when that is outside the picture.
REACH_M = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What is near the camera at n times.

    All places are metres from the ego's first, so that coordinates of any size keep their
    precision. Arrays are (n_times, n_tracks), the ego's track is the first.
    """

    tracks: tuple[Track, ...]
    road_map: RoadMap
    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    valid: NDArray[np.bool_]
    braking: NDArray[np.bool_]


def set_stage(
    scene: Scene, ego: Track, times_s: Floats, sight_m: Points, place_m: Points | None = None
) -> Stage:
    """Everything within `sight_m` (east-west, north-south) of a camera.

    The camera follows the ego, or stands at `place_m`, in metres from the ego's first place.
    """
    origin_m = origin_of(ego)
    moves = [moves_from(ego, times_s, origin_m)]
    way_m = np.stack([moves[0].x_m, moves[0].y_m], axis=1)
    if place_m is not None:
        way_m = np.broadcast_to(place_m, way_m.shape)
    reach_m = sight_m + REACH_M
    tracks = [ego]
    for track in scene.tracks:
        if track is not ego:
            seen = moves_from(track, times_s, origin_m)
            if _meet(seen, way_m, reach_m):
                tracks.append(track)
                moves.append(seen)
    return Stage(
        tracks=tuple(tracks),
        road_map=_nearby(
            scene.road_map, origin_m, way_m.min(axis=0) - reach_m, way_m.max(axis=0) + reach_m
        ),
        x_m=np.stack([m.x_m for m in moves], axis=1),
        y_m=np.stack([m.y_m for m in moves], axis=1),
        heading_rad=np.stack([m.heading_rad for m in moves], axis=1),
        valid=np.stack([m.valid for m in moves], axis=1),
        braking=np.stack([m.acceleration_mps2 < BRAKING_MPS2 for m in moves], axis=1),
    )


def origin_of(ego: Track) -> Points:
    """(2,) the ego's first known place."""
    return np.array([ego.x_m[ego.valid][0], ego.y_m[ego.valid][0]])


def moves_from(track: Track, times_s: Floats, origin_m: Points) -> TrackStates:
    """Where a track is at each time, in metres from the origin; nowhere counts as invalid."""
    moves = sample_track(track, times_s)
    # The kernels trust their numbers: what is nowhere must not reach them.
    known = moves.valid & np.isfinite(moves.x_m + moves.y_m + moves.heading_rad)
    return replace(moves, x_m=moves.x_m - origin_m[0], y_m=moves.y_m - origin_m[1], valid=known)


def _meet(moves: TrackStates, way_m: Points, reach_m: Points) -> bool:
    """Whether the camera, on its way, ever comes near."""
    apart_m = np.abs(np.stack([moves.x_m, moves.y_m], axis=1) - way_m)
    return bool((moves.valid & (apart_m < reach_m).all(axis=1)).any())


def _nearby(road_map: RoadMap, origin_m: Points, least_m: Points, most_m: Points) -> RoadMap:
    """What of the road may come into the picture, in metres from the origin."""

    def near(points_m: Points) -> bool:
        return len(points_m) > 0 and bool(
            np.isfinite(points_m).all()
            and (points_m.max(axis=0) > least_m + origin_m).all()
            and (points_m.min(axis=0) < most_m + origin_m).all()
        )

    def moved(points_m: Points) -> Points:
        return np.clip(points_m - origin_m, -FARTHEST_M, FARTHEST_M)

    return RoadMap(
        lanes=tuple(
            replace(lane, polygon_m=moved(lane.polygon_m))
            for lane in road_map.lanes
            if near(lane.polygon_m)
        ),
        boundaries=tuple(
            replace(line, points_m=moved(line.points_m))
            for line in road_map.boundaries
            if near(line.points_m)
        ),
        stop_lines_m=tuple(moved(line) for line in road_map.stop_lines_m if near(line)),
        crossings_m=tuple(moved(outline) for outline in road_map.crossings_m if near(outline)),
    )
