from __future__ import annotations

import pytest

from app.simulation.profiles import AGGRESSIVE, ATTENTIVE, NORMAL, PROFILES, find_profile
from app.simulation.profiles import profile_settings as settings_of


def test_every_profile_is_found_by_its_name():
    assert [find_profile(name).name for name in PROFILES] == list(PROFILES)


def test_an_unknown_profile_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="'sleepy'; there are attentive, normal, aggressive"):
        find_profile("sleepy")


@pytest.mark.parametrize(
    "name",
    ["desired_speed_mps", "max_acceleration_mps2", "safe_braking_mps2", "wander_mps2"],
)
def test_from_attentive_to_aggressive_it_becomes_rougher(name):
    values = [settings_of(profile)[name] for profile in (ATTENTIVE, NORMAL, AGGRESSIVE)]
    assert values == sorted(values)
    assert values[0] < values[2]


@pytest.mark.parametrize(
    "name", ["time_headway_s", "standstill_gap_m", "politeness", "lane_change_duration_s"]
)
def test_from_attentive_to_aggressive_it_becomes_tighter(name):
    values = [settings_of(profile)[name] for profile in (ATTENTIVE, NORMAL, AGGRESSIVE)]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[2]


def test_the_settings_hold_every_number_of_a_profile():
    assert len(settings_of(NORMAL)) == 6 + 3 + 4
