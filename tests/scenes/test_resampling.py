"""What a viewer sees between two samples."""

from __future__ import annotations

import numpy as np
import pytest

from app.scenes.resampling import resample_track, sample_track
from tests.factories.scenes import make_track, moving_track


def test_at_its_own_times_a_track_is_itself():
    track = make_track(x_m=[0.0, 1.1, 2.4, 3.9], speed_mps=[10, 12, 14, 16], heading_rad=0.1)
    states = sample_track(track, track.time_s)
    np.testing.assert_array_equal(states.x_m, track.x_m)
    np.testing.assert_array_equal(states.heading_rad, track.heading_rad)
    np.testing.assert_array_equal(states.speed_mps, track.speed_mps)
    assert states.valid.all()


def test_constant_acceleration_is_exact_between_coarse_samples():
    track = moving_track("1", lambda t: (5 * t + t**2, 0 * t), np.arange(0.0, 4.1, 0.5))
    times_s = np.linspace(0, 4, 333)
    states = sample_track(track, times_s)
    np.testing.assert_allclose(states.x_m, 5 * times_s + times_s**2, atol=1e-6)
    np.testing.assert_allclose(states.speed_mps, 5 + 2 * times_s, atol=1e-6)


def test_a_curve_is_followed_closer_than_by_chords():
    def circle(t):
        return 20 * np.cos(t), 20 * np.sin(t)

    coarse = np.arange(0.0, 6.3, 0.25)
    times_s = np.linspace(0, 6, 500)
    states = sample_track(moving_track("1", circle, coarse), times_s)
    radius_m = np.hypot(states.x_m, states.y_m)
    sagitta_m = 20 * (1 - np.cos(0.125))
    assert np.abs(radius_m - 20).max() < 0.01 * sagitta_m


def test_the_heading_turns_the_shorter_way_across_pi():
    track = make_track(time_s=[0.0, 1.0], heading_rad=[3.1, -3.1], speed_mps=0.0, x_m=0.0)
    states = sample_track(track, np.array([0.5, 1.0]))
    assert states.heading_rad[0] == pytest.approx(np.pi, abs=1e-9)
    assert states.heading_rad[1] == pytest.approx(2 * np.pi - 3.1)


def test_nothing_is_guessed_across_a_gap():
    track = make_track(time_s=[0.0, 1.0, 2.0, 3.0, 4.0], valid=[True, True, False, True, True])
    states = sample_track(track, np.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]))
    assert states.valid.tolist() == [True, True, False, False, False, True, True]
    assert np.isnan(states.x_m[~states.valid]).all()


def test_a_lone_valid_sample_is_seen_at_its_time_only():
    track = make_track(time_s=[0.0, 1.0, 2.0], valid=[False, True, False])
    assert sample_track(track, np.array([0.9, 1.0, 1.1])).valid.tolist() == [False, True, False]


def test_outside_the_track_there_is_nothing():
    states = sample_track(make_track(), np.array([-0.1, 0.31, np.nan]))
    assert not states.valid.any()
    assert np.isnan(states.x_m).all()
    assert np.isnan(states.speed_mps).all()


def test_a_frame_time_with_a_rounding_error_still_meets_the_last_sample():
    track = make_track()
    states = sample_track(track, np.array([track.time_s[-1] + 1e-12]))
    assert states.valid.all()
    assert states.x_m[0] == track.x_m[-1]


def test_a_speed_that_the_positions_contradict_is_not_believed():
    track = make_track(time_s=[0.0, 1.0], x_m=[0.0, 1.0], speed_mps=30.0)
    x_m = sample_track(track, np.linspace(0, 1, 11)).x_m
    np.testing.assert_allclose(x_m, np.linspace(0, 1, 11))


def test_a_reversing_car_moves_in_a_straight_line():
    track = make_track(time_s=[0.0, 1.0], x_m=[0.0, -2.0], speed_mps=2.0)
    np.testing.assert_allclose(sample_track(track, np.array([0.25])).x_m, [-0.5])


def test_a_car_that_stops_does_not_run_back():
    track = make_track(time_s=[0.0, 1.0, 2.0], x_m=[0.0, 1.0, 1.0], speed_mps=[2.0, 0.0, 0.0])
    x_m = sample_track(track, np.linspace(0, 2, 201)).x_m
    assert (np.diff(x_m) >= -1e-12).all()


def test_times_may_come_in_any_order():
    track = make_track()
    forward = sample_track(track, np.array([0.05, 0.15]))
    backward = sample_track(track, np.array([0.15, 0.05]))
    np.testing.assert_array_equal(forward.x_m, backward.x_m[::-1])


def test_an_empty_track_is_nowhere():
    states = sample_track(make_track(time_s=[], x_m=[]), np.array([0.0, 1.0]))
    assert states.valid.tolist() == [False, False]


def test_at_its_own_times_a_resampled_track_is_the_same():
    track = make_track(heading_rad=[3.1, -3.1, 3.1, 3.1], valid=[True, True, False, True])
    assert resample_track(track, np.array([-0.1, 0.0, 0.1, 0.2, 0.3 + 1e-12, 0.4])) is track


def test_a_resampled_track_has_the_times_asked_for_within_its_own():
    track = make_track(time_s=[1.0, 2.0, 3.0], heading_rad=[3.1, -3.1, -3.1])
    fine = resample_track(track, np.arange(0.0, 5.0, 0.5))
    assert fine.time_s.tolist() == [1.0, 1.5, 2.0, 2.5, 3.0]
    np.testing.assert_allclose(fine.x_m, fine.time_s * 10)
    assert (np.abs(np.diff(fine.heading_rad)) < 0.1).all()


def test_a_gap_stays_a_gap_on_a_finer_and_on_a_coarser_grid():
    track = make_track(time_s=np.arange(11) * 0.1, valid=np.arange(11) != 3)
    fine = resample_track(track, np.arange(0.0, 1.01, 0.05))
    assert fine.time_s[~fine.valid] == pytest.approx([0.25, 0.3, 0.35])
    coarse = resample_track(track, np.array([0.0, 0.5, 1.0]))
    assert coarse.time_s == pytest.approx([0.0, 0.3, 0.5, 1.0])
    assert coarse.valid.tolist() == [True, False, True, True]


def test_times_that_miss_a_track_are_refused():
    with pytest.raises(ValueError, match="track '1' has no time in common"):
        resample_track(make_track(), np.array([7.0]))
