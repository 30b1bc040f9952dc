from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.scenes.road_map import Boundary, Lane, Marking, RoadMap, moved_map
from app.scenes.validation import check_scene
from tests.factories.scenes import straight_road_scene


def test_where_nothing_is_known_of_the_road_the_map_is_empty_and_the_scene_sound():
    empty = RoadMap()
    assert (empty.lanes, empty.boundaries, empty.stop_lines_m, empty.crossings_m) == ((),) * 4
    check_scene(replace(straight_road_scene(), road_map=empty))


def test_a_moved_map_has_every_point_elsewhere():
    square_m = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    road_map = RoadMap(
        lanes=(Lane("1", square_m, square_m[:2]), Lane("2", square_m)),
        boundaries=(Boundary(square_m, Marking.curb),),
        stop_lines_m=(square_m,),
        crossings_m=(square_m,),
    )
    moved = moved_map(road_map, 10.0, -5.0)
    places_m = [moved.lanes[0].polygon_m, moved.boundaries[0].points_m]
    places_m += [*moved.stop_lines_m, *moved.crossings_m]
    for points_m in places_m:
        assert (points_m - square_m).tolist() == [[10.0, -5.0]] * 3
    assert moved.lanes[0].centre_line_m is not None
    assert moved.lanes[0].centre_line_m[0].tolist() == [10.0, -5.0]
    assert moved.lanes[1].centre_line_m is None
