from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.lanelet2 import road as module
from app.scenes.formats.lanelet2.road import read_lanelet2_map
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Note, NoteKind, Notes
from app.scenes.road_map import Marking
from app.scenes.validation import check_scene
from tests.factories.scenes import straight_road_scene

FILES = Path(__file__).parents[3] / "files" / "lanelet2"
MAPPING_EXAMPLE = (
    Path(__file__).parents[4].parent / "shared" / "data" / "lanelet2" / "mapping_example.osm"
)
NODES = {1: (0, 0), 2: (9, 0), 3: (0, 3), 4: (9, 3), 5: (0, 7), 6: (9, 7), 7: (20, 0), 8: (20, 7)}


def read(file, **options):
    notes = Notes()
    road_map = read_lanelet2_map(file, ReadOptions(**options), notes)
    check_scene(replace(straight_road_scene(), road_map=road_map))
    return road_map, notes.listed()


def tags(**pairs):
    return "".join(f'<tag k="{k}" v="{v}"/>' for k, v in pairs.items())


def way(own_id, nodes, **pairs):
    listed = "".join(f'<nd ref="{node}"/>' for node in nodes)
    return f'<way id="{own_id}">{listed}{tags(**pairs)}</way>'


def relation(own_id, members, **pairs):
    listed = "".join(f'<member type="way" ref="{r}" role="{role}"/>' for role, r in members)
    return f'<relation id="{own_id}">{listed}{tags(**pairs)}</relation>'


LANELET = relation(9, [("left", 2), ("right", 1)], type="lanelet", subtype="road")
BOUNDS = way(1, [1, 2], type="curbstone") + way(2, [3, 4], type="virtual")


def read_text(body):
    nodes = "".join(f'<node id="{i}" x="{x}" y="{y}"/>' for i, (x, y) in NODES.items())
    return read(SourceFile.holding("a.osm", f"<osm>{nodes}{body}</osm>".encode()))


@pytest.fixture(name="two_lanes", params=["two_lanes.osm", "two_lanes.osm_xy"])
def two_lanes_fixture(request):
    """The same road in degrees and in metres: 11 decimals of a degree are a micrometre."""
    origin = (48.8, 9.2) if request.param == "two_lanes.osm" else None
    return read(SourceFile.at(FILES / request.param), origin_deg=origin)


def near_m(expected):
    return pytest.approx(np.array(expected, dtype=np.float64), abs=2e-6, rel=0)


def test_drivable_lanelets_become_lanes_in_their_direction(two_lanes):
    road_map, _ = two_lanes
    lanes = {lane.id: lane for lane in road_map.lanes}
    assert list(lanes) == ["201", "202", "204", "401"]
    assert lanes["201"].polygon_m == near_m([(0, 3.5), (60, 3.5), (60, 0), (30, 0), (0, 0)])
    assert lanes["201"].centre_line_m == near_m([(0, 1.75), (30, 1.75), (60, 1.75)])
    assert lanes["202"].centre_line_m == near_m([(60, 5.25), (30, 5.25), (0, 5.25)])


def test_a_place_to_park_is_a_lane_without_a_direction(two_lanes):
    parking = two_lanes[0].lanes[-1]
    assert parking.polygon_m == near_m([(20, -8), (40, -8), (40, -3), (20, -3)])
    assert parking.centre_line_m is None


def test_a_crosswalk_becomes_a_crossing_and_its_markings_are_drawn_with_it(two_lanes):
    road_map, _ = two_lanes
    (crossing_m,) = road_map.crossings_m
    assert crossing_m == near_m([(56, 0), (56, 7), (59, 7), (59, 0)])


def test_a_stop_line_is_there_once_although_a_rule_names_it(two_lanes):
    (line_m,) = two_lanes[0].stop_lines_m
    assert line_m == near_m([(54, 0), (54, 3.5)])


