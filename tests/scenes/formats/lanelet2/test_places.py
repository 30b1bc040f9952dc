from __future__ import annotations

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.lanelet2.osm import read_osm
from app.scenes.formats.lanelet2.places import node_points_m
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import NoteKind, Notes


def place(*nodes, origin=None):
    notes = Notes()
    listed = "".join(f'<node id="{i}" {node}</node>' for i, node in enumerate(nodes, start=1))
    file = SourceFile.holding("a.osm", f"<osm>{listed}</osm>".encode())
    options = ReadOptions(origin_deg=origin)
    return node_points_m(file, read_osm(file), options, notes), notes.listed()


def degrees(lat, lon):
    return f'lat="{lat}" lon="{lon}">'


def test_x_and_y_are_metres_and_nothing_is_assumed():
    points_m, notes = place('x="1.5" y="-2">', 'x="1000" y="3">')
    assert points_m.tolist() == [[1.5, -2.0], [1000.0, 3.0]]
    assert notes == ()


def test_an_origin_is_not_used_for_metres_and_the_researcher_is_told():
    _, notes = place('x="1.5" y="-2">', origin=(49.0, 8.4))
    assert [note.sentence for note in notes] == [
        "The origin given was not used: the nodes of the map are in metres."
    ]


LOCAL = degrees(35.6, 139.7) + '<tag k="local_x" v="{}"/><tag k="local_y" v="{}"/>'


def test_local_metres_are_taken_where_all_nodes_have_them():
    points_m, notes = place(LOCAL.format(5, 6), LOCAL.format(7, 8))
    assert points_m.tolist() == [[5.0, 6.0], [7.0, 8.0]]
    assert notes[0].kind == NoteKind.assumed


def test_with_an_origin_latitude_and_longitude_are_taken_instead_of_local_metres():
    points_m, notes = place(LOCAL.format(5, 6), origin=(35.6, 139.7))
    assert points_m.tolist() == [[0.0, 0.0]]
    assert notes == ()


def test_the_origin_given_is_the_zero_point():
    points_m, notes = place(degrees(49.0, 8.4), degrees(49.0001, 8.4), origin=(49.0, 8.4))
    assert points_m[0].tolist() == [0.0, 0.0]
    # A ten thousandth of a degree of latitude is 11.12 m there, times the scale of UTM.
    assert points_m[1, 1] == pytest.approx(11.12, abs=0.01)
    assert notes == ()


def test_near_latitude_and_longitude_zero_the_origin_is_there_as_in_interaction():
    points_m, notes = place(degrees(0, 0), degrees(-0.001, 0.001))
    assert points_m[0].tolist() == [0.0, 0.0]
    assert points_m[1] == pytest.approx([111.4, -110.6], abs=0.5)
    assert [(note.kind, note.sentence) for note in notes] == [
        (
            NoteKind.assumed,
            "The origin of the map is taken to be latitude 0, longitude 0, as in INTERACTION, "
            "because all nodes are near it.",
        )
    ]


def test_elsewhere_the_origin_is_the_middle_and_is_named_so_that_it_can_be_given_back():
    nodes = degrees(49.0, 8.4), degrees(49.002, 8.4006)
    points_m, notes = place(*nodes)
    assert notes[0].sentence == (
        "The origin of the map is taken to be its middle, latitude 49.001, longitude 8.4003; "
        "tracks fit on it only if theirs is the same: if not, give the origin of the tracks as "
        "latitude and longitude."
    )
    again_m, _ = place(*nodes, origin=(49.001, 8.4003))
    assert points_m.tolist() == again_m.tolist()


def test_the_middle_of_a_map_across_the_180th_meridian_is_on_it():
    points_m, notes = place(degrees(-17, 179.999), degrees(-17, -179.999))
    assert "longitude -180.0;" in notes[0].sentence
    assert np.abs(points_m).max() < 120


@pytest.mark.parametrize(
    ("nodes", "origin", "sentence"),
    [
        (['x="1">'], None, "node 1 does not have both x and y"),
        ([degrees(49, 8), 'lat="49">'], None, "node 2 does not have both lat and lon"),
        ([">"], None, "node 1 does not have both lat and lon"),
        ([degrees(49, 8), 'x="1" y="2">'], None, "node 1 does not have both x and y"),
        (
            [degrees(49, 8)],
            (95.0, 8.0),
            "the origin 95.0, 8.0 is no latitude and longitude",
        ),
        (
            [degrees(49, 8)],
            (49.0, float("nan")),
            "the origin 49.0, nan is no latitude and longitude",
        ),
        (
            [degrees(49, 8)],
            (85.0, 8.0),
            "the origin: latitude 85 is outside of UTM, which has -80 to 84",
        ),
        (
            [degrees(49, 9), degrees(49, 20)],
            (49.0, 9.0),
            "node 2 lies too far from UTM zone 32, in which the origin is",
        ),
        (
            [degrees(88, 9)],
            (49.0, 9.0),
            "node 1 lies too far from UTM zone 32, in which the origin is",
        ),
    ],
)
def test_places_that_are_not_known_are_refused_with_the_node(nodes, origin, sentence):
    with pytest.raises(SceneFormatError) as caught:
        place(*nodes, origin=origin)
    assert str(caught.value) == f"a.osm: {sentence}"
