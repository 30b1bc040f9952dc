"""Suggestions: the busiest first, never a parked car, and the window in which it happens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scenes.road_map import RoadMap
from app.scenes.scene import RoadUser, Scene, Source, Track
from app.scenes.suggestions import suggest_egos, suggest_roles, suggest_window
from tests.factories.scenes import make_track

TIMES_S = np.arange(401) * 0.1


def along_x(track_id: str, x_m: float, y_m: float, speed_mps: float, **more: object) -> Track:
    """A car that drives east for forty seconds."""
    settings = {"time_s": TIMES_S} | more
    time_s = np.asarray(settings["time_s"])
    return make_track(
        track_id, x_m=x_m + speed_mps * time_s, y_m=y_m, speed_mps=speed_mps, **settings
    )


def northward(track_id: str, x_m: float, at_zero_s: float, speed_mps: float = 10.0) -> Track:
    """A car that drives north and passes y = 0 at the given time."""
    y_m = speed_mps * (TIMES_S - at_zero_s)
    return make_track(
        track_id, time_s=TIMES_S, x_m=x_m, y_m=y_m, heading_rad=np.pi / 2, speed_mps=speed_mps
    )


def scene_of(*tracks: Track) -> Scene:
    return Scene("by hand", 0.1, tracks, RoadMap(), Source("by hand"))


def crossing() -> Scene:
    """Two who cross at 20 s, 200 m along; one who is alone; one who is parked in between."""
    return scene_of(
        along_x("alone", 0, 300, 12),
        along_x("east", 0, 0, 10),
        northward("north", 200, 20.5),
        make_track("parked", time_s=TIMES_S, x_m=190.0, y_m=-30.0, speed_mps=0.0),
    )


def test_those_who_meet_are_suggested_first():
    suggestions = suggest_egos(crossing())
    assert [s.track_id for s in suggestions] == ["east", "north", "alone"]
    assert suggestions[0].n_others == 1
    assert suggestions[2].interaction_s == 0


def test_the_window_has_the_meeting_in_its_middle():
    start_s, end_s = suggest_window(crossing(), "east")
    assert end_s - start_s == pytest.approx(10)
    # They interact from three seconds before the second arrives until the first has passed.
    assert start_s < 16
    assert end_s > 22


def test_the_suggestion_says_how_long_in_a_sentence():
    best = suggest_egos(crossing())[0]
    # From 17.5 s, when "north" is 3 s away, until "east" has left the crossing at 20.3 s.
    assert best.interaction_s == pytest.approx(2.8, abs=0.5)
    assert best.reason == (
        f"This car interacts with one other road user for {best.interaction_s:.1f} of the 10.0 s. "
        "It is seen longest, for 40.0 s without a gap."
    )
    assert suggest_egos(crossing())[-1].reason == "Nobody comes into the way of this car."


def test_the_window_of_a_suggestion_is_the_suggested_window():
    scene = crossing()
    for one in suggest_egos(scene):
        assert (one.start_s, one.end_s) == suggest_window(scene, one.track_id)


def test_who_is_parked_is_suggested_only_if_all_are():
    assert "parked" not in {s.track_id for s in suggest_egos(crossing())}
    parked = make_track("parked", speed_mps=0.0, x_m=5.0)
    assert [s.track_id for s in suggest_egos(scene_of(parked))] == ["parked"]


def test_motor_vehicles_come_before_bicycles_and_pedestrians_last():
    cyclist = replace(northward("cyclist", 200, 20.5, 5.0), kind=RoadUser.bicycle)
    walker = replace(northward("walker", 100, 11.0, 1.5), kind=RoadUser.pedestrian)
    rider = replace(northward("rider", 20, 2.0, 9.0), kind=RoadUser.motorcycle)
    scene = scene_of(walker, cyclist, rider, along_x("car", 0, 0, 10), along_x("far", 0, 400, 10))
    ids = [s.track_id for s in suggest_egos(scene)]
    assert ids[0] == "car"
    assert ids[-2:] == ["cyclist", "walker"]


def test_the_longest_seen_is_among_few_suggestions():
    pairs = [
        track
        for i in range(3)
        for track in (
            along_x(f"lead-{i}", 15, 50 * i, 10, time_s=TIMES_S[:200]),
            along_x(f"follow-{i}", 0, 50 * i, 10, time_s=TIMES_S[:200]),
        )
    ]
    suggestions = suggest_egos(scene_of(along_x("long", 0, 500, 10), *pairs), limit=3)
    assert len(suggestions) == 3
    assert suggestions[-1].track_id == "long"
    assert suggestions[-1].reason.endswith("It is seen longest, for 40.0 s without a gap.")
    assert suggestions[0].interaction_s == 10.0
    assert len(suggest_egos(scene_of(*pairs), limit=1)) == 1


def test_a_scene_without_anybody_has_no_suggestion():
    assert suggest_egos(scene_of()) == ()
    assert suggest_egos(scene_of(make_track(valid=False))) == ()


def test_a_window_does_not_reach_across_a_gap():
    valid = np.ones(401, dtype=np.bool_)
    valid[[180, 205]] = False
    scene = scene_of(along_x("east", 0, 0, 10, valid=valid), northward("north", 200, 20.5))
    start_s, end_s = suggest_window(scene, "east")
    assert end_s < 18 or start_s > 20.5
    assert suggest_window(scene, "east", 2.0) == pytest.approx((18.1, 20.1), abs=0.4)


def test_who_is_seen_for_less_is_filmed_as_long_as_there_is():
    scene = scene_of(along_x("short", 0, 0, 10, time_s=TIMES_S[30:61]))
    assert suggest_window(scene, "short") == (TIMES_S[30], TIMES_S[60])
    assert suggest_window(scene, "short", 1.0) == pytest.approx((4.0, 5.0))


def test_a_window_begins_and_ends_on_samples_of_the_ego():
    time_s = 3.0 + np.arange(1000) / 25
    start_s, end_s = suggest_window(scene_of(along_x("fine", 0, 0, 10, time_s=time_s)), "fine")
    assert {start_s, end_s} <= set(time_s.tolist())


def test_the_target_is_whom_the_ego_interacts_with_and_the_rest_by_nearness():
    scene = scene_of(
        along_x("beside", 0, 3.5, 10),
        along_x("ego", 0, 0, 10),
        along_x("leader", 18, 0, 10),
        along_x("two lanes off", 0, 7.5, 10),
        along_x("ahead", 40, 3.5, 10),
        along_x("behind", -50, 3.5, 10),
        along_x("farther behind", -70, 3.5, 10),
        along_x("out of reach", 150, 3.5, 10),
        make_track("parked", time_s=TIMES_S, x_m=100.0, y_m=-3.0, speed_mps=0.0),
    )
    assert suggest_roles(scene, "ego") == {
        "E": "ego",
        "T": "leader",
        "V1": "beside",
        "V2": "two lanes off",
        "V3": "ahead",
        "V4": "behind",
    }


def test_there_is_no_target_where_nobody_interacts():
    scene = scene_of(along_x("ego", 0, 0, 10), along_x("beside", 0, 3.5, 10))
    assert suggest_roles(scene, "ego") == {"E": "ego", "V1": "beside"}


def test_who_comes_near_outside_the_window_has_no_role_in_it():
    late = along_x("late", 0, 7, 10, time_s=TIMES_S[150:])
    scene = scene_of(along_x("ego", 0, 0, 10), along_x("beside", 0, 3.5, 10), late)
    assert suggest_roles(scene, "ego")["V2"] == "late"
    assert suggest_roles(scene, "ego", 2.0, 12.0) == {"E": "ego", "V1": "beside"}


@pytest.mark.parametrize("suggest", [suggest_window, suggest_roles])
def test_an_unknown_ego_is_refused_with_the_known_ones(suggest):
    with pytest.raises(ValueError, match="no track is called 'x'; there are 'alone', 'east'"):
        suggest(crossing(), "x")


def test_an_ego_that_is_never_seen_has_no_window():
    with pytest.raises(ValueError, match="track '1' is never seen"):
        suggest_window(scene_of(make_track(valid=False)), "1")
