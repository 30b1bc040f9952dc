from __future__ import annotations

import numpy as np

from app.simulation.neighbours import NOBODY, find_neighbours

LENGTH_M = np.array([4.0, 4.0, 10.0])


def in_lanes(*lanes: tuple[int, ...]) -> np.ndarray:
    return np.array([[lane in own for lane in range(2)] for own in lanes])


def test_the_leader_is_the_next_ahead_and_the_gap_is_from_bumper_to_bumper():
    found = find_neighbours(
        np.array([0.0, 30.0, 60.0]), LENGTH_M, in_lanes((0,), (0,), (0,)), 500.0
    )
    assert found.leader[:, 0].tolist() == [1, 2, 0]
    assert found.leader_gap_m[:, 0].tolist() == [26.0, 23.0, 433.0]
    assert found.follower[:, 0].tolist() == [2, 0, 1]


def test_an_empty_lane_has_nobody():
    found = find_neighbours(
        np.array([0.0, 30.0, 60.0]), LENGTH_M, in_lanes((0,), (0,), (0,)), 500.0
    )
    assert (found.leader[:, 1] == NOBODY).all()
    assert np.isinf(found.leader_gap_m[:, 1]).all()


def test_nobody_follows_itself():
    found = find_neighbours(np.array([0.0]), np.array([4.0]), in_lanes((0,)), 500.0)
    assert found.leader[0, 0] == NOBODY
    assert found.follower[0, 0] == NOBODY


def test_who_changes_lanes_is_met_in_both():
    found = find_neighbours(
        np.array([0.0, 30.0, 10.0]), LENGTH_M, in_lanes((0,), (0, 1), (1,)), 500.0
    )
    assert found.leader[0, 0] == 1
    assert found.leader[2, 1] == 1


def test_beside_each_other_the_gap_is_negative():
    found = find_neighbours(np.array([0.0, 2.0, 90.0]), LENGTH_M, in_lanes((0,), (1,), (0,)), 500.0)
    assert found.leader_gap_m[0, 1] == -2.0
    assert found.follower_gap_m[1, 0] == -2.0


def test_the_end_of_the_ring_is_its_beginning():
    found = find_neighbours(
        np.array([495.0, 1010.0, 200.0]), LENGTH_M, in_lanes((0,), (0,), (1,)), 500.0
    )
    assert found.leader_gap_m[0, 0] == 11.0
