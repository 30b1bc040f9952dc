"""Lines with a width."""

from itertools import pairwise

import numpy as np
import pytest

from app.rendering.strokes import chained, dashes, places_along, stroke


def area_m2(rings):
    return sum(
        abs(np.sum(r[:, 0] * np.roll(r[:, 1], -1) - np.roll(r[:, 0], -1) * r[:, 1])) / 2
        for r in rings
    )


def line(*points):
    return np.array(points, float)


def test_a_straight_line_is_as_wide_as_asked():
    assert area_m2(stroke(line((0, 0), (10, 0)), 0.5)) == pytest.approx(5.0)


def test_a_line_can_lie_beside_its_points():
    (ring,) = stroke(line((0, 0), (10, 0)), 0.2, shift_m=1.0)
    assert ring[:, 1].min() == pytest.approx(0.9)
    assert ring[:, 1].max() == pytest.approx(1.1)


def test_a_corner_is_mitred():
    (ring,) = stroke(line((0, 0), (10, 0), (10, 10)), 2.0)
    assert [11.0, -1.0] in np.round(ring, 9).tolist()


def test_a_hairpin_does_not_shoot_off():
    (ring,) = stroke(line((0, 0), (10, 0), (0, 0.01)), 2.0)
    assert np.abs(ring - (10, 0)).sum(axis=1).min() <= 3.0
    assert ring[:, 0].max() <= 12.1


def test_a_ring_closes_without_a_notch():
    square = line((0, 0), (10, 0), (10, 10), (0, 10), (0, 0))
    (ring,) = stroke(square, 2.0)
    assert area_m2([ring]) == pytest.approx(12**2 - 8**2)


def test_a_long_line_is_cut_without_a_gap():
    x_m = np.linspace(0, 100, 41)
    rings = stroke(np.stack([x_m, np.sin(x_m / 9)], axis=1), 0.3)
    assert len(rings) > 1
    for before, after in pairwise(rings):
        shared = {tuple(p) for p in before} & {tuple(p) for p in after}
        assert len(shared) == 2


def test_points_that_repeat_do_no_harm():
    rings = stroke(line((0, 0), (0, 0), (5, 0), (5, 0), (10, 0)), 0.5)
    assert area_m2(rings) == pytest.approx(5.0)
    assert stroke(line((1, 1), (1, 1)), 0.5) == []


def test_dashes_follow_the_line_at_their_distance():
    pieces = dashes(line((0, 0), (9, 0), (9, 21)), dash_m=4.0, gap_m=8.0)
    np.testing.assert_allclose(pieces[0], [[4, 0], [8, 0]])
    np.testing.assert_allclose(pieces[1], [[9, 7], [9, 11]])
    np.testing.assert_allclose(pieces[2], [[9, 19], [9, 21]])


def test_a_dash_bends_with_its_line():
    (piece,) = dashes(line((0, 0), (6, 0), (6, 4)), dash_m=4.0, gap_m=8.0)
    np.testing.assert_allclose(piece, [[4, 0], [6, 0], [6, 2]])


def test_lines_that_continue_each_other_become_one():
    parts = [line((10, 0), (20, 0)), line((0, 0), (10, 1e-5)), line((20, 0), (30, 0))]
    (whole,) = chained(parts)
    assert whole[0].tolist() == [0, 0]
    assert whole[-1].tolist() == [30, 0]


def test_lines_are_not_joined_at_a_fork():
    parts = [line((0, 0), (10, 0)), line((10, 0), (20, 0)), line((10, 0), (20, 5))]
    assert len(chained(parts)) == 3


def test_a_ring_of_lines_is_found():
    corners = [(0, 0), (5, 0), (5, 5)]
    parts = [line(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    (ring,) = chained(parts)
    assert len(ring) == 6


def test_places_lie_evenly_along_a_line():
    np.testing.assert_allclose(
        places_along(line((0, 0), (10, 0), (10, 10)), 8.0), [[4, 0], [10, 2]]
    )
