"""The table: nothing is lost, pandas opens it, whatever is wrong is named by its line."""

from __future__ import annotations

import gzip
import io
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scenes.formats.canonical import scene_hash
from app.scenes.formats.canonical_csv import decode_csv, encode_csv
from app.scenes.formats.errors import SceneFormatError
from app.scenes.scene import Scene
from tests.factories.scenes import make_track, roundabout_scene, straight_road_scene
from tests.scenes.formats.test_canonical import assert_same, scenes

AWKWARD_IDS = ["a,b", 'say "hi"', "two\nlines", "\r\n", "#1", "=1+1", " ", "é\u2028", "1", "'", '"']


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_nothing_is_lost_on_the_way_to_the_table_and_back(scene):
    back = decode_csv(encode_csv(scene))
    assert_same(scene, back)
    assert scene_hash(back) == scene_hash(scene)


def with_ids(ids: list[str]) -> Scene:
    scene = straight_road_scene(n_cars=0)
    tracks = tuple(make_track(track_id, valid=[True, False, True, True]) for track_id in ids)
    return replace(scene, tracks=tracks, ego_id=ids[0], roles={"E": ids[0]})


def test_awkward_ids_survive():
    scene = with_ids(AWKWARD_IDS)
    back = decode_csv(encode_csv(scene))
    assert [track.id for track in back.tracks] == AWKWARD_IDS
    assert scene_hash(back) == scene_hash(scene)


def test_the_table_reads_as_documented():
    scene = with_ids(["ego"])
    lines = encode_csv(scene).decode().split("\n")
    assert lines[0] == "# roadrater-scene-csv 1"
    assert lines[1].startswith('# {"name":"straight road","kind":"highway","step_s":0.1,')
    assert lines[2:] == [
        "track_id,time_s,x_m,y_m,heading_rad,speed_mps,acceleration_mps2,valid",
        '"ego",0.0,0.0,0.0,0.0,10.0,0.0,true',
        '"ego",0.1,,,,,,false',
        '"ego",0.2,2.0,0.0,0.0,10.0,0.0,true',
        '"ego",0.3,3.0,0.0,0.0,10.0,0.0,true',
        "",
    ]


def test_the_example_of_the_docs_is_such_a_table():
    page = (Path(__file__).parents[3] / "docs" / "scene_file.md").read_text(encoding="utf-8")
    example = page.partition("```csv\n")[2].partition("```")[0]
    assert encode_csv(decode_csv(example.encode())).decode() == example


def test_pandas_opens_it_with_the_comments_left_out():
    scene = with_ids(AWKWARD_IDS)
    table = pd.read_csv(
        io.BytesIO(encode_csv(scene)),
        comment="#",
        dtype={"track_id": str},
        float_precision="round_trip",
    )
    assert table["track_id"].unique().tolist() == AWKWARD_IDS
    assert table["valid"].dtype == bool
    first = table[table["track_id"] == "a,b"]
    np.testing.assert_array_equal(first["x_m"], scene.tracks[0].x_m)
    np.testing.assert_array_equal(first["time_s"], scene.tracks[0].time_s)


def test_what_pandas_writes_below_the_comments_is_read_again():
    scene = roundabout_scene()
    data = encode_csv(scene)
    above = b"".join(data.splitlines(keepends=True)[:2])
    table = pd.read_csv(
        io.BytesIO(data), comment="#", dtype={"track_id": str}, float_precision="round_trip"
    )
    by_time = table.sort_values("time_s", kind="stable").to_csv(index=False).encode()
    assert scene_hash(decode_csv(above + by_time)) == scene_hash(scene)


