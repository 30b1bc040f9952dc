"""Traffic on a ring: everyone follows by IDM and changes lanes by MOBIL.

On a ring nobody enters or leaves, so that the traffic around every vehicle stays as dense as it
is; unrolled around one vehicle it is a straight road.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.scenes.scene import Floats
from app.simulation.idm import idm_acceleration_mps2
from app.simulation.kinematics import advance
from app.simulation.lane_choice import choose_lane_change
from app.simulation.neighbours import Neighbours, find_neighbours
from app.simulation.traffic_state import (
    Fleet,
    Ring,
    TrafficState,
    begin_lane_change,
    occupied_lanes,
)

# About what dry asphalt holds.
HARDEST_BRAKING_MPS2 = 8.0


def decide(ring: Ring, fleet: Fleet, state: TrafficState) -> tuple[TrafficState, Floats]:
    """The state after the drivers have chosen lanes, and their accelerations, (n,) array."""
    occupied = occupied_lanes(ring, fleet, state)
    neighbours = find_neighbours(state.x_m, fleet.length_m, occupied, ring.length_m)
    behind_mps2 = following_mps2(fleet, state, neighbours)
    change = choose_lane_change(fleet, state, neighbours, behind_mps2)
    if change is not None:
        state = begin_lane_change(fleet, state, change.driver, change.to_lane)
        occupied = occupied_lanes(ring, fleet, state)
    # In two lanes at once, a driver heeds the leaders in both.
    wanted_mps2 = np.where(occupied, behind_mps2, np.inf).min(axis=1)
    return state, np.maximum(wanted_mps2, -HARDEST_BRAKING_MPS2)


def move(state: TrafficState, acceleration_mps2: Floats, step_s: float) -> TrafficState:
    """The state one step later."""
    x_m, speed_mps = advance(state.x_m, state.speed_mps, acceleration_mps2, step_s)
    over = x_m >= state.change_start_m + state.change_length_m
    from_lane = np.where(over, state.lane, state.from_lane)
    return replace(
        state,
        x_m=x_m,
        speed_mps=speed_mps,
        from_lane=from_lane,
        settled_s=np.where(from_lane == state.lane, state.settled_s + step_s, 0.0),
    )


def following_mps2(fleet: Fleet, state: TrafficState, neighbours: Neighbours) -> Floats:
    """What each driver would do behind the leader of each lane, (n, n_lanes) array."""
    n_vehicles, n_lanes = neighbours.leader.shape
    drivers = np.broadcast_to(np.arange(n_vehicles)[:, None], (n_vehicles, n_lanes))
    speed_mps = state.speed_mps[:, None]
    alone = np.isinf(neighbours.leader_gap_m)
    closing_mps = np.where(alone, 0.0, speed_mps - state.speed_mps[neighbours.leader])
    return idm_acceleration_mps2(
        fleet.car_following.of(drivers), speed_mps, neighbours.leader_gap_m, closing_mps
    )