def test_lines_are_drawn_as_they_are_painted_or_built(two_lanes):
    road_map, _ = two_lanes
    assert [(b.marking, len(b.points_m)) for b in road_map.boundaries] == [
        (Marking.curb, 3),
        (Marking.dashed, 2),
        (Marking.road_edge, 3),
        (Marking.guard_rail, 2),
        (Marking.guard_rail, 2),  # the wall of the walkway
        (Marking.double_solid, 2),
        (Marking.solid, 2),
        (Marking.curb, 3),
        (Marking.solid, 3),  # solid on one side only
        (Marking.guard_rail, 4),  # the wall of the building
    ]
    assert road_map.boundaries[0].points_m == near_m([(0, 0), (30, 0), (60, 0)])


def test_what_is_left_out_or_chosen_is_noted(two_lanes):
    assert two_lanes[1] == (
        Note(
            NoteKind.dropped,
            "Regulatory elements were left out, except for their stop lines: right_of_way.",
        ),
        Note(NoteKind.dropped, "Lanelets that nobody drives on were left out: walkway."),
        Note(NoteKind.dropped, "Areas that nobody drives on were left out: building."),
        Note(NoteKind.dropped, "Virtual lines, which nobody sees, were left out.", 2),
        Note(NoteKind.dropped, "Lines that are not drawn were left out: traffic_sign."),
        Note(
            NoteKind.assumed,
            "Lines that are solid on one side and dashed on the other are drawn solid.",
        ),
    )


@pytest.mark.parametrize(
    ("kind", "subtype", "marking"),
    [
        ("line_thin", "solid", Marking.solid),
        ("line_thick", "dashed", Marking.dashed),
        ("line_thick", "solid_solid", Marking.double_solid),
        ("line_thin", "solid_dashed", Marking.solid),
        ("line_thin", "", Marking.solid),
        ("curbstone", "high", Marking.curb),
        ("road_border", "", Marking.road_edge),
        ("guard_rail", "", Marking.guard_rail),
        ("jersey_barrier", "", Marking.guard_rail),
        ("fence", "", Marking.guard_rail),
        ("bike_marking", "", Marking.dashed),
        ("pedestrian_marking", "", Marking.dashed),
        ("keepout", "", Marking.solid),
    ],
)
def test_a_line_type_has_its_marking(kind, subtype, marking):
    road_map, _ = read_text(BOUNDS + way(3, [5, 6], type=kind, subtype=subtype) + LANELET)
    assert [boundary.marking for boundary in road_map.boundaries] == [Marking.curb, marking]


def test_a_lane_follows_the_middle_that_the_file_gives():
    members = [("left", 2), ("right", 1), ("centerline", 3)]
    lanelet = relation(9, members, type="lanelet", subtype="road")
    road_map, _ = read_text(BOUNDS + way(3, [1, 4]) + lanelet)
    assert road_map.lanes[0].centre_line_m.tolist() == [[0, 0], [9, 3]]


def test_lone_markings_side_by_side_become_a_crossing():
    markings = way(3, [5, 6], type="zebra_marking") + way(4, [4, 3], type="zebra_marking")
    road_map, notes = read_text(BOUNDS + markings + LANELET)
    assert sorted(road_map.crossings_m[0].tolist()) == [[0, 3], [0, 7], [9, 3], [9, 7]]
    assert [boundary.marking for boundary in road_map.boundaries] == [Marking.curb]
    assert notes[-1].sentence == (
        "Two pedestrian or zebra markings side by side were taken as the sides of a crossing."
    )


def test_more_markings_than_can_be_compared_are_noted(monkeypatch):
    monkeypatch.setattr(module, "MAX_LINES", 1)
    markings = way(3, [5, 6], type="zebra_marking") + way(4, [1, 4], type="zebra_marking")
    _, notes = read_text(BOUNDS + markings + LANELET)
    assert "More than 1 pedestrian and zebra markings were not searched for crossings." in [
        note.sentence for note in notes
    ]