def test_gzip_a_byte_order_mark_and_windows_line_ends_are_no_hindrance():
    scene = straight_road_scene()
    data = encode_csv(scene)
    for version in (gzip.compress(data), b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n")):
        assert scene_hash(decode_csv(version)) == scene_hash(scene)


def test_a_scene_that_breaks_its_rules_is_not_written():
    with pytest.raises(ValueError, match="ego_id"):
        encode_csv(replace(straight_road_scene(), ego_id="ghost"))


GOOD = encode_csv(with_ids(["ego", "two"])).decode()

# What is replaced, by what, and the sentence.
BREAKAGES = [
    ("scene-csv 1", "scene-csv 2", "line 1: expected '# roadrater-scene-csv 1'"),
    ("# {", "{", "line 2: expected '# ' and a JSON object"),
    ("# {", "# {{", "line 2: not JSON: "),
    ("# {", '# {"colour":1,', "line 2: colour: there is no such field"),
    ("# {", '# {"name":"a",', "line 2: not JSON: the field 'name' is there twice"),
    ('"step_s":0.1,', "", "line 2: step_s: missing"),
    ('"step_s":0.1', '"step_s":-1', "line 2: step_s: -1.0 is not a positive number"),
    ('"kind":"car"', '"kind":"tank"', "line 2: tracks[0].kind: expected one of car"),
    ('"kind":"car"', '"kind":"car","x_m":[]', "line 2: tracks[0].x_m: there is no such field"),
    ('"id":"two"', '"id":2', "line 2: tracks[1].id: expected a string"),
    ('"id":"two"', '"id":"ego"', "line 8: column 'track_id': no track of line 2 is called 'two'"),
    ('"id":"two"', '"id":"three"', "line 8: column 'track_id': no track of line 2 is called"),
    ('"ego_id":"ego"', '"ego_id":"x"', "line 2: ego_id: no track is called 'x'"),
    ("y_m,", "z_m,", "line 3: expected the columns track_id,time_s,x_m,y_m,"),
    ("0.0,10.0,0.0,true", "0.0,10.0,true", "line 4: 7 columns, but there are 8 in line 3"),
    ('"ego",0.2,2.0', '"ego",0.2,', "line 6: column 'x_m': '' is not a number"),
    ('"ego",0.2,2.0', '"ego",0.2,1_0', "line 6: column 'x_m': '1_0' is not a number"),
    ('"ego",0.2,2.0', '"ego",0.2,nan', "line 6: column 'x_m': 'nan' is not a finite number"),
    ('"ego",0.2,2.0', '"ego",0.2,1e999', "line 6: column 'x_m': '1e999' is not a finite"),
    ('"ego",0.2,', '"ego",0.1,', "line 6: column 'time_s': 0.1 is not later than the row"),
    ('"ego",0.1,,', '"ego",0.1,5,', "line 5: column 'x_m': a value, but valid is false"),
    ("true\n", "yes\n", "line 4: column 'valid': 'yes' is neither true nor false"),
    ('"two",0.3', '"two,0.3', "line 11: unexpected end of data"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), BREAKAGES)
def test_a_breakage_is_named_by_its_line(old, new, sentence):
    assert refusal(GOOD.replace(old, new, 1).encode()).startswith(sentence)


def test_a_line_is_counted_as_an_editor_counts_it():
    data = encode_csv(with_ids(["two\nlines"])).decode().replace("3.0,0.0", "x,0.0").encode()
    assert refusal(data) == "line 11: column 'x_m': 'x' is not a number"


def test_a_track_without_rows_is_refused():
    rows = [line for line in GOOD.split("\n") if not line.startswith('"two"')]
    assert refusal("\n".join(rows).encode()) == (
        "no row has the track_id 'two', which is in line 2"
    )


def test_the_same_id_twice_is_refused():
    data = "\n".join(line for line in GOOD.split("\n") if not line.startswith('"two"'))
    assert refusal(data.replace('"id":"two"', '"id":"ego"').encode()) == (
        "line 2: tracks[1].id: 'ego' is taken by one before it"
    )


def test_a_table_in_which_nobody_is_seen_is_refused():
    head, rows = GOOD.split("\n")[:3], ['"ego",0.0,,,,,,false', '"two",0.0,,,,,,false', ""]
    assert refusal("\n".join(head + rows).encode()) == "no row is valid"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1: expected"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b"# roadrater-scene-csv 1", "line 2: expected"),
        (b"# roadrater-scene-csv 1\n# " + b"[" * 100_000, "line 2: the file is nested too deeply"),
        (b"# roadrater-scene-csv 1\n# 7\n", "line 2: the file: expected an object"),
        (gzip.compress(GOOD.encode(), mtime=0)[:50], "broken gzip"),
        (GOOD.encode() + b'"' + b"x" * 200_000, "line 12: field larger than field limit"),
    ],
)
def test_a_hostile_file_gets_a_sentence(data, sentence):
    assert refusal(data).startswith(sentence)


def test_a_large_file_is_refused_unread():
    with pytest.raises(SceneFormatError, match="larger than 100 bytes"):
        decode_csv(GOOD.encode(), 100)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(GOOD.encode()) - 1), st.binary(max_size=3))
def test_whatever_is_broken_the_answer_is_a_scene_or_a_sentence(at, noise):
    data = GOOD.encode()
    with suppress(SceneFormatError):
        assert isinstance(decode_csv(data[:at] + noise + data[at + len(noise) :]), Scene)


def refusal(data: bytes) -> str:
    with pytest.raises(SceneFormatError) as error:
        decode_csv(data)
    return str(error.value)
