"""What a researcher chooses is what the scene then is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scenes.scene import Scene, SceneKind
from app.scenes.selection import choose, cut_window
from app.scenes.validation import check_scene
from tests.factories.scenes import make_track, roundabout_scene, straight_road_scene


def test_a_window_keeps_the_samples_inside_it_and_both_ends():
    scene = cut_window(straight_road_scene(duration_s=4.0), 1.0, 2.0)
    assert scene.tracks[0].time_s.tolist() == [k * 0.1 for k in range(10, 21)]
    assert scene.tracks[0].x_m[0] == 20.0
    check_scene(scene)


def test_an_end_that_is_a_rounding_error_away_is_inside():
    scene = straight_road_scene()
    third_s = float(scene.tracks[0].time_s[3])
    assert third_s != 0.3
    assert len(cut_window(scene, 0.3, 0.3).tracks[0].time_s) == 1


def test_who_is_not_seen_in_the_window_is_left_out_with_all_that_names_them():
    scene = replace(
        roundabout_scene(), roles={"E": "ego", "T": "walker"}, right_of_way_ids={"walker"}
    )
    before = cut_window(scene, 0.0, 0.9)
    assert [track.id for track in before.tracks] == ["ego"]
    assert before.roles == {"E": "ego"}
    assert before.right_of_way_ids == frozenset()
    during = cut_window(scene, 0.0, 2.0)
    assert during.roles == {"E": "ego", "T": "walker"}
    assert during.right_of_way_ids == {"walker"}


def test_a_window_may_reach_beyond_the_scene():
    assert cut_window(straight_road_scene(), -100, 100).duration_s == 4.0


def test_a_window_without_the_ego_is_refused_with_its_times():
    late = make_track("late", time_s=[5.0, 5.1])
    scene = straight_road_scene()
    scene = replace(scene, tracks=(*scene.tracks, late), ego_id="late", roles={})
    with pytest.raises(ValueError) as refusal:  # noqa: PT011  (the sentence is compared below)
        cut_window(scene, 1.0, 2.0)
    assert str(refusal.value) == (
        "the ego 'late' is not in the window from 1 s to 2 s; it is seen from 5 s to 5.1 s"
    )


def with_many_tracks() -> Scene:
    return straight_road_scene(n_cars=8)


REFUSED = {
    "the window from 3 s to 1 s ends before it starts": {"start_s": 3.0, "end_s": 1.0},
    "the window from nan s to 1 s ends before it starts": {"start_s": np.nan, "end_s": 1.0},
    "the window from 7 s to 9 s is outside the scene, which lasts from 0 s to 4 s": {
        "start_s": 7.0,
        "end_s": 9.0,
    },
    "no track is called 'x'; there are 'car-0', 'car-1', 'car-2', 'car-3', 'car-4' and 3 more": {
        "ego_id": "x"
    },
    "no track is called 'y'; there are 'car-0'": {"roles": {"T": "y"}},
    "the ego is 'car-1', but the role E is 'car-2'": {
        "ego_id": "car-1",
        "roles": {"E": "car-2"},
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_choice_that_cannot_be_is_refused_with_a_sentence(sentence):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011  (the sentence is compared below)
        choose(with_many_tracks(), **REFUSED[sentence])
    assert str(refusal.value).startswith(sentence)


def test_nothing_chosen_changes_nothing():
    scene = with_many_tracks()
    chosen = choose(scene)
    assert chosen.tracks is scene.tracks
    assert (chosen.ego_id, chosen.roles, chosen.kind) == ("car-0", {"E": "car-0"}, scene.kind)


def test_everything_can_be_chosen_at_once():
    chosen = choose(
        with_many_tracks(),
        ego_id="car-3",
        start_s=1.0,
        end_s=3.0,
        roles={"T": "car-1"},
        kind=SceneKind.merge,
        name="a merge",
    )
    check_scene(chosen)
    assert chosen.roles == {"E": "car-3", "T": "car-1"}
    assert (chosen.start_s, chosen.end_s) == pytest.approx((1.0, 3.0))
    assert (chosen.kind, chosen.name) == (SceneKind.merge, "a merge")


def test_one_end_of_the_window_is_enough():
    assert choose(straight_road_scene(), start_s=3.0).duration_s == pytest.approx(1.0)


def test_the_role_e_chooses_the_ego():
    assert choose(with_many_tracks(), roles={"E": "car-2"}).ego_id == "car-2"


def test_a_new_ego_gives_up_its_old_role_and_the_old_egos_path():
    scene = replace(
        with_many_tracks(),
        roles={"E": "car-0", "T": "car-1", "V1": "car-2"},
        reference_path_m=np.array([[0.0, 0.0], [1.0, 0.0]]),
    )
    chosen = choose(scene, ego_id="car-1")
    assert chosen.roles == {"E": "car-1", "V1": "car-2"}
    assert chosen.reference_path_m is None
    assert choose(scene, ego_id="car-0").reference_path_m is not None