def test_a_road_between_two_zebra_markings_is_a_crossing_too():
    ways = way(1, [1, 2], type="zebra_marking") + way(2, [3, 4], type="zebra_marking")
    road_map, notes = read_text(ways + LANELET)
    assert road_map.crossings_m[0].tolist() == road_map.lanes[0].polygon_m.tolist()
    assert road_map.boundaries == ()
    assert [note.kind for note in notes] == [NoteKind.inferred]


def test_a_line_at_which_a_rule_says_to_stop_is_a_stop_line_unless_nobody_sees_it():
    lines = way(3, [7, 8], type="line_thick", subtype="solid") + way(4, [2, 4], type="virtual")
    rules = relation(8, [("ref_line", 3), ("ref_line", 4)], type="regulatory_element")
    road_map, _ = read_text(BOUNDS + lines + LANELET + rules)
    assert [line_m.tolist() for line_m in road_map.stop_lines_m] == [[[20, 0], [20, 7]]]
    assert [boundary.marking for boundary in road_map.boundaries] == [Marking.curb]


def test_unknown_subtypes_are_taken_as_lanes_and_named():
    kinds = [f"kind_{i}" for i in range(9)]
    lanelets = "".join(
        relation(20 + i, [("left", 2), ("right", 1)], type="lanelet", subtype=kind)
        for i, kind in enumerate(kinds)
    )
    road_map, notes = read_text(BOUNDS + lanelets)
    assert len(road_map.lanes) == 9
    assert notes[-1] == Note(
        NoteKind.assumed,
        f"Lanelets of unknown subtypes were taken as lanes: {', '.join(kinds[:8])} and others.",
        9,
    )


def test_single_points_deleted_elements_and_holes_are_noted():
    ring = way(3, [5, 6, 8, 5]) + way(4, [1, 2, 7, 1])
    parking = relation(8, [("outer", 3), ("inner", 4)], type="multipolygon", subtype="parking")
    deleted = '<way id="6" action="delete"/>'
    _, notes = read_text(BOUNDS + ring + way(5, [1]) + deleted + LANELET + parking)
    assert {note.sentence for note in notes} >= {
        "Elements that an editor has marked as deleted were left out.",
        "Lines of a single point were left out.",
        "Holes in paved areas were filled.",
        "Lines that are not drawn were left out: without a type.",
    }


def test_a_map_without_lanelets_is_refused():
    with pytest.raises(SceneFormatError) as caught:
        read_text(BOUNDS)
    assert str(caught.value) == "a.osm: there is no relation of the type lanelet"


def test_a_file_without_anything_is_refused():
    with pytest.raises(SceneFormatError, match="there is no relation of the type lanelet"):
        read(SourceFile.holding("a.osm", b"<osm/>"))


def test_entities_are_refused():
    bomb = b'<!DOCTYPE osm [<!ENTITY a "aaaa">]><osm>&a;</osm>'
    with pytest.raises(SceneFormatError, match="line 1: a document type or entity is declared"):
        read(SourceFile.holding("a.osm", bomb))


@pytest.mark.skipif(
    not MAPPING_EXAMPLE.exists(),
    reason="mapping_example.osm is third-party data, which is not part of the project",
)
def test_a_town_is_read_whole():
    road_map, notes = read(SourceFile.at(MAPPING_EXAMPLE), origin_deg=(49.0, 8.4))
    markings = Counter(boundary.marking for boundary in road_map.boundaries)
    # 337 roads, 8 highways, 14 bicycle lanes; 19 places to park and 3 exits.
    assert len(road_map.lanes) == 337 + 8 + 14 + 19 + 3
    assert len(road_map.stop_lines_m) == 28
    assert markings[Marking.curb] == 325
    assert markings[Marking.guard_rail] == 4 + 11 + 36
    assert (
        Note(NoteKind.dropped, "Lanelets that nobody drives on were left out: rail, walkway.", 4)
        in notes
    )
