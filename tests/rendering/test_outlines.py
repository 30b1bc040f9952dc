"""Lanes that touch become one surface."""

import numpy as np
import pytest

from app.rendering.outlines import counter_clockwise, merged


def square(x, y, side=1.0):
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def signed_area_m2(ring):
    x, y = ring.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def test_neighbours_lose_the_edge_they_share():
    (outline,) = merged([square(0, 0), square(1, 0)[::-1]])
    assert len(outline) == 6
    assert signed_area_m2(outline) == pytest.approx(2.0)


def test_a_block_of_lanes_has_one_outline():
    (outline,) = merged([square(i, j) for i in range(5) for j in range(3)])
    assert signed_area_m2(outline) == pytest.approx(15.0)
    assert len(outline) == 2 * (5 + 3)


def test_corners_that_agree_to_the_millimetre_are_shared():
    (outline,) = merged([square(0, 0), square(1 + 2e-4, -1e-4)])
    assert signed_area_m2(outline) == pytest.approx(2.0, abs=0.002)


def test_lanes_apart_stay_apart():
    outlines = merged([square(0, 0), square(3, 0), square(1, 1)])
    assert sum(signed_area_m2(o) for o in outlines) == pytest.approx(3.0)


def test_a_hole_stays_open():
    around = [square(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    assert sum(signed_area_m2(o) for o in merged(around)) == pytest.approx(8.0)


def test_a_slit_between_lanes_that_were_meant_to_touch_is_closed():
    def block(left, right, low, high):
        return np.array([[left, low], [right, low], [right, high], [left, high]])

    corners = [(0, 10, 0, 9), (10.1, 20, 0, 9), (0, 10, -1, 0), (10.1, 20, -1, 0)]
    ends = [(10, 10.1, -1, 0), (0, 10, 9, 10), (10, 10.1, 9, 10), (10.1, 20, 9, 10)]
    (outline,) = merged([block(*sides) for sides in corners + ends])
    assert signed_area_m2(outline) == pytest.approx(20 * 11)


def test_lanes_that_overlap_keep_all_their_surface():
    twice = merged([square(0, 0), square(0, 0)])
    assert sum(signed_area_m2(o) for o in twice) == pytest.approx(2.0)


def test_nothing_and_specks_are_nothing():
    assert merged([]) == []
    assert merged([square(0, 0, side=1e-5)]) == []


def test_every_ring_turns_left():
    assert signed_area_m2(counter_clockwise(square(0, 0)[::-1])) > 0
    assert signed_area_m2(counter_clockwise(square(0, 0))) > 0
