from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from app.scenes.formats.lanelet2.bounds import aligned, centre_line_m, joined, length_m

LEFT_M = np.array([[0.0, 3.0], [5.0, 3.5], [10.0, 3.0]])
RIGHT_M = np.array([[0.0, 0.0], [10.0, 0.0]])


def bend_m(radius_m):
    turn_rad = np.linspace(0, np.pi / 2, 10)
    return radius_m * np.stack([np.sin(turn_rad), 1 - np.cos(turn_rad)], axis=-1)


@pytest.mark.parametrize(("left", "right"), list(product([1, -1], repeat=2)))
def test_bounds_run_the_same_way_however_each_is_stored(left, right):
    left_m, right_m = aligned(LEFT_M[::left], RIGHT_M[::right])
    assert left_m.tolist() == LEFT_M.tolist()
    assert right_m.tolist() == RIGHT_M.tolist()


def test_bounds_that_change_sides_run_the_other_way():
    left_m, right_m = aligned(RIGHT_M, LEFT_M)
    assert left_m.tolist() == RIGHT_M[::-1].tolist()
    assert right_m.tolist() == LEFT_M[::-1].tolist()


@pytest.mark.parametrize(("left", "right"), list(product([1, -1], repeat=2)))
def test_bounds_of_a_bend_run_the_same_way(left, right):
    outer_m, inner_m = bend_m(12.0), bend_m(8.0) + np.array([0.0, 4.0])
    left_m, right_m = aligned(inner_m[::left], outer_m[::right])
    assert left_m.tolist() == inner_m.tolist()
    assert right_m.tolist() == outer_m.tolist()


def test_outside_of_a_sharp_corner_a_point_has_one_side():
    """The nearest point is the corner, and its two segments see the point on different sides."""
    hairpin_m = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 1.0]])
    beyond_m = np.array([[12.0, -1.0], [12.0, 2.0]])
    left_m, right_m = aligned(hairpin_m, beyond_m)
    assert left_m.tolist() == hairpin_m.tolist()
    assert right_m.tolist() == beyond_m.tolist()


def test_the_middle_lies_half_way_between_the_bounds_by_share_of_their_lengths():
    left_m = np.array([[0.0, 4.0], [2.0, 4.0], [8.0, 4.0]])
    right_m = np.array([[0.0, 0.0], [8.0, 0.0], [16.0, 0.0]])
    expected_m = [[0, 2], [3, 2], [6, 2], [12, 2]]
    assert centre_line_m(left_m, right_m) == pytest.approx(np.array(expected_m))


def test_points_that_are_there_twice_do_not_disturb_the_middle():
    left_m = np.array([[0.0, 4.0], [5.0, 4.0], [5.0, 4.0], [10.0, 4.0]])
    assert centre_line_m(left_m, RIGHT_M) == pytest.approx(np.array([[0, 2], [5, 2], [10, 2]]))


def test_the_length_is_that_along_the_line():
    assert length_m(np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]])) == 6.0


@pytest.mark.parametrize(
    "pieces",
    [["abc", "cde", "ef"], ["abc", "edc", "ef"], ["cde", "fe", "cba"], ["ef", "abc", "cde"]],
)
def test_pieces_of_a_bound_are_joined_whatever_their_order_and_direction(pieces):
    line = "".join(joined([list(piece) for piece in pieces]))
    assert line in ("abcdef", "fedcba")


def test_pieces_that_do_not_meet_are_no_line():
    assert joined([["a", "b"], ["c", "d"]]) is None
