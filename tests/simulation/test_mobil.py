"""When it is worth to change lanes, and when it is not safe to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.simulation.mobil import (
    LaneChangeOutlook,
    MobilParameters,
    lane_change_gain_mps2,
    lane_change_is_safe,
)

INDIFFERENT = LaneChangeOutlook(*(np.zeros(1) for _ in range(6)))


def outlook(**changes: float) -> LaneChangeOutlook:
    return replace(INDIFFERENT, **{name: np.array([value]) for name, value in changes.items()})


def test_nobody_changes_for_nothing():
    assert lane_change_gain_mps2(MobilParameters(), INDIFFERENT) < 0


def test_an_own_gain_above_the_threshold_is_worth_it():
    p = MobilParameters(changing_threshold_mps2=0.1)
    assert lane_change_gain_mps2(p, outlook(own_then_mps2=0.11)) > 0
    assert lane_change_gain_mps2(p, outlook(own_then_mps2=0.09)) < 0


def test_only_a_polite_driver_minds_the_follower():
    cut_in = outlook(own_then_mps2=0.5, new_follower_then_mps2=-1.0)
    assert lane_change_gain_mps2(MobilParameters(politeness=0.0), cut_in) > 0
    assert lane_change_gain_mps2(MobilParameters(politeness=1.0), cut_in) < 0


def test_a_polite_driver_makes_room_for_the_follower_behind():
    stuck_behind = outlook(old_follower_now_mps2=-1.0, old_follower_then_mps2=0.5)
    assert lane_change_gain_mps2(MobilParameters(politeness=0.5), stuck_behind) > 0
    assert lane_change_gain_mps2(MobilParameters(politeness=0.0), stuck_behind) < 0


def test_the_gain_is_the_sum_the_paper_gives():
    p = MobilParameters(politeness=0.2, changing_threshold_mps2=0.1)
    gain = lane_change_gain_mps2(
        p,
        LaneChangeOutlook(
            own_now_mps2=np.array(-0.5),
            own_then_mps2=np.array(0.7),
            new_follower_now_mps2=np.array(0.1),
            new_follower_then_mps2=np.array(-0.9),
            old_follower_now_mps2=np.array(-0.2),
            old_follower_then_mps2=np.array(0.3),
        ),
    )
    np.testing.assert_allclose(gain, 1.2 + 0.2 * (-1.0 + 0.5) - 0.1)


def test_it_is_unsafe_if_the_follower_had_to_brake_harder_than_the_bound():
    p = MobilParameters(safe_braking_mps2=4.0)
    assert lane_change_is_safe(p, outlook(new_follower_then_mps2=-3.9))
    assert not lane_change_is_safe(p, outlook(new_follower_then_mps2=-4.1))


def test_it_is_unsafe_to_dive_into_a_gap_that_is_too_small_for_oneself():
    assert not lane_change_is_safe(MobilParameters(), outlook(own_then_mps2=-5.0))


def test_no_gain_makes_an_unsafe_change_safe():
    greedy = outlook(own_then_mps2=3.0, new_follower_then_mps2=-9.0)
    p = MobilParameters(politeness=0.0)
    assert lane_change_gain_mps2(p, greedy) > 0
    assert not lane_change_is_safe(p, greedy)
