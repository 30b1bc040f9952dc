from __future__ import annotations

import numpy as np

from app.scenes.scene import RoadUser
from app.simulation.profiles import AGGRESSIVE, ATTENTIVE, NORMAL
from app.simulation.vehicles import draw_vehicles, draw_wander, man_fleet


def drawn(n_vehicles: int = 300, seed: int = 1):
    return draw_vehicles(n_vehicles, np.random.default_rng(seed))


def test_the_ego_is_a_car_driven_normally_whatever_the_others_do():
    vehicles = drawn()
    assert vehicles.kinds[0] is RoadUser.car
    for profile in (ATTENTIVE, AGGRESSIVE):
        idm = man_fleet(vehicles, profile, 3).car_following
        assert idm.desired_speed_mps[0] == NORMAL.car_following.desired_speed_mps
        assert idm.time_headway_s[0] == NORMAL.car_following.time_headway_s
        assert idm.time_headway_s[1:].min() == profile.car_following.time_headway_s


def test_trucks_are_some_long_slow_and_off_the_fast_lane():
    vehicles = drawn()
    is_truck = np.array([kind is RoadUser.truck for kind in vehicles.kinds])
    fleet = man_fleet(vehicles, NORMAL, 3)
    desired_mps = fleet.car_following.desired_speed_mps
    assert 0.08 < is_truck.mean() < 0.25
    assert vehicles.length_m[is_truck].min() > vehicles.length_m[~is_truck].max()
    assert desired_mps[is_truck].mean() < 0.8 * desired_mps[~is_truck].mean()
    assert set(fleet.leftmost_lane[is_truck]) == {1}
    assert set(fleet.leftmost_lane[~is_truck]) == {2}


def test_on_a_single_lane_trucks_use_it():
    assert set(man_fleet(drawn(), NORMAL, 1).leftmost_lane) == {0}


def test_nobody_wants_to_stand():
    desired_mps = man_fleet(drawn(2000), AGGRESSIVE, 3).car_following.desired_speed_mps
    assert desired_mps.min() > 15


def test_wander_has_mean_zero_unit_spread_and_changes_slowly():
    wander = draw_wander(4000, 0.1, 20, np.random.default_rng(0))
    assert abs(wander.mean()) < 0.1
    assert 0.9 < wander.std() < 1.1
    assert np.abs(np.diff(wander, axis=0)).mean() < 0.25
