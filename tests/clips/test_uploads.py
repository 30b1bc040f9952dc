"""Files are kept under names of ours, and nothing half done stays."""

import io
import os
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.clips.models import Footage, Upload, UploadedScene
from app.clips.uploads import (
    UploadInUse,
    bare_name,
    files_at,
    keep_files,
    new_key,
    remove_leftovers,
    remove_upload,
)
from tests.factories.platform import NOW, make_clip, make_footage, make_upload, make_user


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("tracks.csv", "tracks.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\tracks.csv", "tracks.csv"),
        ("tra\x00c\nks.csv", "tracks.csv"),
        ("..", "file"),
        ("/", "file"),
        ("ü" * 300, "ü" * 200),
    ],
)
def test_a_file_has_a_bare_name(sent, kept):
    assert bare_name(sent) == kept


def test_files_are_kept_by_their_place_with_size_and_hash(storage):
    key = new_key()
    kept = keep_files(storage, key, [("a.csv", io.BytesIO(b"abc")), ("a.csv", io.BytesIO(b""))])
    assert [file.size_bytes for file in kept] == [3, 0]
    assert kept[0].sha256.startswith("ba7816bf")
    first, second = files_at(storage, key, [file.name for file in kept])
    assert first.name == second.name == "a.csv"
    assert first.path.endswith(f"uploads/{key}/0")
    assert storage.get(f"uploads/{key}/0") == b"abc"


def test_a_folder_without_a_row_goes_after_a_day(database, storage):
    old, known, young = keys = [new_key() for _ in range(3)]
    long_ago = (NOW - timedelta(days=2)).timestamp()
    for key in keys:
        keep_files(storage, key, [("a", io.BytesIO(b"x"))])
        moment = NOW.timestamp() if key == young else long_ago
        os.utime(storage.path(f"uploads/{key}"), (moment, moment))
    with database.write.begin() as db:
        empty = {"files": [], "options": {}, "report": {}, "suggestions": []}
        owner = make_user(db)
        db.add(
            Upload(key=known, owner_id=owner.id, name="x", format="csv", created_at=NOW, **empty)
        )
    with database.read.begin() as db:
        remove_leftovers(db, storage, NOW)
    assert not storage.path(f"uploads/{old}").exists()
    assert storage.path(f"uploads/{known}").exists()
    assert storage.path(f"uploads/{young}").exists()


def test_where_nothing_was_ever_brought_in_nothing_is_left_over(database, storage):
    with database.read.begin() as db:
        remove_leftovers(db, storage, NOW)
    assert not storage.path("uploads").exists()


def test_what_goes_while_leftovers_are_looked_for_is_no_failure(database, storage):
    storage.put("uploads/ab/0", b"x")
    # A name of nothing: what the listing shows of a folder that is removed at this moment.
    storage.path("uploads/gone").symlink_to(storage.path("uploads/nothing"))
    with database.read.begin() as db:
        remove_leftovers(db, storage, NOW)
    assert storage.exists("uploads/ab/0")


def test_what_two_brought_in_does_not_keep_the_first_though_the_seconds_study_shows_it(database):
    with database.write.begin() as db:
        ada, bob = make_upload(db, make_user(db)), make_upload(db, make_user(db))
        film, clip = make_footage(db), make_clip(db)
        ada.footage_id = bob.footage_id = film.id
        clip.scene_id, clip.footage_id = None, film.id
        db.flush()
        assert remove_upload(db, ada) == []
        assert db.scalars(select(Footage.id)).all() == [film.id]
        with pytest.raises(UploadInUse, match="A study uses a clip of 'recording'"):
            remove_upload(db, bob)


def test_a_shared_scene_stays_when_one_of_its_uploads_goes(database):
    with database.write.begin() as db:
        scene = make_clip(db).scene
        uploads = [make_upload(db, make_user(db)) for _ in range(2)]
        for upload in uploads:
            cut = {"choices": {}, "report": {}, "created_at": NOW}
            db.add(UploadedScene(upload=upload, scene=scene, **cut))
        db.flush()
        assert remove_upload(db, uploads[0]) == []
        assert db.scalars(select(UploadedScene.upload_id)).all() == [uploads[1].id]
        with pytest.raises(UploadInUse):
            remove_upload(db, uploads[1])
