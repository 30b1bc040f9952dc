"""A scene is who was where, when, on which road: immutable, SI units, centre points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from app.scenes.road_map import Points, RoadMap

Floats = NDArray[np.float64]


class RoadUser(StrEnum):
    """What kind of road user a track belongs to."""

    car = "car"
    van = "van"
    truck = "truck"
    bus = "bus"
    motorcycle = "motorcycle"
    bicycle = "bicycle"
    pedestrian = "pedestrian"
    other = "other"


class SceneKind(StrEnum):
    """The traffic situation, as far as known."""

    highway = "highway"
    merge = "merge"
    left_turn = "left_turn"
    roundabout = "roundabout"
    crossing = "crossing"
    encirclement = "encirclement"
    other = "other"


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One road user over time.

    All arrays have shape (n_steps,) and share `time_s`, which increases strictly.
    Where `valid` is false the other values mean nothing and are stored as nan.
    """

    id: str
    kind: RoadUser
    length_m: float
    width_m: float
    time_s: Floats
    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    speed_mps: Floats
    acceleration_mps2: Floats
    valid: NDArray[np.bool_]
    inferred: frozenset[str] = frozenset()  # of "heading", "size", "speed", "acceleration"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a scene comes from, so that it can be made or found again."""

    generator: str  # a simulator's name or a file format
    model: str = ""
    configuration: Mapping[str, str | float | int | bool] = field(default_factory=dict)
    seed: int | None = None
    licence: str = ""
    ground_truth: str = ""  # name of the partner scene, if there is one


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Tracks on a road map.

    `step_s` is the nominal time between samples. `roles` maps E, T, V1..V4 to
    track ids. `reference_path_m` is the way the ego means to go.
    """

    name: str
    step_s: float
    tracks: tuple[Track, ...]
    road_map: RoadMap
    source: Source
    ego_id: str | None = None
    kind: SceneKind = SceneKind.other
    roles: Mapping[str, str] = field(default_factory=dict)
    right_of_way_ids: frozenset[str] = frozenset()
    reference_path_m: Points | None = None

    @property
    def start_s(self) -> float:
        """Time of the first valid sample of any track; nan if there is none."""
        return min(
            (float(t.time_s[t.valid][0]) for t in self.tracks if t.valid.any()), default=np.nan
        )

    @property
    def end_s(self) -> float:
        """Time of the last valid sample of any track; nan if there is none."""
        return max(
            (float(t.time_s[t.valid][-1]) for t in self.tracks if t.valid.any()), default=np.nan
        )

    @property
    def duration_s(self) -> float:
        """From the first to the last valid sample."""
        return self.end_s - self.start_s

    def track(self, track_id: str) -> Track:
        """The track with this id; KeyError if there is none."""
        for track in self.tracks:
            if track.id == track_id:
                return track
        raise KeyError(track_id)
