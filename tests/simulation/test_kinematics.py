"""Vehicles roll; they do not slide."""

from __future__ import annotations

import numpy as np
import pytest

from app.simulation.kinematics import advance, change_lane, smooth_step


def lane_change(x_m: np.ndarray, speed_mps: np.ndarray, acceleration_mps2: np.ndarray):
    whole = np.ones_like(x_m)
    return change_lane(
        x_m,
        speed_mps,
        acceleration_mps2,
        from_y_m=0 * whole,
        to_y_m=3.5 * whole,
        start_m=10 * whole,
        length_m=60 * whole,
    )


def test_constant_acceleration_is_exact():
    x_m, speed_mps = advance(np.array([5.0]), np.array([10.0]), np.array([2.0]), 0.5)
    assert x_m[0] == pytest.approx(5 + 10 * 0.5 + 0.5 * 2 * 0.25)
    assert speed_mps[0] == 11.0


def test_who_stops_within_a_step_stops_where_it_comes_to_rest():
    x_m, speed_mps = advance(np.array([0.0]), np.array([1.0]), np.array([-5.0]), 1.0)
    assert speed_mps[0] == 0
    assert x_m[0] == pytest.approx(1.0**2 / (2 * 5.0))


def test_who_stands_and_brakes_stays():
    x_m, speed_mps = advance(np.array([3.0]), np.array([0.0]), np.array([-4.0]), 0.1)
    assert (x_m[0], speed_mps[0]) == (3.0, 0.0)


def test_a_lane_change_begins_and_ends_straight_in_the_middle_of_a_lane():
    x_m = np.array([-5.0, 10.0, 70.0, 100.0])
    motion = lane_change(x_m, np.full(4, 20.0), np.zeros(4))
    np.testing.assert_allclose(motion.y_m, [0, 0, 3.5, 3.5])
    np.testing.assert_array_equal(motion.heading_rad, 0)
    np.testing.assert_array_equal(motion.speed_mps, 20)


def test_the_way_between_lanes_never_goes_back():
    assert (np.diff(smooth_step(np.linspace(0, 1, 1001))) > 0).all()


def test_speed_heading_and_acceleration_are_the_derivatives_of_the_way():
    time_s = np.linspace(0, 5, 5001)
    x_m, speed_mps = 12 * time_s + 0.75 * time_s**2, 12 + 1.5 * time_s
    motion = lane_change(x_m, speed_mps, np.full_like(time_s, 1.5))
    vx, vy = np.gradient(x_m, time_s), np.gradient(motion.y_m, time_s)
    inner = slice(2, -2)
    np.testing.assert_allclose(motion.speed_mps[inner], np.hypot(vx, vy)[inner], rtol=1e-5)
    np.testing.assert_allclose(motion.heading_rad[inner], np.arctan2(vy, vx)[inner], atol=1e-5)
    np.testing.assert_allclose(
        motion.acceleration_mps2[inner], np.gradient(motion.speed_mps, time_s)[inner], atol=1e-3
    )


def test_who_stops_half_way_does_not_slide_sideways():
    half_way = np.full(2, 40.0)
    motion = lane_change(half_way, np.array([0.0, 15.0]), np.zeros(2))
    assert motion.speed_mps[0] == 0
    assert motion.y_m[0] == motion.y_m[1]
