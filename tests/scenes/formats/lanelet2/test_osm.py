from __future__ import annotations

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.lanelet2 import osm as module
from app.scenes.formats.lanelet2.osm import Member, read_osm


def read(body, root="osm"):
    return read_osm(SourceFile.holding("a.osm", f"<{root}>{body}</{root}>".encode()))


NODES = '<node id="1" lat="49" lon="8"/><node id="2" lat="49.1" lon="8"/>'
WAY = '<way id="1"><nd ref="1"/><nd ref="2"/><tag k="type" v="virtual"/></way>'


def test_elements_are_known_by_ids_that_are_apart_for_nodes_ways_and_relations():
    relation = '<relation id="1"><member type="way" ref="1" role="left"/></relation>'
    found = read(NODES + WAY + relation)
    assert found.nodes == {"1": 0, "2": 1}
    assert found.values["lat"].tolist() == [49.0, 49.1]
    assert np.isnan(found.values["x"]).all()
    assert found.ways["1"].nodes == ["1", "2"]
    assert found.ways["1"].tags == {"type": "virtual"}
    assert found.relations["1"].members == [Member("way", "1", "left")]


def test_ways_may_come_before_their_nodes():
    assert read(WAY + NODES).ways["1"].nodes == ["1", "2"]


def test_local_metres_are_tags_of_nodes():
    found = read('<node id="1" lat="" lon=""><tag k="local_x" v="2.5"/></node>')
    assert found.values["local_x"].tolist() == [2.5]
    assert np.isnan([found.values["lat"][0], found.values["local_y"][0]]).all()


def test_what_an_editor_has_deleted_is_counted_and_what_is_inside_it_is_nobodys():
    found = read(NODES + '<way id="7" action="delete"><nd ref="9"/><tag k="a" v="b"/></way>' + WAY)
    assert list(found.ways) == ["1"]
    assert found.n_deleted == 1


def test_relations_that_are_not_used_may_reach_beyond_the_map():
    route = '<relation id="5"><member type="way" ref="99" role=""/><tag k="type" v="route"/>'
    assert "5" in read(route + "</relation>").relations


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ('<node id="1" lat="abc" lon="8"/>', "node 1: lat 'abc' is not a finite number"),
        ('<node id="1" lat="nan" lon="8"/>', "node 1: lat 'nan' is not a finite number"),
        ('<node id="1" lat="1" lon="inf"/>', "node 1: lon 'inf' is not a finite number"),
        ('<node id="1" lat="90.1" lon="8"/>', "node 1: lat '90.1' is not within -90 to 90"),
        ('<node id="1" lat="9" lon="-181"/>', "node 1: lon '-181' is not within -180 to 180"),
        ('<node id="1" x="1e300" y="8"/>', "node 1: x '1e300' is not within -5e+07 to 5e+07"),
        ("<node/>", "a node has no id"),
        (f'<way id="{"9" * 41}"/>', "a way has a very long id"),
        (NODES + NODES, "node 1 is there twice"),
        (NODES + WAY + WAY, "way 1 is there twice"),
        ('<relation id="3"/>' * 2, "relation 3 is there twice"),
        (WAY, "way 1 names node 1, which is not there"),
        ('<way id="1"/>', "way 1 has no nodes"),
        (
            '<relation id="3"><member type="way" ref="8" role="left"/><tag k="type" v="lanelet"/>'
            "</relation>",
            "lanelet 3 names way 8, which is not there",
        ),
    ],
)
def test_what_breaks_the_format_is_refused_with_the_element(body, sentence):
    with pytest.raises(SceneFormatError) as caught:
        read(body)
    assert str(caught.value) == f"a.osm: {sentence}"


def test_another_kind_of_xml_is_refused_by_its_name():
    with pytest.raises(SceneFormatError) as caught:
        read("", root="net")
    assert str(caught.value) == "a.osm: the outermost element is <net>, not <osm>"


def test_elements_without_end_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_ELEMENTS", 4)
    with pytest.raises(SceneFormatError, match="there are more than 4 elements"):
        read("<bounds/>" * 5)
