"""What was uploaded is found by its owner and by admins, by the beginning of its key."""

import pytest

from app.auth.models import Role
from app.clips.models import SceneRecord, Upload, UploadedScene
from app.clips.uploaded import Ambiguous, get_uploaded
from app.errors import NotFound
from tests.factories.platform import NOW, make_footage, make_user

KEY = "0123456789ab"


def make_upload(db, owner, key="u", footage_id=None):
    upload = Upload(
        key=key,
        owner_id=owner.id,
        name="a",
        format="f",
        files=[],
        options={},
        report={},
        suggestions=[],
        footage_id=footage_id,
        created_at=NOW,
    )
    db.add(upload)
    db.flush()
    return upload


def add_scene(db, upload, content_hash):
    scene = SceneRecord(
        content_hash=content_hash,
        name="s",
        duration_s=1.0,
        n_tracks=1,
        source={},
        created_at=NOW,
    )
    row = UploadedScene(upload=upload, scene=scene, choices={}, report={}, created_at=NOW)
    db.add_all([scene, row])
    db.flush()
    return scene


@pytest.fixture
def db(database):
    with database.write.begin() as session:
        yield session


def test_a_scene_is_found_by_the_beginning_of_its_key(db):
    owner = make_user(db)
    scene = add_scene(db, make_upload(db, owner), KEY.ljust(64, "0"))
    assert get_uploaded(db, KEY, owner) is scene
    assert get_uploaded(db, scene.content_hash, owner) is scene


def test_a_film_is_found_in_the_same_way(db):
    owner = make_user(db)
    footage = make_footage(db, KEY.ljust(64, "f"))
    make_upload(db, owner, footage_id=footage.id)
    assert get_uploaded(db, KEY, owner) is footage


def test_somebody_elses_upload_is_not_found_but_by_an_admin(db):
    scene = add_scene(db, make_upload(db, make_user(db)), KEY.ljust(64, "0"))
    with pytest.raises(NotFound, match=KEY):
        get_uploaded(db, KEY, make_user(db))
    assert get_uploaded(db, KEY, make_user(db, role=Role.admin)) is scene


def test_a_scene_that_nobody_uploaded_is_not_found(db):
    make_footage(db, KEY.ljust(64, "f"))
    with pytest.raises(NotFound):
        get_uploaded(db, KEY, make_user(db, role=Role.admin))


def test_a_key_that_begins_like_two_is_refused(db):
    owner = make_user(db)
    upload = make_upload(db, owner)
    for end in "01":
        add_scene(db, upload, KEY.ljust(64, end))
    with pytest.raises(Ambiguous, match="2 scenes or films"):
        get_uploaded(db, KEY, owner)
