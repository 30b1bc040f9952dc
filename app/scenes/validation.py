"""What makes a scene a scene: checked once at the door, relied on everywhere behind it."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

import numpy as np

from app.scenes.road_map import Points, RoadMap
from app.scenes.scene import Scene, Source, Track
from app.scenes.wording import quoted

STATE_FIELDS = ("x_m", "y_m", "heading_rad", "speed_mps", "acceleration_mps2")
INFERABLE = frozenset({"heading", "size", "speed", "acceleration"})
ROLE_NAMES = frozenset({"E", "T", "V1", "V2", "V3", "V4"})
# A page shows every id many times over, and a database reads every source with its scene.
LONGEST_NAME = 200
LONGEST_TEXT = 4_000
MOST_SETTINGS = 100  # entries of a source's configuration
MOST_NAMED = 5  # in a sentence


def check_scene(scene: Scene) -> None:
    """Raise ValueError with a sentence that names the element and what is wrong with it."""
    _check_text("name", scene.name)
    _check_positive("step_s", scene.step_s)
    for i, track in enumerate(scene.tracks):
        _check_track(f"tracks[{i}]", track)
    if not any(track.valid.any() for track in scene.tracks):
        raise ValueError("tracks: no track has a valid sample")
    _check_unique("tracks", [track.id for track in scene.tracks])
    _check_references(scene)
    if scene.reference_path_m is not None:
        _check_points("reference_path_m", scene.reference_path_m, at_least=2)
    _check_road_map(scene.road_map)
    _check_source(scene.source)


def _check_track(where: str, track: Track) -> None:
    if not track.id:
        raise ValueError(f"{where}.id: empty")
    _check_text(f"{where}.id", track.id)
    _check_positive(f"{where}.length_m", track.length_m)
    _check_positive(f"{where}.width_m", track.width_m)
    if unknown := track.inferred - INFERABLE:
        raise ValueError(f"{where}.inferred: {_some(unknown)} is none of {_listed(INFERABLE)}")
    _check_times(f"{where}.time_s", track)
    for field in ("valid", *STATE_FIELDS):
        _check_shape(f"{where}.{field}", track, field)
    for field in STATE_FIELDS:
        _check_states(f"{where}.{field}", track, field)


def _check_times(where: str, track: Track) -> None:
    time_s = track.time_s
    if time_s.ndim != 1 or time_s.dtype != np.float64:
        raise ValueError(f"{where}: not a list of numbers")
    if len(time_s) == 0:
        raise ValueError(f"{where}: no samples")
    if not np.isfinite(time_s).all():
        raise ValueError(f"{where}[{np.argmin(np.isfinite(time_s))}]: not a finite number")
    if (late := np.diff(time_s) <= 0).any():
        raise ValueError(f"{where}[{np.argmax(late) + 1}]: not later than the sample before it")


def _check_shape(where: str, track: Track, field: str) -> None:
    values = getattr(track, field)
    if values.dtype != (np.bool_ if field == "valid" else np.float64):
        raise ValueError(f"{where}: holds {values.dtype} values")
    if values.shape != track.time_s.shape:
        raise ValueError(f"{where}: {values.size} values, but time_s has {len(track.time_s)}")


def _check_states(where: str, track: Track, field: str) -> None:
    values = getattr(track, field)
    if (wrong := track.valid & ~np.isfinite(values)).any():
        raise ValueError(f"{where}[{np.argmax(wrong)}]: not a finite number, but valid is true")
    if (wrong := ~track.valid & ~np.isnan(values)).any():
        raise ValueError(f"{where}[{np.argmax(wrong)}]: a number, but valid is false")


def _check_references(scene: Scene) -> None:
    known = {track.id for track in scene.tracks}
    if scene.ego_id is not None and scene.ego_id not in known:
        raise ValueError(f"ego_id: no track is called {_some([scene.ego_id])}")
    for role, track_id in scene.roles.items():
        if role not in ROLE_NAMES:
            raise ValueError(f"roles: {_some([role])} is none of {_listed(ROLE_NAMES)}")
        if track_id not in known:
            raise ValueError(f"roles.{role}: no track is called {_some([track_id])}")
    if scene.roles.get("E", scene.ego_id) != scene.ego_id:
        raise ValueError(f"roles.E: {scene.roles['E']!r}, but ego_id is {scene.ego_id!r}")
    if strangers := scene.right_of_way_ids - known:
        raise ValueError(f"right_of_way_ids: no track is called {_some(strangers)}")


def _check_road_map(road_map: RoadMap) -> None:
    for i, lane in enumerate(road_map.lanes):
        where = f"road_map.lanes[{i}]"
        _check_text(f"{where}.id", lane.id)
        _check_points(f"{where}.polygon_m", lane.polygon_m, at_least=3)
        if lane.centre_line_m is not None:
            _check_points(f"{where}.centre_line_m", lane.centre_line_m, at_least=2)
    _check_unique("road_map.lanes", [lane.id for lane in road_map.lanes])
    for i, boundary in enumerate(road_map.boundaries):
        _check_points(f"road_map.boundaries[{i}].points_m", boundary.points_m, at_least=2)
    for i, line_m in enumerate(road_map.stop_lines_m):
        _check_points(f"road_map.stop_lines_m[{i}]", line_m, at_least=2)
    for i, polygon_m in enumerate(road_map.crossings_m):
        _check_points(f"road_map.crossings_m[{i}]", polygon_m, at_least=3)


def _check_source(source: Source) -> None:
    for field in ("generator", "model", "licence", "ground_truth"):
        _check_text(f"source.{field}", getattr(source, field), LONGEST_TEXT)
    if len(source.configuration) > MOST_SETTINGS:
        n_settings = len(source.configuration)
        raise ValueError(
            f"source.configuration: {n_settings:,} entries; at most {MOST_SETTINGS} are kept"
        )
    for key, value in source.configuration.items():
        _check_text("source.configuration", key)
        if isinstance(value, str):
            _check_text(f"source.configuration.{key}", value, LONGEST_TEXT)
        elif isinstance(value, float) and not isfinite(value):
            raise ValueError(f"source.configuration.{key}: {value} is not a finite number")


def _check_points(where: str, points_m: Points, at_least: int) -> None:
    if points_m.ndim != 2 or points_m.shape[1] != 2 or points_m.dtype != np.float64:
        raise ValueError(f"{where}: not a list of points with x and y")
    if len(points_m) < at_least:
        raise ValueError(f"{where}: {len(points_m)} points, but {at_least} are needed")
    finite = np.isfinite(points_m).all(axis=1)
    if not finite.all():
        raise ValueError(f"{where}[{np.argmin(finite)}]: not a finite point")


def _check_positive(where: str, value: float) -> None:
    if not (isfinite(value) and value > 0):
        raise ValueError(f"{where}: {value} is not a positive number")


def _check_text(where: str, text: str, longest: int = LONGEST_NAME) -> None:
    if len(text) > longest:
        raise ValueError(f"{where}: {len(text):,} characters; at most {longest:,} are kept")
    # Neither a database nor a file in UTF-8 can hold these, so no scene may.
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
        raise ValueError(f"{where}: holds a character that cannot be stored")


def _check_unique(where: str, ids: list[str]) -> None:
    seen: set[str] = set()
    for i, name in enumerate(ids):
        if name in seen:
            raise ValueError(f"{where}[{i}].id: {name!r} is taken by one before it")
        seen.add(name)


def _some(names: Iterable[str]) -> str:
    return quoted(sorted(names), MOST_NAMED)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names))
