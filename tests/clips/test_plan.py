"""A plan shows who went where, and stays small."""

import json
from dataclasses import replace

import numpy as np

from app.clips.plan import MOST_TRACKS, POINTS_PER_TRACK, plan_from_json, plan_of
from app.scenes.road_map import Lane, RoadMap
from tests.factories.scenes import make_track, straight_road_scene


def test_a_track_keeps_both_ends_and_few_points():
    track = make_track("7", time_s=np.arange(0, 100, 0.1), speed_mps=10)
    plan = plan_of(replace(straight_road_scene(), tracks=(track,), ego_id="7", roles={}))
    points = plan.tracks[0].points
    assert len(points) <= POINTS_PER_TRACK
    assert points[0] == [0, 0, 0]
    assert points[-1] == [99.9, 999, 0]


def test_places_where_nobody_was_seen_are_not_drawn():
    valid = [True, False, True, True]
    plan = plan_of(replace(straight_road_scene(), tracks=(make_track("7", valid=valid),)))
    assert [point[0] for point in plan.tracks[0].points] == [0, 0.2, 0.3]


def test_the_shortest_of_too_many_tracks_are_left_out():
    short = [make_track(f"s{k}", time_s=[0, 0.1]) for k in range(MOST_TRACKS)]
    plan = plan_of(replace(straight_road_scene(), tracks=(*short, make_track("long"))))
    assert plan.tracks[0].id == "long"
    assert (len(plan.tracks), plan.n_left_out) == (MOST_TRACKS, 1)


def test_only_the_road_around_the_tracks_is_drawn():
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    lanes = (Lane("here", square), Lane("far away", square + 10_000))
    scene = replace(straight_road_scene(), tracks=(make_track(),), road_map=RoadMap(lanes))
    assert plan_of(scene).lanes == [square.tolist()]


def test_a_plan_is_stored_without_loss():
    plan = plan_of(straight_road_scene())
    assert plan_from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_a_scene_of_nobody_is_an_empty_plan():
    assert plan_of(replace(straight_road_scene(), tracks=())).tracks == []
