from __future__ import annotations

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.levelx.highd_lanes import lanes_between_markings
from app.scenes.road_map import Marking
from tests.factories.tables import table

FILE = table("frameRate", "05_recordingMeta.csv")


def test_outer_lines_are_solid_and_inner_ones_dashed():
    road_map = lanes_between_markings(FILE, "8.5;12.5;16.5", "21;25;29", 0.0, 400.0)
    markings = [boundary.marking for boundary in road_map.boundaries]
    assert markings == [Marking.solid, Marking.dashed, Marking.solid] * 2
    assert [b.points_m[0, 1] for b in road_map.boundaries] == [-8.5, -12.5, -16.5, -21, -25, -29]


def test_centre_lines_point_the_way_that_is_driven():
    road_map = lanes_between_markings(FILE, "8;12", "20;24", 0.0, 400.0)
    upper, lower = road_map.lanes
    assert upper.centre_line_m.tolist() == [[400, -10], [0, -10]]
    assert lower.centre_line_m.tolist() == [[0, -22], [400, -22]]


def test_a_carriageway_that_was_not_seen_has_no_lanes():
    assert [lane.id for lane in lanes_between_markings(FILE, "", "20;24", 0.0, 9.0).lanes] == ["2"]


@pytest.mark.parametrize("text", ["8;x", "8;nan", "12;8", "8;8", ";".join(map(str, range(99)))])
def test_what_is_no_list_of_lines_is_refused(text):
    with pytest.raises(SceneFormatError, match=r"05_recordingMeta.csv: column 'upperLaneMarkings'"):
        lanes_between_markings(FILE, text, "20;24", 0.0, 9.0)
