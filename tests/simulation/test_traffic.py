"""A few cars on a ring, step by step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.simulation.profiles import NORMAL
from app.simulation.traffic import HARDEST_BRAKING_MPS2, decide, move
from app.simulation.traffic_state import Fleet, Ring, TrafficState, begin_lane_change, motion
from tests.factories.traffic import place_cars

STEP_S = 0.1


def drive(ring: Ring, fleet: Fleet, state: TrafficState, duration_s: float) -> list[TrafficState]:
    states = [state]
    for _ in range(round(duration_s / STEP_S)):
        state, acceleration_mps2 = decide(ring, fleet, state)
        state = move(state, acceleration_mps2, STEP_S)
        states.append(state)
    return states


def test_on_one_lane_a_faster_car_queues_behind_a_slower_one():
    one_lane = Ring(length_m=1000.0, n_lanes=1, lane_width_m=3.5)
    fleet, state = place_cars((0.0, 30.0, 0), (60.0, 0.0, 0))
    fleet.car_following.desired_speed_mps[1] = 10.0
    last = drive(one_lane, fleet, state, 60.0)[-1]
    assert last.speed_mps[0] == pytest.approx(10.0, abs=0.2)
    assert 0 < last.x_m[1] - last.x_m[0] - 4.5 < 30


def test_a_lane_change_takes_as_long_as_the_driver_takes_and_ends_in_the_lane():
    ring = Ring(length_m=2000.0, n_lanes=2, lane_width_m=3.5)
    fleet, state = place_cars((0.0, 25.0, 0), (70.0, 20.0, 0))
    fleet.car_following.desired_speed_mps[1] = 20.0
    states = drive(ring, fleet, state, 7.0)
    changing = [s.lane[0] != s.from_lane[0] for s in states]
    assert sum(changing) * STEP_S == pytest.approx(NORMAL.lane_change_duration_s, abs=0.6)
    assert motion(ring, states[-1], np.zeros(2)).y_m[0] == 3.5


def test_in_the_middle_of_a_change_a_driver_heeds_both_leaders():
    ring = Ring(length_m=2000.0, n_lanes=2, lane_width_m=3.5)
    fleet, state = place_cars((0.0, 25.0, 0), (40.0, 12.0, 0), (45.0, 24.0, 1))
    changing, acceleration_mps2 = decide(ring, fleet, state)
    assert changing.lane[0] == 1
    assert acceleration_mps2[0] < -1


def test_who_has_left_a_lane_does_not_brake_for_those_in_it():
    ring = Ring(length_m=2000.0, n_lanes=2, lane_width_m=3.5)
    fleet, start = place_cars((0.0, 25.0, 0), (90.0, 12.0, 0))
    beginning = begin_lane_change(fleet, start, driver=0, to_lane=1)
    almost_over = replace(beginning, x_m=np.array([80.0, 90.0]))
    assert decide(ring, fleet, beginning)[1][0] < 0
    assert decide(ring, fleet, almost_over)[1][0] > 0


def test_nobody_brakes_harder_than_tyres_hold():
    ring = Ring(length_m=1000.0, n_lanes=1, lane_width_m=3.5)
    fleet, state = place_cars((0.0, 30.0, 0), (8.0, 0.0, 0))
    assert decide(ring, fleet, state)[1][0] == -HARDEST_BRAKING_MPS2
