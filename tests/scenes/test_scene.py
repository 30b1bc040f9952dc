from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from tests.factories.scenes import make_track, straight_road_scene


def test_a_scene_lasts_from_its_first_valid_sample_to_its_last():
    early = make_track("a", time_s=[0.0, 1.0, 2.0], valid=[False, True, True])
    late = make_track("b", time_s=[2.0, 3.0, 4.0], valid=[True, True, False])
    scene = replace(straight_road_scene(), tracks=(early, late))
    assert (scene.start_s, scene.end_s, scene.duration_s) == (1.0, 3.0, 2.0)


def test_a_scene_in_which_nobody_is_seen_has_no_duration():
    scene = replace(straight_road_scene(), tracks=(make_track(valid=False),))
    assert np.isnan(scene.duration_s)


def test_a_track_is_found_by_its_id():
    scene = straight_road_scene()
    assert scene.track("car-1") is scene.tracks[1]
    with pytest.raises(KeyError, match="ghost"):
        scene.track("ghost")


def test_a_scene_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        straight_road_scene().name = "another"  # type: ignore[misc]
