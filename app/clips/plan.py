"""A scene from far above, as lines: which track is which, on which road."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from app.scenes.road_map import Points, RoadMap
from app.scenes.scene import Scene, Track

MOST_TRACKS = 400
MOST_LANES = 3000
POINTS_PER_TRACK = 48
POINTS_PER_LANE = 64
MARGIN_M = 15.0

Line = list[list[float]]


@dataclass(frozen=True, slots=True)
class PlanTrack:
    """Where a road user went; each point is a time in seconds, x and y in metres."""

    id: str
    kind: str
    points: Line


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn of a scene, in metres, small enough to be part of a page."""

    tracks: list[PlanTrack]
    lanes: list[Line]  # outlines
    crossings: list[Line]
    n_left_out: int  # tracks beyond MOST_TRACKS, the shortest

    def to_json(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self)


def plan_of(scene: Scene) -> Plan:
    """The tracks seen longest, and the road around them."""
    seen = [track for track in scene.tracks if track.valid.any()]
    seen.sort(key=lambda track: -int(track.valid.sum()))
    tracks = [_plan_track(track) for track in seen[:MOST_TRACKS]]
    lanes, crossings = _road_around(scene.road_map, tracks)
    return Plan(tracks, lanes, crossings, n_left_out=max(0, len(seen) - MOST_TRACKS))


def plan_from_json(document: dict[str, Any]) -> Plan:
    """A plan as it was stored."""
    tracks = [PlanTrack(**track) for track in document["tracks"]]
    return Plan(tracks, document["lanes"], document["crossings"], document["n_left_out"])


def _plan_track(track: Track) -> PlanTrack:
    chosen = np.flatnonzero(track.valid)
    chosen = chosen[_spread(len(chosen), POINTS_PER_TRACK)]
    columns = (track.time_s[chosen], track.x_m[chosen], track.y_m[chosen])
    return PlanTrack(track.id, track.kind.value, np.column_stack(columns).round(2).tolist())


def _spread(n: int, most: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Up to `most` of n places, evenly spread, both ends among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64))


def _road_around(road_map: RoadMap, tracks: Sequence[PlanTrack]) -> tuple[list[Line], list[Line]]:
    if not tracks:
        return [], []
    points = np.concatenate([np.array(track.points)[:, 1:] for track in tracks])
    low, high = points.min(axis=0) - MARGIN_M, points.max(axis=0) + MARGIN_M

    def near(outlines: Sequence[Points]) -> list[Line]:
        touching = [
            outline
            for outline in outlines
            if (outline.min(axis=0) <= high).all() and (outline.max(axis=0) >= low).all()
        ]
        return [
            outline[_spread(len(outline), POINTS_PER_LANE)].round(1).tolist()
            for outline in touching[:MOST_LANES]
        ]

    return near([lane.polygon_m for lane in road_map.lanes]), near(road_map.crossings_m)
