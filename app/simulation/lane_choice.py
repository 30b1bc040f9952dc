"""Who changes lanes now, and where to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats
from app.simulation.idm import idm_acceleration_mps2
from app.simulation.mobil import (
    LaneChangeOutlook,
    MobilParameters,
    lane_change_gain_mps2,
    lane_change_is_safe,
)
from app.simulation.neighbours import NOBODY, Neighbours
from app.simulation.traffic_state import Fleet, Lanes, TrafficState

RIGHT_AND_LEFT = np.array([-1, 1])


@dataclass(frozen=True, slots=True)
class LaneChange:
    """One driver's decision."""

    driver: int
    to_lane: int


def choose_lane_change(
    fleet: Fleet, state: TrafficState, neighbours: Neighbours, following_mps2: Floats
) -> LaneChange | None:
    """The change of lanes that begins now, if any.

    One driver at most begins at a time, the one who gains most: two who saw the same gap would
    meet in it.

    Parameters
    ----------
    following_mps2 : (n, n_lanes) array
        Acceleration of each driver behind the leader of each lane.
    """
    n_lanes = following_mps2.shape[1]
    wanted = state.lane[:, None] + RIGHT_AND_LEFT
    exists = (wanted >= 0) & (wanted <= fleet.leftmost_lane[:, None])
    free = (state.lane == state.from_lane) & (state.settled_s >= fleet.lane_change_pause_s)
    to_lane = np.clip(wanted, 0, n_lanes - 1)

    p = _by_side(fleet.lane_changing)
    outlook = _outlook(fleet, state, neighbours, following_mps2, to_lane)
    possible = exists & free[:, None] & lane_change_is_safe(p, outlook)
    gain_mps2 = np.where(possible, lane_change_gain_mps2(p, outlook), -np.inf)
    driver, side = np.unravel_index(int(gain_mps2.argmax()), gain_mps2.shape)
    if gain_mps2[driver, side] <= 0:
        return None
    return LaneChange(int(driver), int(to_lane[driver, side]))


def _by_side(p: MobilParameters) -> MobilParameters:
    """The same parameters on both sides, in shape (n, 1)."""
    return MobilParameters(
        politeness=np.asarray(p.politeness)[..., None],
        changing_threshold_mps2=np.asarray(p.changing_threshold_mps2)[..., None],
        safe_braking_mps2=np.asarray(p.safe_braking_mps2)[..., None],
    )


def _outlook(
    fleet: Fleet,
    state: TrafficState,
    neighbours: Neighbours,
    following_mps2: Floats,
    to_lane: Lanes,
) -> LaneChangeOutlook:
    """What a change to the right and to the left would do, arrays of shape (n, 2)."""
    own = np.broadcast_to(np.arange(len(state.x_m))[:, None], to_lane.shape)
    lane = np.broadcast_to(state.lane[:, None], to_lane.shape)
    new_follower = neighbours.follower[own, to_lane]
    old_follower = neighbours.follower[own, lane]
    old_leader = neighbours.leader[own, lane]
    closed_gap_m = (
        neighbours.follower_gap_m[own, lane]
        + fleet.length_m[own]
        + neighbours.leader_gap_m[own, lane]
    )
    return LaneChangeOutlook(
        own_now_mps2=following_mps2[own, lane],
        own_then_mps2=following_mps2[own, to_lane],
        new_follower_now_mps2=_if_any(new_follower, following_mps2[new_follower, to_lane]),
        new_follower_then_mps2=_behind_mps2(
            fleet, state, new_follower, own, neighbours.follower_gap_m[own, to_lane]
        ),
        old_follower_now_mps2=_if_any(old_follower, following_mps2[old_follower, lane]),
        old_follower_then_mps2=_behind_mps2(fleet, state, old_follower, old_leader, closed_gap_m),
    )


def _behind_mps2(
    fleet: Fleet,
    state: TrafficState,
    follower: NDArray[np.intp],
    leader: NDArray[np.intp],
    gap_m: Floats,
) -> Floats:
    """Acceleration of followers behind leaders, 0 where there is no follower."""
    speed_mps = state.speed_mps[follower]
    closing_mps = np.where(leader == NOBODY, 0.0, speed_mps - state.speed_mps[leader])
    return _if_any(
        follower,
        idm_acceleration_mps2(fleet.car_following.of(follower), speed_mps, gap_m, closing_mps),
    )


def _if_any(follower: NDArray[np.intp], acceleration_mps2: Floats) -> Floats:
    return np.where(follower == NOBODY, 0.0, acceleration_mps2)
