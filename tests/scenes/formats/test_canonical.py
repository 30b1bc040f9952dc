"""The canonical file: nothing is lost, nothing hostile gets through."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from enum import Enum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.scenes.formats.canonical import decode_scene, encode_scene, scene_hash
from app.scenes.formats.errors import SceneFormatError
from app.scenes.road_map import Boundary, Lane, Marking, RoadMap
from app.scenes.scene import RoadUser, Scene, SceneKind, Source, Track
from app.scenes.validation import STATE_FIELDS
from tests.factories.scenes import roundabout_scene, straight_road_scene

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
POSITIVE = st.floats(min_value=0, exclude_min=True, allow_infinity=False)


def points(at_least: int) -> st.SearchStrategy[np.ndarray]:
    shapes = st.integers(at_least, at_least + 3).map(lambda n: (n, 2))
    return hnp.arrays(np.float64, shapes, elements=FINITE)


@st.composite
def tracks(draw: st.DrawFn, track_id: str) -> Track:
    n = draw(st.integers(1, 5))
    times = draw(st.lists(FINITE, min_size=n, max_size=n, unique=True))
    valid = draw(hnp.arrays(np.bool_, n))
    valid[0] = True
    states = {}
    for field in STATE_FIELDS:
        values = draw(hnp.arrays(np.float64, n, elements=FINITE))
        states[field] = np.where(valid, values, np.nan)
    return Track(
        id=track_id,
        kind=draw(st.sampled_from(RoadUser)),
        length_m=draw(POSITIVE),
        width_m=draw(POSITIVE),
        time_s=np.array(sorted(times)),
        valid=valid,
        inferred=draw(st.frozensets(st.sampled_from(["heading", "size", "speed"]))),
        **states,
    )


ROAD_MAPS = st.builds(
    RoadMap,
    lanes=st.lists(
        st.builds(Lane, id=TEXTS, polygon_m=points(3), centre_line_m=st.none() | points(2)),
        max_size=2,
        unique_by=lambda lane: lane.id,
    ).map(tuple),
    boundaries=st.lists(
        st.builds(Boundary, points_m=points(2), marking=st.sampled_from(Marking)), max_size=2
    ).map(tuple),
    stop_lines_m=st.lists(points(2), max_size=1).map(tuple),
    crossings_m=st.lists(points(3), max_size=1).map(tuple),
)

SOURCES = st.builds(
    Source,
    generator=TEXTS,
    model=TEXTS,
    configuration=st.dictionaries(
        TEXTS, TEXTS | FINITE | st.integers() | st.booleans(), max_size=3
    ),
    seed=st.none() | st.integers(),
    licence=TEXTS,
    ground_truth=TEXTS,
)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    names = st.lists(TEXTS.filter(bool), min_size=1, max_size=3, unique=True)
    ids = draw(names)
    ego = draw(st.none() | st.sampled_from(ids))
    return Scene(
        name=draw(TEXTS),
        step_s=draw(POSITIVE),
        tracks=tuple(draw(tracks(track_id)) for track_id in ids),
        road_map=draw(ROAD_MAPS),
        source=draw(SOURCES),
        ego_id=ego,
        kind=draw(st.sampled_from(SceneKind)),
        roles={"T": draw(st.sampled_from(ids))} | ({"E": ego} if ego else {}),
        right_of_way_ids=draw(st.frozensets(st.sampled_from(ids))),
        reference_path_m=draw(st.none() | points(2)),
    )


def assert_same(one: object, other: object) -> None:
    """Equal to the last bit and of the same types, down to each sample."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        assert one.tobytes() == other.tobytes()
    elif is_dataclass(one) and not isinstance(one, Enum):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    else:
        assert one == other


@settings(max_examples=60, deadline=None)
@given(scenes(), st.booleans())
def test_nothing_is_lost_on_the_way_to_the_file_and_back(scene, compress):
    back = decode_scene(encode_scene(scene, compress=compress))
    assert_same(scene, back)
    assert encode_scene(back) == encode_scene(scene)


def test_equal_scenes_give_equal_bytes_and_hashes():
    one, other = straight_road_scene(), straight_road_scene()
    assert encode_scene(one, compress=True) == encode_scene(other, compress=True)
    assert scene_hash(one) == scene_hash(other)


def test_the_order_of_mappings_and_sets_does_not_count():
    scene = straight_road_scene()
    one = replace(scene, roles={"E": "car-0", "T": "car-1"})
    other = replace(scene, roles={"T": "car-1", "E": "car-0"})
    assert scene_hash(one) == scene_hash(other)


def test_another_position_by_one_bit_is_another_hash():
    scene = straight_road_scene()
    x_m = scene.tracks[0].x_m.copy()
    x_m[0] = np.nextafter(x_m[0], 1)
    moved = replace(scene, tracks=(replace(scene.tracks[0], x_m=x_m), *scene.tracks[1:]))
    assert scene_hash(moved) != scene_hash(scene)


def test_gzip_is_smaller_and_says_nothing_about_when():
    scene = roundabout_scene()
    packed = encode_scene(scene, compress=True)
    assert len(packed) < len(encode_scene(scene)) / 2
    assert packed[4:8] == b"\0\0\0\0"


def test_a_scene_that_breaks_its_rules_is_not_written():
    with pytest.raises(ValueError, match="ego_id"):
        encode_scene(replace(straight_road_scene(), ego_id="ghost"))


