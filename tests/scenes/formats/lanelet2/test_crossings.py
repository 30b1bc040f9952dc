from __future__ import annotations

import numpy as np
import pytest

from app.scenes.formats.lanelet2 import crossings as module
from app.scenes.formats.lanelet2.crossings import find_pairs, paired_outline_m

FIRST_M = np.array([[0.0, 0.0], [0.0, 7.0]])


def moved(x_m, y_m):
    return FIRST_M + np.array([x_m, y_m])


@pytest.mark.parametrize(("first", "second"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_the_outline_of_a_pair_does_not_cross_itself(first, second):
    x, y = paired_outline_m(FIRST_M[::first], moved(4, 0)[::second]).T
    assert abs(x @ np.roll(y, -1) - np.roll(x, -1) @ y) / 2 == 28


def test_each_line_is_paired_once_with_the_nearest():
    lines_m = [FIRST_M, moved(5, 0), moved(8, 0)]
    assert find_pairs(lines_m) == [(1, 2)]


@pytest.mark.parametrize(
    "other_m",
    [
        moved(9, 0),  # too far
        moved(0.5, 0),  # a double line
        moved(4, 5),  # not beside it
        FIRST_M * [1, 0.4] + [4, 2],  # too short
        np.array([[4.0, 0.0], [7.0, 6.0]]),  # not parallel
        np.array([[4.0, 3.0], [4.0, 3.0]]),  # a point
    ],
)
def test_lines_that_are_not_two_sides_of_one_crossing_are_no_pair(other_m):
    assert find_pairs([FIRST_M, other_m]) == []


def test_lines_of_opposite_directions_and_a_small_turn_are_a_pair():
    assert find_pairs([FIRST_M, np.array([[4.5, 7.0], [4.0, 0.0]])]) == [(0, 1)]


def test_nothing_is_paired_where_there_are_too_many_to_compare(monkeypatch):
    monkeypatch.setattr(module, "MAX_LINES", 3)
    lines_m = [moved(4 * i, 0) for i in range(4)]
    assert find_pairs(lines_m) == []
    assert find_pairs(lines_m[:2]) == [(0, 1)]
