"""An upload is its owner's; admins see all, viewers bring nothing in."""

import pytest

from app.auth.models import Role
from app.clips.access import check_may_upload, claim_upload, get_upload, may_upload
from app.clips.models import Upload
from app.errors import NotFound, Refused
from tests.factories.platform import NOW, make_user

KEY = "0123456789abcdef" * 2


@pytest.fixture
def people(database):
    with database.write.begin() as db:
        owner, other = make_user(db), make_user(db)
        admin, viewer = make_user(db, role=Role.admin), make_user(db, role=Role.viewer)
        empty = {"files": [], "options": {}, "report": {}, "suggestions": []}
        db.add(Upload(key=KEY, owner_id=owner.id, name="x", format="csv", created_at=NOW, **empty))
    return owner, other, admin, viewer


def test_only_the_owner_and_admins_find_it(database, people):
    owner, other, admin, viewer = people
    with database.read.begin() as db:
        for user in (owner, admin):
            assert get_upload(db, user, KEY).name == "x"
        for user in (other, viewer):
            with pytest.raises(NotFound, match="There is no such upload"):
                get_upload(db, user, KEY)


@pytest.mark.parametrize("key", ["", "0" * 32, KEY.upper(), "\x00", KEY + "0"])
def test_an_unknown_key_is_not_found(database, people, key):
    with database.read.begin() as db, pytest.raises(NotFound):
        get_upload(db, people[0], key)


def test_it_is_claimed_by_the_same_people(database, people):
    owner, other, _, _ = people
    with database.write.begin() as db:
        assert claim_upload(db, owner, KEY).name == "x"
        with pytest.raises(NotFound):
            claim_upload(db, other, KEY)
        with pytest.raises(NotFound):
            claim_upload(db, owner, "\x00")


def test_viewers_may_not_bring_anything_in(people):
    owner, _, admin, viewer = people
    assert may_upload(owner)
    assert check_may_upload(admin) is admin
    with pytest.raises(Refused, match="not bring in scenes"):
        check_may_upload(viewer)
