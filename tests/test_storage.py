"""A file is whole or absent."""

import io
import shutil

import pytest

from app.storage import Storage


def test_what_was_put_comes_back(tmp_path):
    storage = Storage(tmp_path)
    storage.put("clips/ab.mp4", b"moving pictures")
    assert storage.get("clips/ab.mp4") == b"moving pictures"
    assert storage.exists("clips/ab.mp4")


def test_putting_twice_replaces_the_content_in_one_step(tmp_path):
    storage = Storage(tmp_path)
    storage.put("a", b"old")
    storage.put("a", b"new")
    assert storage.get("a") == b"new"


def test_a_failed_write_leaves_nothing_behind(tmp_path):
    with pytest.raises(TypeError):
        Storage(tmp_path).put("clips/ab.mp4", "not bytes")  # type: ignore[arg-type]
    assert list((tmp_path / "clips").iterdir()) == []


def test_a_stream_is_kept_like_bytes(tmp_path):
    storage = Storage(tmp_path)
    storage.put_stream("uploads/ab/0", io.BytesIO(b"x" * 3_000_000))
    assert len(storage.get("uploads/ab/0")) == 3_000_000


def test_a_content_has_two_names_and_lives_as_long_as_one(tmp_path):
    storage = Storage(tmp_path)
    storage.put("uploads/ab/0", b"film")
    for _ in range(2):
        storage.put_again("footage/cd.mp4", "uploads/ab/0")
    storage.remove_folder("uploads/ab")
    assert storage.get("footage/cd.mp4") == b"film"


def test_where_files_cannot_be_linked_they_are_copied(tmp_path, monkeypatch):
    def refuse(*_names):
        raise PermissionError("no links here")

    monkeypatch.setattr("pathlib.Path.hardlink_to", refuse)
    storage = Storage(tmp_path)
    storage.put("a", b"film")
    storage.put_again("b", "a")
    assert storage.get("b") == b"film"


def test_a_removed_file_and_a_removed_folder_are_gone(tmp_path):
    storage = Storage(tmp_path)
    for key in ("uploads/ab/0", "uploads/ab/1", "uploads/cd/0"):
        storage.put(key, b"x")
    for _ in range(2):  # the second time there is nothing to remove
        storage.remove("uploads/cd/0")
        storage.remove_folder("uploads/ab")
    assert not storage.exists("uploads/cd/0")
    assert not storage.path("uploads/ab").exists()


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    assert not Storage(tmp_path).exists("clips/no.mp4")
    with pytest.raises(FileNotFoundError):
        Storage(tmp_path).get("clips/no.mp4")


@pytest.mark.parametrize(
    "key", ["../secret", "/etc/passwd", "a/../../b", "", "a\x00b", "A B", "clips/.."]
)
def test_a_key_cannot_leave_the_folder(tmp_path, key):
    with pytest.raises(ValueError, match="not a key"):
        Storage(tmp_path).path(key)


def test_of_two_who_remove_a_folder_at_once_neither_fails(tmp_path, monkeypatch):
    storage, remove = Storage(tmp_path), shutil.rmtree
    storage.put("uploads/ab/0", b"x")

    def after_somebody_else(folder):
        remove(tmp_path / "uploads/ab", ignore_errors=True)
        remove(folder)

    monkeypatch.setattr(shutil, "rmtree", after_somebody_else)
    storage.remove_folder("uploads/ab")
    storage.remove_folder("uploads/ab")
    assert list((tmp_path / "uploads").iterdir()) == []
