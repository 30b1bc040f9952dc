"""Finding clips and scenes."""

import pytest

from app.clips.models import UploadedScene
from app.clips.queries import get_clip, list_scenes
from app.errors import NotFound
from tests.factories.platform import NOW, make_clip, make_upload, make_user


def test_a_clip_is_found_by_its_id(database):
    with database.write.begin() as db:
        clip = make_clip(db)
        assert get_clip(db, clip.id) is clip


def test_a_clip_that_is_not_there_is_said_so(database):
    with database.read.begin() as db, pytest.raises(NotFound, match="no clip 4711"):
        get_clip(db, 4711)


def test_an_upload_that_is_gone_has_no_scenes_though_its_id_is_taken_again(database):
    with database.write.begin() as db:
        gone = make_upload(db, make_user(db))
        freed = gone.id
        db.delete(gone)
    with database.write.begin() as db:
        other, scene = make_upload(db, make_user(db)), make_clip(db).scene
        other.id = freed  # as SQLite does by itself
        db.flush()
        cut = UploadedScene(upload=other, scene=scene, choices={}, report={}, created_at=NOW)
        db.add(cut)
        db.flush()
        assert list_scenes(db, gone) == []
        assert list_scenes(db, other) == [cut]
