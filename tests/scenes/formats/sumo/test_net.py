"""Networks: lanes as wide as they are, and lines as on a usual road."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.sumo.net import net_offset_m, read_sumo_net_map
from app.scenes.road_map import RoadMap

NET = (Path(__file__).parents[3] / "files" / "sumo" / "street.net.xml").read_text()
SHARED = Path(__file__).parents[4].parent / "shared" / "data" / "sumo"


def read(text: str, notes: Notes | None = None) -> RoadMap:
    file = SourceFile.holding("street.net.xml", text.encode())
    return read_sumo_net_map(file, ReadOptions(), notes if notes is not None else Notes())


def test_a_lane_is_as_wide_as_it_says_and_a_repeated_point_does_no_harm():
    lanes = {lane.id: lane for lane in read(NET).lanes}
    assert list(lanes) == [":J_0_0", "A_0", "A_1", "A_2", "B_0", "junction J"]
    np.testing.assert_allclose(
        lanes["A_1"].polygon_m,
        [[0, -3.2], [50, -3.2], [100, -3.2], [100, -6.4], [50, -6.4], [0, -6.4]],
    )
    np.testing.assert_allclose(np.ptp(lanes["A_0"].polygon_m[:, 1]), 2)


def test_lines_run_from_the_edge_over_kerb_and_dashes_to_the_middle():
    found = sorted(
        (round(float(b.points_m[0, 1]), 3), b.marking.value) for b in read(NET).boundaries
    )
    assert found == [
        (-8.4, "road_edge"),
        (-6.4, "curb"),
        (-3.2, "dashed"),
        (0, "solid"),
        (3.2, "road_edge"),
    ]


def test_in_left_hand_traffic_the_middle_is_on_the_right():
    lane = '<lane id="{0}_0" index="0" speed="9" length="9" shape="{1}"/>'
    edges = (
        '<edge id="A" from="I" to="J">' + lane.format("A", "0,1.6 9,1.6") + "</edge>"
        '<edge id="B" from="J" to="I">' + lane.format("B", "9,-1.6 0,-1.6") + "</edge>"
    )
    found = read(f'<net lefthand="true">{edges}</net>').boundaries
    assert sorted((round(b.points_m[0, 1], 6), b.marking.value) for b in found) == [
        (-3.2, "road_edge"),
        (0, "solid"),
        (3.2, "road_edge"),
    ]


def test_crossings_are_crossings_and_rails_are_left_out():
    notes = Notes()
    (crossing_m,) = read(NET, notes).crossings_m
    assert sorted(map(tuple, crossing_m.tolist())) == [(96, -4), (96, 4), (100, -4), (100, 4)]
    sentences = " ".join(note.sentence for note in notes.listed())
    assert "Walking areas" in sentences
    assert "Lanes for trains" in sentences


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('shape="0.00,-1.60 100.00,-1.60"', "", "lane 'A_2': shape is missing"),
        ("0.00,-1.60 100", "nan,-1.60 100", "lane 'A_2': shape: 'nan,-1.60 100.00,-1.60' is not"),
        ('width="2.00" shape="0', 'width="-2" shape="0', "lane 'A_0': width: -2 is not a positive"),
        ('id="A_2"', 'id="A_1"', "lane 'A_1': there are two lanes with this id"),
        ("</net>", "", "line 15: not XML: no element found"),
        ("<net ", '<!DOCTYPE net SYSTEM "file:///etc/passwd"><net ', "line 1: a document type"),
    ],
)
def test_a_lane_that_is_wrong_is_named(old, new, sentence):
    assert old in NET
    with pytest.raises(SceneFormatError) as refused:
        read(NET.replace(old, new, 1))
    assert str(refused.value).startswith(f"street.net.xml: {sentence}")


def test_a_network_without_lanes_is_refused():
    with pytest.raises(SceneFormatError, match="there is no lane for road users in the network"):
        read("<net/>")


@pytest.mark.skipif(not SHARED.exists(), reason="the shared SUMO samples are not here")
@pytest.mark.parametrize("name", ["cross", "roundabout"])
def test_every_lane_is_that_of_sumolib(name):
    import sumolib

    path = SHARED / name / f"{name}.net.xml"
    lanes = {lane.id: lane for lane in read(path.read_text()).lanes}
    net = sumolib.net.readNet(str(path), withInternal=True)
    n_compared = 0
    for edge in net.getEdges(withInternal=True):
        for theirs in edge.getLanes():
            ours = lanes[theirs.getID()]
            np.testing.assert_allclose(ours.centre_line_m, theirs.getShape(), atol=1e-6)
            left_m, right_m = ours.polygon_m[0], ours.polygon_m[-1]
            assert np.hypot(*(left_m - right_m)) == pytest.approx(theirs.getWidth(), abs=1e-6)
            n_compared += 1
    assert n_compared == sum(not lane_id.startswith("junction ") for lane_id in lanes)


def test_the_offset_of_a_network_is_found_in_its_location():
    location = b'<net><location netOffset="120.00,-3.5" convBoundary="0,0,1,1"/></net>'
    assert net_offset_m(SourceFile.holding("a.net.xml", location)) == (120.0, -3.5)
    assert net_offset_m(SourceFile.holding("a.net.xml", b"<net/>")) == (0.0, 0.0)
