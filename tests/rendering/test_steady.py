"""Headings for cameras."""

import numpy as np

from app.rendering.steady import steady_heading_rad
from tests.factories.scenes import make_track

SAMPLES_S = np.arange(101) * 0.1
TIMES_S = np.arange(301) / 30


def steady(heading_rad, **more):
    track = make_track(time_s=SAMPLES_S, heading_rad=heading_rad, **more)
    return steady_heading_rad(track, TIMES_S)


def test_an_even_turn_is_followed_exactly_from_the_first_picture_to_the_last():
    np.testing.assert_allclose(steady(0.4 * SAMPLES_S), 0.4 * TIMES_S, atol=1e-6)


def test_half_a_turn_is_passed_without_a_jump():
    turning_rad = 2.8 + 0.2 * SAMPLES_S
    wrapped_rad = (turning_rad + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(np.diff(steady(wrapped_rad)), 0.2 / 30, atol=1e-6)


def test_noise_is_damped_to_less_than_half_and_never_jerks():
    noise_rad = 0.05 * np.random.default_rng(4).normal(size=101)
    left_over_rad = steady(0.3 * SAMPLES_S + noise_rad) - 0.3 * TIMES_S
    inside = slice(30, -30)
    assert left_over_rad[inside].std() < 0.05 / 2.2
    assert np.abs(np.diff(left_over_rad)).max() < 0.05 / 15


def test_a_corner_taken_in_three_seconds_is_followed_within_four_degrees():
    corner_rad = np.pi / 2 * np.clip((SAMPLES_S - 3) / 3, 0, 1)
    miss_rad = steady(corner_rad) - np.interp(TIMES_S, SAMPLES_S, corner_rad)
    assert np.degrees(np.abs(miss_rad).max()) < 4.5


def test_a_heading_does_not_depend_on_what_else_is_asked():
    track = make_track(time_s=SAMPLES_S, heading_rad=np.sin(SAMPLES_S))
    alone = steady_heading_rad(track, TIMES_S[100:101])
    np.testing.assert_allclose(alone, steady(np.sin(SAMPLES_S))[100], atol=1e-9)


def test_a_lone_sample_and_a_gap_are_no_obstacle():
    lone = steady(1.3, valid=SAMPLES_S == 5.0)
    np.testing.assert_allclose(lone, 1.3)
    gap = steady(0.2 * SAMPLES_S, valid=(SAMPLES_S < 4) | (SAMPLES_S > 6))
    np.testing.assert_allclose(gap, 0.2 * TIMES_S, atol=1e-6)
