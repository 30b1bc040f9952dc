from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.simulation.profiles import NORMAL
from app.simulation.traffic_state import (
    SHORTEST_LANE_CHANGE_M,
    Fleet,
    Ring,
    TrafficState,
    begin_lane_change,
    motion,
    occupied_lanes,
)
from tests.factories.traffic import place_cars

RING = Ring(length_m=500.0, n_lanes=3, lane_width_m=3.5)


def changing_after(way_m: float, speed_mps: float = 25.0) -> tuple[Fleet, TrafficState]:
    """Two cars side by side, the first of which has gone `way_m` of its change from 0 to 1."""
    fleet, start = place_cars((0.0, speed_mps, 0), (0.0, speed_mps, 2), n_lanes=3)
    state = begin_lane_change(fleet, start, driver=0, to_lane=1)
    return fleet, replace(state, x_m=state.x_m + way_m)


def test_who_begins_a_change_is_in_both_lanes_at_once():
    assert occupied_lanes(RING, *changing_after(0.0)).tolist() == [
        [True, True, False],
        [False, False, True],
    ]


def test_who_is_over_the_line_with_the_whole_body_has_left_the_lane():
    assert occupied_lanes(RING, *changing_after(90.0))[0].tolist() == [False, True, False]


def test_a_change_is_as_long_as_the_driver_takes_at_this_speed():
    assert changing_after(0.0)[1].change_length_m[0] == 25.0 * NORMAL.lane_change_duration_s


def test_even_a_slow_car_needs_room_to_change():
    assert changing_after(0.0, speed_mps=0.1)[1].change_length_m[0] == SHORTEST_LANE_CHANGE_M


def test_half_way_a_car_is_on_the_line_and_points_to_the_left():
    half_way = motion(RING, changing_after(50.0)[1], np.zeros(2))
    np.testing.assert_allclose(half_way.y_m, [1.75, 7.0])
    assert half_way.heading_rad[0] > 0
    assert half_way.heading_rad[1] == 0
