"""Two moving boxes: hand-made meetings, invariances, and dense brute force."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scenes.geometry import box_corners_m, boxes_gap_m, boxes_overlap
from app.scenes.resampling import sample_track
from app.scenes.scene import Track
from app.scenes.sweeping import swept_overlap
from tests.factories.scenes import make_track, moving_track

STEPS_S = np.arange(21) * 0.1


def standing(x_m: float = 0.0, y_m: float = 0.0, **more: object) -> Track:
    return make_track("2", **({"time_s": STEPS_S, "x_m": x_m, "y_m": y_m, "speed_mps": 0.0} | more))


def straight(x_m: float, y_m: float, speed_mps: float, **more: object) -> Track:
    settings = {"time_s": STEPS_S} | more
    time_s = np.asarray(settings["time_s"])
    return make_track(x_m=x_m + speed_mps * time_s, y_m=y_m, speed_mps=speed_mps, **settings)


def test_the_first_touch_is_when_the_bumpers_meet():
    # 20 m apart from centre to centre, 4.5 m long each: 15.5 m at 10 m/s.
    meeting = swept_overlap(straight(-20, 0, 10), standing())
    assert meeting.overlaps
    assert meeting.first_s == pytest.approx(1.55, abs=2e-4)


def test_a_fast_car_does_not_pass_through_a_bicycle_between_two_samples():
    bicycle = standing(x_m=6.0, length_m=0.6, width_m=0.6)
    car = straight(-6.0 - 4.0, 0, 100, length_m=1.0)
    at_samples = [sample_track(track, STEPS_S) for track in (car, bicycle)]
    boxes = [
        box_corners_m(states.x_m, states.y_m, states.heading_rad, track.length_m, track.width_m)
        for states, track in zip(at_samples, (car, bicycle), strict=True)
    ]
    assert not boxes_overlap(*boxes).any()
    meeting = swept_overlap(car, bicycle)
    assert meeting.first_s == pytest.approx(0.152, abs=2e-4)


def test_touching_all_the_way_is_not_overlapping():
    beside = straight(0, 1.8, 10)
    assert not swept_overlap(straight(0, 0, 10), replace(beside, id="2")).overlaps
    bumper = straight(1e6 + 4.5, 0, 10)
    assert not swept_overlap(straight(1e6, 0, 10), bumper).overlaps


def test_an_overlap_from_the_start_begins_with_the_first_common_sample():
    late = standing(time_s=STEPS_S + 0.55)
    meeting = swept_overlap(standing(), late)
    assert meeting.first_s == pytest.approx(0.55)


def test_who_are_never_seen_at_once_never_meet():
    meeting = swept_overlap(standing(), standing(time_s=STEPS_S + 10))
    assert not meeting.overlaps
    assert isnan(meeting.first_s)


def test_nobody_meets_in_a_gap():
    valid = np.ones(21, dtype=np.bool_)
    valid[14:] = False
    assert not swept_overlap(straight(-20, 0, 10, valid=valid), standing()).overlaps


def test_a_lone_sample_can_be_a_meeting():
    valid = np.arange(21) == 7
    assert swept_overlap(standing(valid=valid), standing()).first_s == STEPS_S[7]


def test_a_turning_truck_sweeps_with_its_corner():
    # Half a turn on the spot within one step; only the corner at 5 m reaches the post.
    truck = make_track(
        time_s=[0.0, 1.0], x_m=0.0, heading_rad=[0.0, 3.0], speed_mps=0.0, length_m=10, width_m=1
    )
    post = standing(0.0, 4.9, time_s=[0.0, 1.0], length_m=0.1, width_m=0.1)
    meeting = swept_overlap(truck, post)
    assert meeting.first_s == pytest.approx(np.arctan2(4.85, 0.55) / 3, abs=0.02)
    assert not swept_overlap(truck, replace(post, y_m=post.y_m + 0.3)).overlaps


@st.composite
def weaving(draw: st.DrawFn) -> Track:
    """A car on a sine, sampled at times of its own."""
    x_m, y_m, angle_rad = draw(st.floats(-15, 15)), draw(st.floats(-15, 15)), draw(st.floats(-4, 4))
    speed_mps, sway_m = draw(st.floats(1, 40)), draw(st.floats(0, 3))
    step_s = draw(st.sampled_from([0.1, 0.16, 0.3]))
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)

    def position(t):
        ahead, left = speed_mps * (t - 1), sway_m * np.sin(3 * t)
        return x_m + cos * ahead - sin * left, y_m + sin * ahead + cos * left

    track = moving_track("1", position, np.arange(0.0, 2.0 + step_s / 2, step_s))
    return replace(track, length_m=draw(st.floats(0.5, 12)), width_m=draw(st.floats(0.3, 2.5)))


def moved(track: Track, angle_rad: float, x_m: float, y_m: float) -> Track:
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return replace(
        track,
        x_m=x_m + cos * track.x_m - sin * track.y_m,
        y_m=y_m + sin * track.x_m + cos * track.y_m,
        heading_rad=track.heading_rad + angle_rad,
    )


@settings(max_examples=100, deadline=None)
@given(weaving(), weaving())
def test_dense_brute_force_agrees(one, other):
    times_s = np.linspace(0, 2, 8001)
    boxes = []
    for track in (one, other):
        states = sample_track(track, times_s)
        boxes.append(
            box_corners_m(states.x_m, states.y_m, states.heading_rad, track.length_m, track.width_m)
        )
    overlap, meeting = boxes_overlap(*boxes), swept_overlap(one, other)
    if meeting.overlaps:
        nearest = np.argmin(np.abs(times_s - meeting.first_s))
        assert boxes_gap_m(boxes[0][nearest], boxes[1][nearest]) < 0.05
    if overlap.any():
        # Two thousandths of a second and a millimetre are what each may miss.
        assert meeting.overlaps or overlap.sum() < 8
        if meeting.overlaps:
            assert meeting.first_s <= times_s[overlap][0] + 2e-3
    elif meeting.overlaps:
        assert np.nanmin(boxes_gap_m(*boxes)) < 0.05


@settings(max_examples=60, deadline=None)
@given(weaving(), weaving(), st.floats(-4, 4), st.floats(-1e3, 1e3))
def test_it_does_not_matter_who_is_first_nor_where_it_happens(one, other, angle_rad, x_m):
    meeting = swept_overlap(one, other)
    for same in (
        swept_overlap(other, one),
        swept_overlap(moved(one, angle_rad, x_m, 7.0), moved(other, angle_rad, x_m, 7.0)),
    ):
        # A graze of less than a millimetre may be seen or not.
        if same.overlaps and meeting.overlaps:
            assert same.first_s == pytest.approx(meeting.first_s, abs=5e-3)
        elif same.overlaps != meeting.overlaps:
            first_s = same.first_s if same.overlaps else meeting.first_s
            assert not swept_overlap(smaller(one), smaller(other)).overlaps, first_s


def smaller(track: Track) -> Track:
    return replace(track, length_m=track.length_m - 0.002, width_m=track.width_m - 0.002)
