"""Times to collision and gaps, where they are known beforehand."""

import numpy as np
import pytest

from app.rendering.conflicts import Bodies, crossing_gap_s, gap_m, time_to_collision_s

EAST, NORTH, WEST = 0.0, np.pi / 2, np.pi


def bodies(*rows):
    """Rows of x, y, heading, speed; all are 4 m × 2 m."""
    x_m, y_m, heading_rad, speed_mps = np.array(rows, float).T
    n = len(rows)
    return Bodies(x_m, y_m, heading_rad, speed_mps, np.full(n, 4.0), np.full(n, 2.0))


EGO = bodies((0, 0, EAST, 10))


def test_behind_a_slower_leader_it_is_the_gap_over_the_closing_speed():
    leader = bodies((24, 0, EAST, 6))
    assert gap_m(EGO, leader).tolist() == [20]
    assert time_to_collision_s(EGO, leader) == pytest.approx([5.0])  # 20 m at 4 m/s


def test_head_on_both_speeds_count():
    assert time_to_collision_s(EGO, bodies((64, 0, WEST, 20))) == pytest.approx([2.0])


@pytest.mark.parametrize(
    "other",
    [(24, 0, EAST, 10), (24, 0, EAST, 12), (24, 2.5, EAST, 6), (-24, 0, EAST, 6), (24, 9, EAST, 0)],
    ids=["as fast", "faster", "beside", "behind and slower", "standing elsewhere"],
)
def test_who_is_never_hit_has_no_time(other):
    assert time_to_collision_s(EGO, bodies(other)).tolist() == [np.inf]


def test_who_overlaps_is_hit_now():
    assert time_to_collision_s(EGO, bodies((1, 0.5, NORTH, 3))).tolist() == [0]


def test_across_it_is_when_the_boxes_meet():
    # The ego's front is at the other's side from 1.7 s, the other's front at the ego's from 1.7 s.
    crossing = bodies((20, -20, NORTH, 10))
    assert time_to_collision_s(EGO, crossing) == pytest.approx([1.7])


def test_it_does_not_matter_who_is_the_ego_or_where_north_is():
    other = bodies((18, -18, 1.2, 8))
    expected = time_to_collision_s(EGO, other)
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(time_to_collision_s(other, EGO), expected)
    turn, c, s = 0.7, np.cos(0.7), np.sin(0.7)
    turned = bodies((18 * c + 18 * s, 18 * s - 18 * c, 1.2 + turn, 8))
    np.testing.assert_allclose(time_to_collision_s(bodies((0, 0, turn, 10)), turned), expected)


def test_only_who_is_ahead_in_the_own_way_leaves_a_gap():
    others = bodies((24, 1.9, EAST, 6), (24, 2.1, EAST, 6), (-24, 0, EAST, 6), (3, 0, EAST, 6))
    np.testing.assert_array_equal(gap_m(EGO, others), [20, np.nan, np.nan, np.nan])


def test_the_gap_at_a_crossing_is_from_who_leaves_to_who_comes():
    # The ego is on the crossing from 1.7 s to 2.3 s, the other from 4.7 s to 5.3 s.
    assert crossing_gap_s(EGO, bodies((20, -50, NORTH, 10))) == pytest.approx([2.4])
    assert crossing_gap_s(bodies((20, -50, NORTH, 10)), EGO) == pytest.approx([2.4])


@pytest.mark.parametrize(
    "other",
    [(20, -20, NORTH, 10), (20, 20, NORTH, 10), (20, -50, NORTH, 0), (20, -5, 0.1, 9)],
    ids=["at once", "already passed", "standing", "along"],
)
def test_without_a_crossing_in_turn_there_is_no_gap(other):
    assert np.isnan(crossing_gap_s(EGO, bodies(other))).all()


def test_nobody_else_is_nobody_met():
    nobody = Bodies(*(np.empty(0),) * 6)
    assert len(time_to_collision_s(EGO, nobody)) == len(gap_m(EGO, nobody)) == 0
    assert len(crossing_gap_s(EGO, nobody)) == 0
