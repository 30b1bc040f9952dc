from __future__ import annotations

import numpy as np

from app.scenes.formats.tracks.components import along_heading, forward_speed_mps

NORTH = np.array([np.pi / 2])


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
