"""Files are read by a process of its own; whatever becomes of it, the server lives on."""

import json
import subprocess
import sys
import time
from threading import Event, Thread, Timer

import pytest

from app.clips.reading_apart import (
    FileAt,
    Limits,
    ReadingEnded,
    ReadingGivenUp,
    options_from_json,
    options_to_json,
    read_apart,
)
from app.scenes.formats.canonical import decode_scene
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.options import ReadOptions
from app.scenes.scene import SceneKind
from tests.factories.footage import make_film
from tests.factories.recordings import long_recording
from tests.factories.waiting import wait_until


@pytest.fixture
def recording(tmp_path) -> FileAt:
    (tmp_path / "0").write_bytes(long_recording())
    return FileAt("cars.csv", str(tmp_path / "0"))


def test_a_recording_is_read_with_its_picture_and_plan(recording):
    reading = read_apart([recording], ReadOptions(), Limits())
    scene = decode_scene(reading.scene_file)
    assert scene.ego_id == reading.findings["scene"]["ego_id"]
    assert reading.findings["report"]["n_tracks"] == 3
    assert reading.still_png.startswith(b"\x89PNG")
    assert len(json.loads(reading.plan)["tracks"]) == 3
    assert not reading.is_film


def test_a_film_is_looked_through(tmp_path):
    make_film(tmp_path / "film.mp4")
    reading = read_apart([FileAt("film.mp4", str(tmp_path / "film.mp4"))], None, Limits())
    assert reading.is_film
    assert reading.findings["footage"]["width_px"] == 320


def test_the_readers_sentence_comes_through_with_the_name_that_its_owner_knows(tmp_path):
    (tmp_path / "0").write_bytes(b"id,t,x,y\n1,0,abc,0\n")
    with pytest.raises(SceneFormatError, match=r"^mine\.csv: line 2: column 'x': 'abc' is not"):
        read_apart([FileAt("mine.csv", str(tmp_path / "0"))], ReadOptions(), Limits())
    (tmp_path / "1").write_bytes(b"\0\0\0\x18ftypmp42" + bytes(100))
    with pytest.raises(SceneFormatError, match=r"^mine\.mp4: "):
        read_apart([FileAt("mine.mp4", str(tmp_path / "1"))], None, Limits())


def test_a_process_that_needs_too_much_memory_is_told_as_a_sentence(recording):
    with pytest.raises(ReadingEnded, match=r"^reading cars\.csv needed more memory or time"):
        read_apart([recording], ReadOptions(), Limits(memory_bytes=64 * 2**20))


def test_a_process_that_hangs_is_stopped(tmp_path):
    pipe = tmp_path / "pipe"
    subprocess.run(["mkfifo", str(pipe)], check=True)  # nobody ever writes into it
    started_s = time.monotonic()
    with pytest.raises(ReadingEnded, match="took longer than 2 s and was stopped"):
        read_apart([FileAt("endless.csv", str(pipe))], ReadOptions(), Limits(wall_s=2))
    assert time.monotonic() - started_s < 10


def test_a_reading_that_nobody_waits_for_is_ended_and_leaves_nothing(tmp_path):
    pipe, work, given_up = tmp_path / "pipe", tmp_path / "work", Event()
    subprocess.run(["mkfifo", str(pipe)], check=True)
    work.mkdir()
    Timer(1, given_up.set).start()
    started_s = time.monotonic()
    with pytest.raises(ReadingGivenUp):
        read_apart([FileAt("a.csv", str(pipe))], ReadOptions(), Limits(60), work, given_up)
    assert time.monotonic() - started_s < 10
    assert list(work.iterdir()) == []


def test_the_process_works_where_it_is_told_to(tmp_path, recording):
    work, seen = tmp_path / "work", []
    work.mkdir()
    watch = Thread(target=lambda: seen.append(wait_until(lambda: list(work.glob("reading-*")))))
    watch.start()
    read_apart([recording], ReadOptions(), Limits(), work)
    watch.join()
    assert len(seen) == 1
    assert list(work.iterdir()) == []


def test_the_process_knows_neither_web_nor_database_nor_secrets(monkeypatch, recording):
    code = "import sys, app.clips.findings; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"fastapi", "sqlalchemy", "pydantic", "jinja2"} & set(loaded.stdout.split())
    monkeypatch.setenv("ROADRATER_DATABASE_URL", "postgresql://user:secret@db/x")
    monkeypatch.setenv("PYTHONSTARTUP_SECRET", "secret")
    assert read_apart([recording], ReadOptions(), Limits()).still_png


def test_options_survive_their_way_through_json():
    options = ReadOptions(
        format="csv",
        kind=SceneKind.merge,
        start_s=1.5,
        roles={"T": "4"},
        columns={"x": "pos [ft]"},
        origin_deg=(49.0, 8.0),
        map_offset_m=(-120.0, 5.0),
    )
    for one in (options, ReadOptions()):
        assert options_from_json(json.loads(json.dumps(options_to_json(one)))) == one
