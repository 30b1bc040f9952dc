"""What contradicts itself is said with how many and who; what is sound is left in peace."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from app.scenes.plausibility import doubts
from app.scenes.scene import RoadUser, Scene, Track
from tests.factories.scenes import make_track, roundabout_scene, straight_road_scene

TIMES_S = np.arange(0, 5, 0.1)


def scene_of(*tracks: Track) -> Scene:
    return replace(straight_road_scene(), tracks=tracks, ego_id=None, roles={})


def car(track_id: str = "a", **changes: object) -> Track:
    return make_track(track_id, **{"time_s": TIMES_S} | changes)


def only_doubt(*tracks: Track) -> str:
    (sentence,) = doubts(scene_of(*tracks))
    return sentence


@pytest.mark.parametrize("scene", [straight_road_scene(), roundabout_scene()])
def test_a_sound_scene_has_no_doubts(scene):
    assert doubts(scene) == []


def test_who_faces_beside_the_motion_is_named():
    told = only_doubt(car("a"), car("b", heading_rad=np.pi / 2, y_m=9.0))
    assert told.startswith("1 of 2 road users ('b') face more than 30° beside the way they move")


def test_who_faces_beside_the_motion_by_a_little_slips_only():
    assert doubts(scene_of(car(heading_rad=np.radians(20)))) == []


def test_a_heading_computed_from_the_motion_is_no_contradiction():
    track = replace(car(heading_rad=1.0), inferred=frozenset({"heading", "speed"}))
    assert doubts(scene_of(track)) == []


def test_who_parks_backwards_only_reverses():
    assert doubts(scene_of(car(speed_mps=-3.0))) == []


def test_who_travels_backwards_is_named():
    assert "('a') travel backwards for most" in only_doubt(car(speed_mps=-10.0))


def test_a_velocity_against_the_motion_is_named():
    told = only_doubt(car(speed_mps=-10.0, x_m=10 * TIMES_S))
    assert "('a') move the other way than their heading and the sign of their speed say" in told


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (3.6, "3.6 times as large (median), as if they were in km/h."),
        (2.237, "2.2 times as large (median), as if they were in mph."),
        (0.3048, "0.3 times as large (median), as if places were in feet."),
        (7.0, "7 times as large (median)."),
    ],
)
def test_speeds_in_another_unit_are_told_by_their_ratio_to_the_motion(ratio, words):
    assert only_doubt(car(x_m=10 * TIMES_S, speed_mps=10 * ratio)).endswith(words)


def test_a_stated_speed_of_somebody_who_stands_is_doubted():
    assert "more than 10,000 times as large" in only_doubt(car(x_m=0.0))


def test_a_jump_is_named_with_its_length_and_time():
    x_m = 10 * TIMES_S
    x_m[20] += 5000
    told = only_doubt(car("b", x_m=x_m))
    assert told.startswith("1 of 1 road users ('b') jump, 2 times in all; the farthest jump is 5,0")
    assert "by 'b' between 1.9 s and 2 s" in told or "by 'b' between 2 s and 2.1 s" in told


def test_a_small_jump_is_told_by_the_stated_speed():
    x_m = 10 * TIMES_S
    x_m[20:] += 8.0
    assert "jump, 1 times in all" in only_doubt(car(x_m=x_m))


def test_across_a_gap_nobody_jumps():
    valid = np.ones(len(TIMES_S), np.bool_)
    valid[20] = False
    x_m = 10 * TIMES_S + np.where(TIMES_S > 2, 500.0, 0.0)
    assert doubts(scene_of(car(x_m=x_m, valid=valid))) == []


def test_somebody_always_too_fast_has_another_unit_and_does_not_jump():
    track = replace(car(speed_mps=10_000.0), inferred=frozenset({"speed"}))
    assert only_doubt(track).endswith("up to 10,000 m/s; places or times may have another unit.")


def test_two_records_of_one_vehicle_are_named_as_a_pair():
    told = only_doubt(car("a"), car("b", y_m=0.3), car("c", y_m=4.0))
    assert told.startswith("1 pair of road users in one place for most of the time")
    assert told.endswith("'a' and 'b'.")


def test_people_walk_in_groups():
    people = [car(name, kind=RoadUser.pedestrian, speed_mps=1.0) for name in "ab"]
    assert doubts(scene_of(*people)) == []


def test_a_large_recording_is_looked_through_in_no_time():
    times_s = np.arange(600) / 10
    tracks = [make_track(str(i), time_s=times_s, y_m=4.0 * i) for i in range(300)]
    scene = scene_of(*tracks)
    start_s = time.perf_counter()
    assert doubts(scene) == []
    assert time.perf_counter() - start_s < 1.0  # a tenth of it on a quiet machine
