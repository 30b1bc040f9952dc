"""The vehicles on a ring of parallel lanes, and where they are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats
from app.simulation.idm import IdmParameters
from app.simulation.kinematics import PlanarMotion, change_lane
from app.simulation.mobil import MobilParameters

Lanes = NDArray[np.intp]

# A slow vehicle turns no tighter than this to get into the next lane.
SHORTEST_LANE_CHANGE_M = 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """The road: `n_lanes` lanes, lane 0 with its middle at y = 0."""

    length_m: float
    n_lanes: int
    lane_width_m: float


@dataclass(frozen=True, slots=True, eq=False)
class Fleet:
    """What does not change about the vehicles and drivers; arrays of shape (n,)."""

    length_m: Floats
    width_m: Floats
    car_following: IdmParameters
    lane_changing: MobilParameters
    lane_change_duration_s: Floats
    lane_change_pause_s: Floats
    leftmost_lane: Lanes
    wander_mps2: Floats  # standard deviation of what a driver does for no reason


@dataclass(frozen=True, slots=True, eq=False)
class TrafficState:
    """Where everyone is; arrays of shape (n,).

    `speed_mps` is along the road. A vehicle in a change of lanes has left `from_lane` for
    `lane` at `change_start_m`; otherwise both are the same.
    """

    x_m: Floats
    speed_mps: Floats
    lane: Lanes
    from_lane: Lanes
    change_start_m: Floats
    change_length_m: Floats
    settled_s: Floats  # since the end of the last change; 0 during one


def settled_state(x_m: Floats, speed_mps: Floats, lane: Lanes) -> TrafficState:
    """Everyone in the middle of a lane, and free to change at once."""
    return TrafficState(
        x_m=x_m,
        speed_mps=speed_mps,
        lane=lane,
        from_lane=lane,
        change_start_m=x_m,
        change_length_m=np.full_like(x_m, SHORTEST_LANE_CHANGE_M),
        settled_s=np.full_like(x_m, np.inf),
    )


def motion(ring: Ring, state: TrafficState, acceleration_mps2: Floats) -> PlanarMotion:
    """Motion in the plane, sideways included; arrays of shape (n,)."""
    return change_lane(
        state.x_m,
        state.speed_mps,
        acceleration_mps2,
        from_y_m=_middle_m(ring, state.from_lane),
        to_y_m=_middle_m(ring, state.lane),
        start_m=state.change_start_m,
        length_m=state.change_length_m,
    )


def occupied_lanes(ring: Ring, fleet: Fleet, state: TrafficState) -> NDArray[np.bool_]:
    """Who is in which lane, (n, n_lanes) array.

    Who begins to change is in the new lane at once, as its indicator would tell, and leaves the
    old one with the whole body.
    """
    y_m = motion(ring, state, np.zeros_like(state.x_m)).y_m
    aside_m = np.abs(y_m - _middle_m(ring, state.from_lane))
    still_there = aside_m < (ring.lane_width_m + fleet.width_m) / 2
    lanes = np.arange(ring.n_lanes)[None, :]
    occupied: NDArray[np.bool_] = (lanes == state.lane[:, None]) | (
        (lanes == state.from_lane[:, None]) & still_there[:, None]
    )
    return occupied


def begin_lane_change(fleet: Fleet, state: TrafficState, driver: int, to_lane: int) -> TrafficState:
    """The state in which one driver has just begun to leave its lane."""
    chosen = np.arange(len(state.x_m)) == driver
    length_m = np.maximum(state.speed_mps * fleet.lane_change_duration_s, SHORTEST_LANE_CHANGE_M)
    return replace(
        state,
        lane=np.where(chosen, to_lane, state.lane),
        change_start_m=np.where(chosen, state.x_m, state.change_start_m),
        change_length_m=np.where(chosen, length_m, state.change_length_m),
        settled_s=np.where(chosen, 0.0, state.settled_s),
    )


def _middle_m(ring: Ring, lane: Lanes) -> Floats:
    return lane.astype(np.float64) * ring.lane_width_m
