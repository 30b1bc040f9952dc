from __future__ import annotations

from dataclasses import replace

from app.scenes.road_map import RoadMap
from app.scenes.validation import check_scene
from tests.factories.scenes import straight_road_scene


def test_where_nothing_is_known_of_the_road_the_map_is_empty_and_the_scene_sound():
    empty = RoadMap()
    assert (empty.lanes, empty.boundaries, empty.stop_lines_m, empty.crossings_m) == ((),) * 4
    check_scene(replace(straight_road_scene(), road_map=empty))
