"""Who is on the highway: cars, vans and trucks of different sizes, with their drivers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, sqrt

import numpy as np

from app.scenes.scene import Floats, RoadUser
from app.simulation.idm import IdmParameters, Quantity
from app.simulation.mobil import MobilParameters
from app.simulation.profiles import NORMAL, DriverProfile
from app.simulation.traffic_state import Fleet

# Share of the traffic, smallest and largest length and width.
TRUCK_SHARE = 0.15
VAN_SHARE = 0.12
SIZES_M = {
    RoadUser.car: ((3.9, 5.0), (1.70, 1.95)),
    RoadUser.van: ((5.2, 6.4), (1.95, 2.10)),
    RoadUser.truck: ((9.0, 15.0), (2.50, 2.55)),
}
EGO_LENGTH_M, EGO_WIDTH_M = 4.6, 1.85

# A truck beside a car of the same driver: 23.6 instead of 33.3 m/s (85 and 120 km/h), half the
# acceleration, a third more headway (Kesting, Treiber & Helbing 2010, Phil. Trans. R. Soc. A
# 368, 4585-4605).
TRUCK_SPEED, TRUCK_ACCELERATION, TRUCK_HEADWAY = 0.71, 0.5, 1.33
TRUCK_LANE_CHANGE = 1.5

# Beyond two standard deviations a desired speed would be a disturbance, not a driver.
LARGEST_DEVIATION = 2.0

# How long a driver's inattention lasts.
WANDER_TIME_S = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Vehicles:
    """Bodies and tempers of vehicles, drawn once; arrays of shape (n,).

    The same draw driven by two profiles gives two scenes that differ by the profile only.
    `temper` is how much faster than the mean a driver wants to be, in standard deviations.
    """

    kinds: tuple[RoadUser, ...]
    length_m: Floats
    width_m: Floats
    temper: Floats


def draw_vehicles(n_vehicles: int, rng: np.random.Generator) -> Vehicles:
    """The ego, a car of average temper, and others."""
    lot = rng.random(n_vehicles)
    lot[0] = 1.0
    kinds = tuple(_kind(share) for share in lot)
    smallest, largest = np.moveaxis(np.array([SIZES_M[kind] for kind in kinds]), 2, 0)
    size_m = rng.uniform(smallest, largest)
    size_m[0] = EGO_LENGTH_M, EGO_WIDTH_M
    temper = np.clip(rng.standard_normal(n_vehicles), -LARGEST_DEVIATION, LARGEST_DEVIATION)
    temper[0] = 0.0
    return Vehicles(kinds=kinds, length_m=size_m[:, 0], width_m=size_m[:, 1], temper=temper)


def draw_wander(n_steps: int, step_s: float, n_vehicles: int, rng: np.random.Generator) -> Floats:
    """Slow fluctuations of mean 0 and standard deviation 1, (n_steps, n_vehicles) array.

    No foot holds a pedal still: an Ornstein-Uhlenbeck process, as Treiber, Kesting & Helbing
    (2006, Physica A 360, 71-88) put it into the errors of their drivers.
    """
    kept = exp(-step_s / WANDER_TIME_S)
    shocks = rng.standard_normal((n_steps, n_vehicles))
    wander = np.empty_like(shocks)
    wander[0] = shocks[0]
    for step in range(1, n_steps):
        wander[step] = kept * wander[step - 1] + sqrt(1 - kept**2) * shocks[step]
    return wander


def man_fleet(vehicles: Vehicles, profile: DriverProfile, n_lanes: int) -> Fleet:
    """The vehicles with drivers of this profile; the ego's driver is always a normal one."""
    drivers = (NORMAL, *[profile] * (len(vehicles.kinds) - 1))
    is_truck = np.array([kind is RoadUser.truck for kind in vehicles.kinds])

    def each(value: Callable[[DriverProfile], Quantity], of_trucks: float = 1.0) -> Floats:
        return np.array([value(driver) for driver in drivers]) * np.where(is_truck, of_trucks, 1.0)

    eagerness = 1 + vehicles.temper * each(lambda d: d.desired_speed_spread)
    return Fleet(
        length_m=vehicles.length_m,
        width_m=vehicles.width_m,
        car_following=IdmParameters(
            each(lambda d: d.car_following.desired_speed_mps, TRUCK_SPEED) * eagerness,
            each(lambda d: d.car_following.time_headway_s, TRUCK_HEADWAY),
            each(lambda d: d.car_following.standstill_gap_m),
            each(lambda d: d.car_following.max_acceleration_mps2, TRUCK_ACCELERATION),
            each(lambda d: d.car_following.comfortable_braking_mps2),
            each(lambda d: d.car_following.exponent),
        ),
        lane_changing=MobilParameters(
            each(lambda d: d.lane_changing.politeness),
            each(lambda d: d.lane_changing.changing_threshold_mps2),
            each(lambda d: d.lane_changing.safe_braking_mps2),
        ),
        lane_change_duration_s=each(lambda d: d.lane_change_duration_s, TRUCK_LANE_CHANGE),
        lane_change_pause_s=each(lambda d: d.lane_change_pause_s),
        wander_mps2=each(lambda d: d.wander_mps2, TRUCK_ACCELERATION),
        # Trucks keep off the fast lane where there is another.
        leftmost_lane=np.where(is_truck, max(n_lanes - 2, 0), n_lanes - 1),
    )


def _kind(lot: float) -> RoadUser:
    if lot < TRUCK_SHARE:
        return RoadUser.truck
    return RoadUser.van if lot < TRUCK_SHARE + VAN_SHARE else RoadUser.car
