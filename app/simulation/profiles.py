"""Kinds of drivers, far enough apart that a lay viewer can tell them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from app.simulation.idm import IdmParameters
from app.simulation.mobil import MobilParameters


@dataclass(frozen=True, slots=True)
class DriverProfile:
    """How the drivers of one kind drive."""

    name: str
    car_following: IdmParameters
    lane_changing: MobilParameters
    desired_speed_spread: float  # standard deviation between drivers, relative to the mean
    lane_change_duration_s: float
    lane_change_pause_s: float  # from the end of one change to the next
    wander_mps2: float  # standard deviation of acceleration for no reason


NORMAL = DriverProfile(
    name="normal",
    car_following=IdmParameters(
        desired_speed_mps=31.0,
        time_headway_s=1.3,
        max_acceleration_mps2=1.4,
        comfortable_braking_mps2=2.0,
    ),
    lane_changing=MobilParameters(
        politeness=0.3, changing_threshold_mps2=0.1, safe_braking_mps2=3.0
    ),
    desired_speed_spread=0.12,
    lane_change_duration_s=4.0,
    lane_change_pause_s=3.0,
    wander_mps2=0.25,
)

ATTENTIVE = DriverProfile(
    name="attentive",
    car_following=IdmParameters(
        desired_speed_mps=28.0,
        time_headway_s=1.7,
        standstill_gap_m=3.0,
        max_acceleration_mps2=1.1,
        comfortable_braking_mps2=1.5,
    ),
    lane_changing=MobilParameters(
        politeness=0.4, changing_threshold_mps2=0.1, safe_braking_mps2=2.0
    ),
    desired_speed_spread=0.10,
    lane_change_duration_s=5.0,
    lane_change_pause_s=6.0,
    wander_mps2=0.15,
)

AGGRESSIVE = DriverProfile(
    name="aggressive",
    car_following=IdmParameters(
        desired_speed_mps=38.0,
        time_headway_s=0.6,
        standstill_gap_m=1.5,
        max_acceleration_mps2=2.6,
        comfortable_braking_mps2=4.0,
    ),
    lane_changing=MobilParameters(
        politeness=0.0, changing_threshold_mps2=0.0, safe_braking_mps2=5.0
    ),
    desired_speed_spread=0.15,
    lane_change_duration_s=2.5,
    lane_change_pause_s=0.5,
    wander_mps2=0.4,
)

PROFILES: Mapping[str, DriverProfile] = MappingProxyType(
    {profile.name: profile for profile in (ATTENTIVE, NORMAL, AGGRESSIVE)}
)


def find_profile(name: str) -> DriverProfile:
    """The profile of this name; ValueError with the names there are if it is none of them."""
    if name not in PROFILES:
        raise ValueError(f"no driver profile is called {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]


def profile_settings(profile: DriverProfile) -> dict[str, float]:
    """Every number of a profile by its name, to be kept with what it has driven."""
    return {
        name: float(value)
        for part in (profile.car_following, profile.lane_changing, profile)
        for name in (field.name for field in fields(part))
        if isinstance(value := getattr(part, name), int | float)
    }
