"""Scene files on disk."""

import pytest

from app.cli.scene_files import read_scene_files, write_file
from app.errors import Invalid
from app.scenes.formats.canonical import encode_scene, scene_hash
from app.scenes.formats.options import ReadOptions
from tests.factories.scenes import straight_road_scene


def test_a_file_is_read_and_how_far_is_told(tmp_path):
    path = tmp_path / "scene.json"
    path.write_bytes(encode_scene(straight_road_scene()))
    told = []
    reading = read_scene_files(
        [path], ReadOptions(), lambda done, total: told.append((done, total))
    )
    assert scene_hash(reading.scene) == scene_hash(straight_road_scene())
    assert told[-1] == (path.stat().st_size, path.stat().st_size)


def test_what_is_not_there_or_no_file_is_named(tmp_path):
    with pytest.raises(Invalid, match=r"there is no file .*gone\.json"):
        read_scene_files([tmp_path / "gone.json"], ReadOptions())
    with pytest.raises(Invalid, match="cannot be read"):
        read_scene_files([tmp_path], ReadOptions())


def test_a_file_that_breaks_its_format_is_one_sentence(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(Invalid, match=r"broken\.json"):
        read_scene_files([tmp_path / "broken.json"], ReadOptions())


def test_what_cannot_be_written_is_named(tmp_path):
    write_file(tmp_path / "a", b"content")
    assert (tmp_path / "a").read_bytes() == b"content"
    with pytest.raises(Invalid, match="cannot be written"):
        write_file(tmp_path / "gone" / "a", b"content")
