from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.lanelet2 import lanelets as module
from app.scenes.formats.lanelet2.road import open_lanelet_map
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes

FILES = Path(__file__).parents[3] / "files" / "lanelet2"
DATA = Path(__file__).parents[4].parent / "shared" / "data"
NODES = "".join(
    f'<node id="{i}" x="{x}" y="{y}"/>'
    for i, (x, y) in enumerate([(0, 0), (9, 0), (18, 0), (0, 3), (9, 3), (18, 3)], start=1)
)


def way(own_id, *nodes):
    return f'<way id="{own_id}">' + "".join(f'<nd ref="{n}"/>' for n in nodes) + "</way>"


def relation(own_id, *members, kind="lanelet"):
    listed = "".join(f'<member type="way" ref="{ref}" role="{role}"/>' for role, ref in members)
    return f'<relation id="{own_id}">{listed}<tag k="type" v="{kind}"/></relation>'


def open_map(body):
    file = SourceFile.holding("a.osm", f"<osm>{NODES}{body}</osm>".encode())
    return open_lanelet_map(file, ReadOptions(), Notes())


def test_a_bound_may_be_cut_in_several_ways_in_any_order():
    ways = way(1, 6, 5) + way(2, 4, 5) + way(3, 1, 2, 3)
    lanelet_map = open_map(ways + relation(7, ("left", 1), ("left", 2), ("right", 3)))
    (lanelet,) = lanelet_map.lanelets()
    assert lanelet.left_m.tolist() == [[0, 3], [9, 3], [18, 3]]
    assert lanelet.right_m.tolist() == [[0, 0], [9, 0], [18, 0]]
    assert (lanelet.id, lanelet.subtype, lanelet.ways) == ("7", "road", ("1", "2", "3"))
    assert lanelet.centre_m is None


def test_the_ring_of_an_area_has_each_corner_once():
    area = relation(7, ("outer", 1), ("outer", 2), kind="multipolygon")
    lanelet_map = open_map(way(1, 1, 3, 6) + way(2, 1, 4, 6) + area)
    (ring_m,) = lanelet_map.rings_m(lanelet_map.relations("multipolygon"))
    assert ring_m.tolist() == [[0, 0], [18, 0], [18, 3], [0, 3]]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (way(1, 1, 2) + relation(7, ("left", 1)), "lanelet 7 has no right way"),
        (way(1, 1, 2) + relation(7, ("right", 1)), "lanelet 7 has no left way"),
        (
            way(1, 1) + way(2, 1, 2) + relation(7, ("left", 1), ("right", 2)),
            "lanelet 7: its left bound has no length",
        ),
        (
            way(1, 4, 5) + way(2, 1, 1) + relation(7, ("left", 1), ("right", 2)),
            "lanelet 7: its right bound has no length",
        ),
        (
            way(1, 1, 2) + way(2, 4, 5) + relation(7, ("left", 1), ("left", 2), ("right", 2)),
            "lanelet 7: its left ways do not meet end to end",
        ),
    ],
)
def test_a_lanelet_without_two_bounds_is_refused_by_its_id(body, sentence):
    with pytest.raises(SceneFormatError) as caught:
        list(open_map(body).lanelets())
    assert str(caught.value) == f"a.osm: {sentence}"


@pytest.mark.parametrize("nodes", [(1, 2, 5), (1, 2, 1)])
def test_an_area_that_is_not_closed_is_refused_by_its_id(nodes):
    lanelet_map = open_map(way(1, *nodes) + relation(7, ("outer", 1), kind="multipolygon"))
    with pytest.raises(SceneFormatError) as caught:
        list(lanelet_map.rings_m(lanelet_map.relations("multipolygon")))
    assert str(caught.value) == "a.osm: multipolygon 7: its outer ways are no closed ring"


def test_lanelets_that_share_a_long_line_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(module, "MAX_POINTS", 10)
    lanelets = "".join(relation(i, ("left", 1), ("right", 2)) for i in (7, 8))
    lanelet_map = open_map(way(1, 4, 5, 6) + way(2, 1, 2, 3) + lanelets)
    with pytest.raises(SceneFormatError, match="the lanelets have more than 10 points"):
        list(lanelet_map.lanelets())


def test_areas_that_share_a_long_line_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(module, "MAX_POINTS", 5)
    areas = "".join(relation(i, ("outer", 1), kind="multipolygon") for i in (7, 8))
    lanelet_map = open_map(way(1, 1, 3, 6, 1) + areas)
    with pytest.raises(SceneFormatError, match="the areas have more than 5 points"):
        list(lanelet_map.rings_m(lanelet_map.relations("multipolygon")))


def test_bounds_in_pieces_without_end_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_PIECES", 1)
    body = way(1, 1, 2) + relation(7, ("left", 1), ("left", 1), ("right", 1))
    with pytest.raises(SceneFormatError, match="lanelet 7 has more than 1 left ways"):
        list(open_map(body).lanelets())


@pytest.mark.skipif(sys.platform != "linux", reason="lanelet2 is published for Linux only")
@pytest.mark.parametrize(
    ("path", "origin", "n_lanelets"),
    [
        (FILES / "two_lanes.osm", (48.8, 9.2), 5),
        (DATA / "lanelet2" / "mapping_example.osm", (49.0, 8.4), 371),
        (
            DATA / "interaction" / "TestScenarioForScripts" / "TestScenarioForScripts.osm",
            (0.0, 0.0),
            2,
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_every_bound_is_where_and_as_lanelet2_has_it(path, origin, n_lanelets):
    if not path.exists():
        pytest.skip(f"{path.name} is third-party data, which is not part of the project")
    import lanelet2
    from lanelet2.projection import UtmProjector

    theirs = lanelet2.io.load(str(path), UtmProjector(lanelet2.io.Origin(*origin))).laneletLayer
    file = SourceFile.at(path)
    ours = list(open_lanelet_map(file, ReadOptions(origin_deg=origin), Notes()).lanelets())
    assert len(ours) == len(theirs) == n_lanelets
    for lanelet in ours:
        peer = theirs[int(lanelet.id)]
        for bound_m, expected in (
            (lanelet.left_m, peer.leftBound),
            (lanelet.right_m, peer.rightBound),
        ):
            expected_m = np.array([(point.x, point.y) for point in expected])
            assert bound_m == pytest.approx(expected_m, abs=1e-6, rel=0)