BREAKAGES: dict[str, Callable[[dict], object]] = {
    'format: expected "roadrater-scene"': lambda d: d.update(format="geojson"),
    "version: expected 1": lambda d: d.update(version=2),
    "version: expected a whole number": lambda d: d.update(version="1"),
    "colour: there is no such field": lambda d: d.update(colour="red"),
    "tracks: missing": lambda d: d.pop("tracks"),
    "tracks: expected a list": lambda d: d.update(tracks={}),
    "tracks[1]: expected an object": lambda d: d["tracks"].insert(1, 7),
    "tracks[0].valid: missing": lambda d: d["tracks"][0].pop("valid"),
    "tracks[2].x_m: 40 values, but time_s has 41": lambda d: d["tracks"][2]["x_m"].pop(),
    "tracks[0].x_m: expected a list of numbers, but there is a str": lambda d: d["tracks"][0][
        "x_m"
    ].append("1.0"),
    "tracks[0].y_m: expected a list of numbers, but there is a bool": lambda d: d["tracks"][0][
        "y_m"
    ].append(True),
    "tracks[0].y_m[3]: not a finite number": lambda d: d["tracks"][0]["y_m"].__setitem__(3, None),
    "tracks[0].valid: expected a list of true and false": lambda d: d["tracks"][0]["valid"].append(
        1
    ),
    "tracks[0].kind: expected one of car, van": lambda d: d["tracks"][0].update(kind="tank"),
    "tracks[0].id: expected a string": lambda d: d["tracks"][0].update(id=7),
    "tracks[0].length_m: a number is too large": lambda d: d["tracks"][0].update(length_m=10**400),
    "step_s: expected a number": lambda d: d.update(step_s="0.1"),
    "ego_id: no track is called 'ghost'": lambda d: d.update(ego_id="ghost"),
    "roles.E: expected a string": lambda d: d["roles"].update(E=None),
    "right_of_way_ids: something is there twice": lambda d: d.update(
        right_of_way_ids=["car-0", "car-0"]
    ),
    "source.configuration.a: expected a string": lambda d: d["source"]["configuration"].update(
        a=[1]
    ),
    "source.seed: expected a whole number": lambda d: d["source"].update(seed=1.5),
    "road_map.lanes[0].polygon_m[1]: expected a point": lambda d: d["road_map"]["lanes"][0][
        "polygon_m"
    ].insert(1, [0]),
    "road_map.boundaries[0].marking: expected one of solid": lambda d: d["road_map"]["boundaries"][
        0
    ].update(marking="dotted"),
    "name: holds a character that cannot be stored": lambda d: d.update(name="\ud800"),
}


@pytest.mark.parametrize("sentence", BREAKAGES)
def test_a_breakage_is_named_by_its_element(sentence):
    document = json.loads(encode_scene(straight_road_scene()))
    BREAKAGES[sentence](document)
    assert refusal(json.dumps(document).encode()).startswith(sentence)


GOOD = encode_scene(straight_road_scene())
PACKED = encode_scene(straight_road_scene(), compress=True)

HOSTILE = {
    "nothing": (b"", "not JSON"),
    "not text": (b"\xff\xfe\x00", "not UTF-8 at byte 0"),
    "a list": (b"[]", "the file: expected an object"),
    "a number": (b"1", "the file: expected an object"),
    "NaN": (GOOD.replace(b'"step_s":0.1', b'"step_s":NaN'), "not JSON: NaN"),
    "infinity": (GOOD.replace(b'"step_s":0.1', b'"step_s":-Infinity'), "not JSON: -Infinity"),
    "overflow": (GOOD.replace(b'"step_s":0.1', b'"step_s":1e999'), "step_s: a number is too large"),
    "a key twice": (b'{"format":1,' + GOOD[1:], "not JSON: the field 'format' is there twice"),
    "half a file": (GOOD[: len(GOOD) // 2], "not JSON"),
    "half a gzip": (PACKED[: len(PACKED) // 2], "broken gzip: the file ends too early"),
    "a gzip and more": (PACKED + PACKED, "broken gzip: there is something after its end"),
    "a damaged gzip": (PACKED[:40] + b"\xff\xff\xff" + PACKED[43:], "broken gzip"),
    "deep lists": (b"[" * 1_000_000, "the file is nested too deeply"),
    "deep objects": (b'{"a":' * 1_000_000, "the file is nested too deeply"),
    "endless digits": (b'{"format":' + b"1" * 100_000 + b"}", "not JSON"),
    "a pickle": (b"\x80\x04\x95\x0c", "not UTF-8 at byte 0"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_a_sentence(name):
    data, sentence = HOSTILE[name]
    assert refusal(data).startswith(sentence)


def test_a_gzip_bomb_is_stopped_before_it_goes_off():
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(2**20)) for _ in range(256)) + packer.flush()
    tracemalloc.start()
    with pytest.raises(SceneFormatError, match="larger than 1,048,576 bytes"):
        decode_scene(bomb, max_bytes=2**20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 2**20


def test_a_large_plain_file_is_refused_unread():
    with pytest.raises(SceneFormatError, match="larger than 100 bytes"):
        decode_scene(GOOD, max_bytes=100)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=3))
def test_whatever_is_broken_the_answer_is_a_scene_or_a_sentence(at, noise):
    data = GOOD[:at] + noise + GOOD[at + len(noise) :]
    for hurt in (data, gzip.compress(data)):
        with suppress(SceneFormatError):
            assert isinstance(decode_scene(hurt), Scene)


def refusal(data: bytes) -> str:
    with pytest.raises(SceneFormatError) as error:
        decode_scene(data)
    return str(error.value)
