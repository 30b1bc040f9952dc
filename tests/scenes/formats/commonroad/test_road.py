"""Lanelets become lanes whose lines are drawn once, as the file says or as is usual."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.scenes.formats.commonroad.elements import read_root
from app.scenes.formats.commonroad.road import road_map_of
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.report import Notes
from app.scenes.road_map import RoadMap

FILES = Path(__file__).parents[3] / "files" / "commonroad"


def road(name: str, notes: Notes, old: str = "", new: str = "") -> RoadMap:
    text = (FILES / name).read_text().replace(old, new, 1) if old else (FILES / name).read_text()
    file = SourceFile.holding(name, text.encode())
    return road_map_of(file, read_root(file), notes)


def painted(found: RoadMap) -> list[tuple[float, str]]:
    return sorted((float(b.points_m[0, 1]), b.marking.value) for b in found.boundaries)


def test_a_lane_lies_between_its_bounds():
    first = road("street_2020a.xml", Notes()).lanes[0]
    assert first.polygon_m.tolist() == [[0, 0], [50, 0], [50, -4], [0, -4]]
    assert first.centre_line_m is not None
    assert first.centre_line_m.tolist() == [[0, -2], [50, -2]]


def test_the_line_between_two_directions_is_drawn_once_as_either_lanelet_says():
    found = painted(road("street_2020a.xml", Notes()))
    assert found == [(-4, "road_edge"), (0, "dashed"), (4, "curb")]


def test_where_nothing_is_said_edges_are_solid_and_lanes_parted_by_dashes():
    notes = Notes()
    found = painted(road("motorway_2018b.xml", notes))
    assert found == [(0, "road_edge"), (3.5, "dashed"), (7, "road_edge")]
    assert notes.listed()[0].n == 3


def test_a_crosswalk_is_a_crossing_and_a_stop_line_lies_at_the_end():
    found = road("street_2020a.xml", Notes())
    assert [crossing.tolist() for crossing in found.crossings_m] == [
        [[20, -4], [20, 4], [23, 4], [23, -4]]
    ]
    assert [line.tolist() for line in found.stop_lines_m] == [[[50, 0], [50, -4]]]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("<x>50</x><y>0</y>", "<x>50</x>", "lanelet 1: leftBound: a point needs one x and one y"),
        ("<point><x>0</x><y>0</y></point>", "", "lanelet 1: leftBound: 1 points, but 2 are needed"),
        ("<x>50</x>", "<x>inf</x>", "lanelet 1: leftBound: inf is not a finite number"),
        ('lanelet id="2"', 'lanelet id="1"', "lanelet 1: there are two lanelets with this id"),
    ],
)
def test_a_lanelet_that_is_wrong_is_named(old, new, sentence):
    with pytest.raises(SceneFormatError, match=f"^street_2020a.xml: {sentence}$"):
        road("street_2020a.xml", Notes(), old, new)
