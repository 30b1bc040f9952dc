"""Cars on a ring of two lanes: who goes around whom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.simulation.lane_choice import LaneChange, choose_lane_change
from app.simulation.neighbours import find_neighbours
from app.simulation.traffic import following_mps2
from app.simulation.traffic_state import Fleet, Ring, TrafficState, occupied_lanes
from tests.factories.traffic import place_cars

RING = Ring(length_m=1000.0, n_lanes=2, lane_width_m=3.5)


def chosen(fleet: Fleet, state: TrafficState) -> LaneChange | None:
    occupied = occupied_lanes(RING, fleet, state)
    neighbours = find_neighbours(state.x_m, fleet.length_m, occupied, RING.length_m)
    following = following_mps2(fleet, state, neighbours)
    return choose_lane_change(fleet, state, neighbours, following)


def test_a_car_behind_a_slow_one_goes_around_it():
    assert chosen(*place_cars((0.0, 25.0, 0), (40.0, 12.0, 0))) == LaneChange(driver=0, to_lane=1)


def test_a_car_alone_keeps_its_lane():
    assert chosen(*place_cars((0.0, 25.0, 0))) is None


def test_nobody_cuts_in_before_a_fast_car():
    assert chosen(*place_cars((0.0, 20.0, 0), (40.0, 12.0, 0), (-15.0, 32.0, 1))) is None


def test_nobody_changes_into_a_car_beside_it():
    assert chosen(*place_cars((0.0, 25.0, 0), (40.0, 12.0, 0), (1.0, 25.0, 1))) is None


def test_nobody_leaves_the_road():
    assert chosen(*place_cars((0.0, 25.0, 1), (30.0, 10.0, 1), (2.0, 25.0, 0))) is None


def test_of_two_who_want_the_one_who_gains_more_goes_first():
    change = chosen(
        *place_cars((0.0, 25.0, 0), (60.0, 20.0, 0), (300.0, 25.0, 0), (335.0, 12.0, 0))
    )
    assert change == LaneChange(driver=2, to_lane=1)


def test_who_has_just_changed_waits():
    fleet, state = place_cars((0.0, 25.0, 0), (40.0, 12.0, 0))
    assert chosen(fleet, replace(state, settled_s=np.array([1.0, 1.0]))) is None
