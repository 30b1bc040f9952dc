"""Vehicles beside the road are counted, and a map that was moved is found out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.scenes.off_road import off_road_doubts, on_road
from app.scenes.road_map import Lane, RoadMap, moved_map
from app.scenes.scene import RoadUser, Scene
from tests.factories.scenes import roundabout_scene, straight_road_scene

SQUARE = RoadMap(lanes=(Lane("1", np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])),))


def with_moved_map(scene: Scene, x_m: float, y_m: float) -> Scene:
    return replace(scene, road_map=moved_map(scene.road_map, x_m, y_m))


def test_points_on_a_lane_and_within_the_margin_are_on_the_road():
    points_m = np.array([[5.0, 5.0], [-1.5, 5.0], [-2.5, 5.0], [11.0, 11.0], [12.0, 12.0]])
    assert on_road(points_m, SQUARE).tolist() == [True, True, False, True, False]
    assert on_road(points_m, SQUARE, margin_m=0.0).tolist() == [True, False, False, False, False]


def test_an_outline_may_be_hollow():
    ring_m = np.array([[0, 0], [30, 0], [30, 30], [20, 30], [20, 10], [10, 10], [10, 30], [0, 30]])
    hollow = RoadMap(lanes=(Lane("u", ring_m.astype(np.float64)),))
    assert on_road(np.array([[15.0, 25.0], [5.0, 25.0]]), hollow).tolist() == [False, True]


def test_vehicles_on_their_road_are_not_doubted():
    assert off_road_doubts(straight_road_scene()) == []
    assert off_road_doubts(roundabout_scene()) == []


def test_without_lanes_nobody_is_beside_them():
    assert off_road_doubts(replace(straight_road_scene(), road_map=RoadMap())) == []


def test_a_map_with_another_origin_is_told_with_the_way_back():
    (told,) = off_road_doubts(
        with_moved_map(straight_road_scene(), 500.0, 300.0), {"its netOffset": (-500.0, -300.0)}
    )
    assert "are on the road for less than half of their time; the map may have another" in told
    assert "moved by -500, -300 m (its netOffset), it would have" in told


def test_the_centres_suggest_by_how_much_a_map_was_moved():
    (told,) = off_road_doubts(with_moved_map(straight_road_scene(), 500.0, 300.0))
    assert "m (from centre to centre), it would have" in told


def test_a_map_of_another_place_is_told_without_an_offset():
    scene = straight_road_scene()
    (told,) = off_road_doubts(replace(scene, road_map=moved_map(SQUARE, 900.0, 900.0)))
    assert told.endswith("the map may have another origin, or be of another place.")


def test_one_vehicle_beside_the_road_says_nothing_of_the_map():
    scene = straight_road_scene(n_cars=3)
    beside = replace(scene.tracks[2], y_m=scene.tracks[2].y_m + 100)
    (told,) = off_road_doubts(replace(scene, tracks=(*scene.tracks[:2], beside)))
    assert told == (
        "1 of 3 moving vehicles ('car-2') are on the road for less than half of their time."
    )


def test_people_have_ways_of_their_own():
    scene = straight_road_scene(n_cars=1)
    walker = replace(scene.tracks[0], kind=RoadUser.pedestrian, y_m=scene.tracks[0].y_m + 100)
    assert off_road_doubts(replace(scene, tracks=(walker,))) == []
