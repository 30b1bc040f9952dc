import numpy as np
import pytest

from app.scenes.formats.tracks.motion import (
    along_heading,
    course_rad,
    forward_speed_mps,
    heading_from_motion,
    mean_course_rad,
    rate_of_change,
    speed_from_motion,
)

NORTH = np.array([np.pi / 2])


def test_a_straight_path_has_one_heading():
    along_m = np.arange(10.0)
    heading_rad = heading_from_motion(along_m * np.cos(2.5), along_m * np.sin(2.5))
    np.testing.assert_allclose(heading_rad, 2.5, atol=1e-12)


def test_on_a_circle_the_heading_is_the_tangent():
    angle_rad = np.arange(0, 3, 0.01)
    heading_rad = heading_from_motion(20 * np.cos(angle_rad), 20 * np.sin(angle_rad))
    inner = slice(5, -5)
    np.testing.assert_allclose(
        np.unwrap(heading_rad)[inner], (angle_rad + np.pi / 2)[inner], atol=1e-3
    )


def test_who_stops_keeps_the_heading_it_came_with():
    x_m = np.array([0.0, 1, 2, 3, 3, 3, 3])
    heading_rad = heading_from_motion(x_m, np.zeros(7))
    np.testing.assert_array_equal(heading_rad, 0.0)


def test_centimetres_of_noise_while_standing_do_not_turn_a_vehicle():
    rng = np.random.default_rng(1)
    x_m = np.concatenate([np.arange(0.0, 10, 0.5), np.full(4, 9.5)])
    y_m = rng.normal(0, 0.01, len(x_m))
    assert np.abs(heading_from_motion(x_m, y_m)).max() < 0.2


def test_who_never_moves_has_no_heading():
    assert np.isnan(heading_from_motion(np.zeros(5), np.full(5, 3.0))).all()
    assert np.isnan(heading_from_motion(np.zeros(1), np.zeros(1))).all()


def test_speed_is_exact_for_constant_acceleration_and_uneven_steps():
    time_s = np.array([0.0, 0.1, 0.25, 0.3, 0.5])
    x_m = 3 * time_s + time_s**2
    speed_mps = speed_from_motion(time_s, x_m, np.zeros(5), np.zeros(5))
    np.testing.assert_allclose(speed_mps[1:-1], (3 + 2 * time_s)[1:-1], atol=1e-12)


def test_reversing_is_a_negative_speed():
    time_s = np.arange(5) / 10
    speed_mps = speed_from_motion(time_s, -2 * time_s, np.zeros(5), np.zeros(5))
    np.testing.assert_allclose(speed_mps, -2)


@pytest.mark.parametrize("n", [0, 1])
def test_of_less_than_two_samples_no_rate_is_known(n):
    assert rate_of_change(np.zeros(n), np.ones(n)).tolist() == [0.0] * n


def test_a_vehicle_that_moves_against_its_heading_reverses():
    speed_mps = forward_speed_mps(np.array([0.0]), np.array([-2.0]), NORTH)
    np.testing.assert_allclose(speed_mps, [-2.0])


def test_sliding_sideways_is_no_speed_forwards():
    speed_mps = forward_speed_mps(np.array([2.0]), np.array([0.0]), NORTH)
    np.testing.assert_allclose(speed_mps, [0.0], atol=1e-15)


def test_who_has_no_heading_moves_forwards():
    speed_mps = forward_speed_mps(np.array([-3.0]), np.array([-4.0]), np.array([np.nan]))
    np.testing.assert_allclose(speed_mps, [5.0])


def test_braking_needs_a_heading():
    assert np.isnan(along_heading(np.array([1.0]), np.array([0.0]), np.array([np.nan]))).all()
    np.testing.assert_allclose(along_heading(np.array([0.0]), np.array([-3.0]), NORTH), [-3.0])


def test_an_unknown_velocity_stays_unknown():
    assert np.isnan(forward_speed_mps(np.array([np.nan]), np.array([1.0]), NORTH)).all()


def test_a_velocity_points_only_while_it_is_more_than_noise():
    course = course_rad(np.array([0.0, 0.05, np.nan]), np.array([-1.0, 0.05, 1.0]))
    np.testing.assert_array_equal(course, [-np.pi / 2, np.nan, np.nan])


def test_directions_are_averaged_across_the_seam():
    assert abs(mean_course_rad(np.array([3.1, -3.1, np.nan]))) == pytest.approx(np.pi)
    assert np.isnan(mean_course_rad(np.array([np.nan])))


def test_who_waits_does_not_spin_though_its_places_are_noisy():
    rng = np.random.default_rng(0)
    noise_m = rng.normal(0, 0.02, (2, 300))
    x_m = np.concatenate([np.zeros(100), np.arange(0, 20, 0.5), np.full(160, 20.0)]) + noise_m[0]
    heading_rad = heading_from_motion(x_m, noise_m[1])
    assert np.abs(heading_rad).max() < 0.3


def test_noise_around_one_place_has_no_direction():
    noise_m = np.random.default_rng(0).normal(0, 0.02, (2, 300))
    assert np.isnan(heading_from_motion(*noise_m)).all()
