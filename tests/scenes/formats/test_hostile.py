"""Files from strangers: every reader, given rubbish, refuses with its own error and in time."""

import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.scenes.formats.canonical import encode_scene
from app.scenes.formats.canonical_csv import encode_csv
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.reader import read_road_map, read_scene
from app.scenes.scene import Scene
from app.scenes.validation import check_scene

FILES = Path(__file__).parents[2] / "files"
TOGETHER = (
    "interaction/vehicle_tracks_000.csv interaction/pedestrian_tracks_000.csv",
    "levelx/07_tracks.csv levelx/07_tracksMeta.csv levelx/07_recordingMeta.csv",
    "highd/05_tracks.csv highd/05_tracksMeta.csv highd/05_recordingMeta.csv",
    "sumo/street.fcd.xml sumo/street.net.xml sumo/street.rou.xml",
    "csv/cut_in.csv lanelet2/two_lanes.osm",
    "csv/cut_in.csv lanelet2/two_lanes.osm_xy",
)
ALONE = (
    "csv/feet_and_frames.csv",
    "interaction/prediction_train.csv",
    "commonroad/motorway_2018b.xml",
    "commonroad/street_2020a.xml",
)
LONGEST_S = 10.0

# What breaks readers: numbers that are none, too large, negative or in other scripts.
NASTY = (
    b"nan", b"inf", b"-inf", b"1e400", b"-1", b"0", b"", b" ", b"9" * 400, b"1e308", b"-1e308",
    b"1_000", b"0x10", "٣".encode(), b"\x00", b"\xff\xfe", b"\n", b'"', b"'", b"<", b"&amp;",
    b"&#0;", b",,,,", b";", b"true", b"null", b"2147483648", b"1e-320", b"-0",
)  # fmt: skip


@cache
def load(names: str) -> tuple[tuple[str, bytes], ...]:
    """The files of a scene; our own formats are made of one of the others."""
    if names in OWN:
        scene = read_scene([SourceFile.at(FILES / "commonroad/street_2020a.xml")]).scene
        return ((names, OWN[names](scene)),)
    return tuple((name, (FILES / name).read_bytes()) for name in names.split())


OWN: dict[str, Callable[[Scene], bytes]] = {
    "scene.json": encode_scene,
    "scene.json.gz": lambda scene: encode_scene(scene, compress=True),
    "scene.csv": encode_csv,
}
SETS = (*TOGETHER, *ALONE, *OWN)


def refused_or_right(files: list[tuple[str, bytes]]) -> None:
    sources = [SourceFile.holding(name, content) for name, content in files]
    start_s = time.monotonic()
    sentences = [sentence_of(lambda: check_scene(read_scene(sources).scene))]
    sentences += [sentence_of(lambda source=source: read_road_map(source)) for source in sources]
    assert all(sentence is None or 0 < len(sentence.strip()) < 2000 for sentence in sentences)
    assert time.monotonic() - start_s < LONGEST_S


def sentence_of(read: Callable[[], object]) -> str | None:
    """What the reader says against the file; any other error goes through and fails the test."""
    try:
        read()
    except SceneFormatError as error:
        return str(error)
    return None


def mutated(content: bytes, seed: int) -> bytes:
    """The file with a few wounds: bytes cut out, doubled, changed, or values made nasty."""
    rng = random.Random(seed)
    out = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        if not out:
            break
        start = rng.randrange(len(out))
        end = min(len(out), start + rng.choice([1, 2, 5, 20, 200, 2000]))
        wound = rng.randrange(6)
        if wound == 0:
            del out[start:]
        elif wound == 1:
            del out[start:end]
        elif wound == 2:
            out[start:start] = out[start:end]
        elif wound == 3:
            out[start] ^= 1 << rng.randrange(8)
        elif wound == 4:
            out[start:end] = rng.choice(NASTY)
        else:
            _replace_a_value(out, rng)
    return bytes(out)


def _replace_a_value(out: bytearray, rng: random.Random) -> None:
    separators = [i for i, byte in enumerate(out) if byte in b',;">\n']
    if len(separators) > 1:
        k = rng.randrange(len(separators) - 1)
        out[separators[k] + 1 : separators[k + 1]] = rng.choice(NASTY)


@pytest.mark.parametrize("names", SETS)
def test_unwounded_these_files_are_read(names):
    files = [SourceFile.holding(name, content) for name, content in load(names)]
    assert read_scene(files).scene.tracks


@pytest.mark.parametrize("names", SETS)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32 - 1))
def test_a_wounded_file_is_refused_with_a_sentence_or_read_right(names, seed):
    files = list(load(names))
    victim = seed % len(files)
    name, content = files[victim]
    files[victim] = (name, mutated(content, seed))
    refused_or_right(files)


@settings(max_examples=200, deadline=None)
@given(content=st.binary(max_size=3000))
@example(content=b"\xff\xfe<\x00")
def test_binary_rubbish_is_refused(content):
    refused_or_right([("rubbish.xml", content)])


@settings(max_examples=200, deadline=None)
@given(content=st.text(max_size=1000), start=st.sampled_from(["<osm>", "<net>", "{", "id,t,x,y\n"]))
def test_text_that_begins_like_a_format_is_refused(content, start):
    refused_or_right([("a.txt", (start + content).encode("utf-8", "surrogatepass"))])
