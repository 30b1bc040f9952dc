"""Each rule of the data model has a scene that breaks it and a sentence that says where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scenes.road_map import Boundary, Lane, Marking, RoadMap
from app.scenes.scene import Scene, Source, Track
from app.scenes.validation import check_scene
from tests.factories.scenes import roundabout_scene, straight_road_scene

TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def with_second_track(**changes: object) -> Scene:
    scene = straight_road_scene(n_cars=2, duration_s=0.3)
    track: Track = replace(scene.tracks[1], **changes)
    return replace(scene, tracks=(scene.tracks[0], track))


def with_scene(**changes: object) -> Scene:
    return replace(straight_road_scene(n_cars=2, duration_s=0.3), **changes)


@pytest.mark.parametrize("scene", [straight_road_scene(), roundabout_scene()])
def test_a_sound_scene_passes(scene):
    check_scene(scene)


BROKEN_TRACKS = {
    "tracks[1].id: empty": {"id": ""},
    "tracks[1].id: 'car-0' is taken by one before it": {"id": "car-0"},
    "tracks[1].id: holds a character that cannot be stored": {"id": "a\0"},
    "tracks[1].id: 201 characters; at most 200 are kept": {"id": "x" * 201},
    "tracks[1].length_m: 0.0 is not a positive number": {"length_m": 0.0},
    "tracks[1].width_m: nan is not a positive number": {"width_m": np.nan},
    "tracks[1].inferred: 'colour' is none of": {"inferred": frozenset({"colour"})},
    "tracks[1].time_s: no samples": {"time_s": np.array([])},
    "tracks[1].time_s: not a list of numbers": {"time_s": np.zeros((2, 2))},
    "tracks[1].time_s[1]: not a finite number": {"time_s": np.array([0.0, np.nan, 1.0, 2.0])},
    "tracks[1].time_s[2]: not later": {"time_s": np.array([0.0, 1.0, 1.0, 2.0])},
    "tracks[1].x_m: 3 values, but time_s has 4": {"x_m": np.zeros(3)},
    "tracks[1].y_m: holds int64 values": {"y_m": np.zeros(4, dtype=np.int64)},
    "tracks[1].valid: holds float64 values": {"valid": np.ones(4)},
    "tracks[1].speed_mps[3]: not a finite": {"speed_mps": np.array([1.0, 1.0, 1.0, np.inf])},
    "tracks[1].x_m[0]: a number, but valid is false": {
        "valid": np.array([False, True, True, True])
    },
}


@pytest.mark.parametrize("sentence", BROKEN_TRACKS)
def test_a_broken_track_is_named(sentence):
    assert_refused(with_second_track(**BROKEN_TRACKS[sentence]), sentence)


BROKEN_SCENES = {
    "name: holds a character": {"name": "\ud800"},
    "name: 900,000 characters; at most 200": {"name": "x" * 900_000},
    "step_s: -0.1 is not a positive number": {"step_s": -0.1},
    "tracks: no track has a valid sample": {"tracks": ()},
    "ego_id: no track is called 'ghost'": {"ego_id": "ghost"},
    "roles: 'X' is none of 'E', 'T', 'V1'": {"roles": {"X": "car-0"}},
    "roles.T: no track is called 'ghost'": {"roles": {"T": "ghost"}},
    "roles.E: 'car-1', but ego_id is 'car-0'": {"roles": {"E": "car-1"}},
    "right_of_way_ids: no track is called 'ghost'": {"right_of_way_ids": frozenset({"ghost"})},
    "reference_path_m: 1 points, but 2 are needed": {"reference_path_m": np.zeros((1, 2))},
    "reference_path_m: not a list of points": {"reference_path_m": np.zeros((4, 3))},
    "road_map.lanes[1].id: 'a' is taken": {
        "road_map": RoadMap(lanes=(Lane("a", TRIANGLE), Lane("a", TRIANGLE)))
    },
    "road_map.lanes[0].polygon_m: 2 points": {
        "road_map": RoadMap(lanes=(Lane("a", TRIANGLE[:2]),))
    },
    "road_map.lanes[0].centre_line_m[1]: not a finite point": {
        "road_map": RoadMap(lanes=(Lane("a", TRIANGLE, np.array([[0.0, 0.0], [1.0, np.nan]])),))
    },
    "road_map.boundaries[0].points_m: 1 points": {
        "road_map": RoadMap(boundaries=(Boundary(TRIANGLE[:1], Marking.solid),))
    },
    "road_map.stop_lines_m[0]: 1 points": {"road_map": RoadMap(stop_lines_m=(TRIANGLE[:1],))},
    "road_map.crossings_m[0]: 2 points": {"road_map": RoadMap(crossings_m=(TRIANGLE[:2],))},
    "source.configuration.gap: inf is not a finite": {
        "source": Source(generator="x", configuration={"gap": np.inf})
    },
    "road_map.lanes[0].id: 201 characters": {
        "road_map": RoadMap(lanes=(Lane("a" * 201, TRIANGLE),))
    },
    "source.model: 4,001 characters; at most 4,000": {
        "source": Source(generator="x", model="m" * 4_001)
    },
    "source.configuration: 101 entries; at most 100": {
        "source": Source(generator="x", configuration={str(n): n for n in range(101)})
    },
    "source.configuration: 201 characters": {
        "source": Source(generator="x", configuration={"k" * 201: 1})
    },
    "source.configuration.note: 4,001 characters": {
        "source": Source(generator="x", configuration={"note": "n" * 4_001})
    },
    "source.licence: holds a character": {"source": Source(generator="x", licence="\0")},
}


@pytest.mark.parametrize("sentence", BROKEN_SCENES)
def test_a_broken_scene_is_named(sentence):
    assert_refused(with_scene(**BROKEN_SCENES[sentence]), sentence)


def test_what_fits_exactly_is_kept():
    source = Source(
        generator="g" * 4_000, configuration={f"{n:0200}": "v" * 4_000 for n in range(100)}
    )
    check_scene(with_scene(name="x" * 200, source=source))


@pytest.mark.parametrize(
    "changes",
    [
        {"ego_id": "x" * 900_000},
        {"roles": {"R" * 900_000: "car-0"}},
        {"roles": {"T": "x" * 900_000}},
        {"right_of_way_ids": frozenset({"x" * 900_000, *map(str, range(10_000))})},
    ],
)
def test_no_sentence_repeats_what_is_endless(changes):
    with pytest.raises(ValueError, match=r".{10,400}") as refusal:
        check_scene(with_scene(**changes))
    assert len(str(refusal.value)) < 400


def assert_refused(scene: Scene, sentence: str) -> None:
    with pytest.raises(ValueError) as refusal:  # noqa: PT011  (the sentence is compared below)
        check_scene(scene)
    assert str(refusal.value).startswith(sentence)
