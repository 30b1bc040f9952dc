"""Who is on the stage."""

from dataclasses import replace

import numpy as np

from app.rendering.staging import REACH_M, set_stage
from tests.factories.scenes import make_track, straight_road_scene

TIMES_S = np.array([0.0, 1.0, 2.0])
SIGHT_M = np.array([50.0, 30.0])


def staged(scene, **more):
    return set_stage(scene, scene.tracks[0], TIMES_S, SIGHT_M, **more)


def test_the_ego_is_first_and_starts_at_the_origin():
    stage = staged(straight_road_scene())
    assert stage.tracks[0].id == "car-0"
    assert (stage.x_m[0, 0], stage.y_m[0, 0]) == (0.0, 0.0)


def test_a_camera_that_stands_sees_those_who_pass_it():
    scene = straight_road_scene(n_cars=1)
    far_m = np.array([2000.0, 0.0])
    assert len(staged(scene, place_m=far_m).road_map.lanes) == 0
    assert len(staged(scene).road_map.lanes) == 3


def test_who_stays_beyond_sight_and_reach_is_left_out():
    scene = straight_road_scene(n_cars=1)
    limit_m = SIGHT_M[1] + REACH_M
    for y_m, there in ((limit_m - 1, True), (limit_m + 1, False)):
        other = make_track("b", time_s=np.arange(41) * 0.1, y_m=y_m, speed_mps=20.0)
        stage = staged(replace(scene, tracks=(*scene.tracks, other)))
        assert (len(stage.tracks) == 2) == there
