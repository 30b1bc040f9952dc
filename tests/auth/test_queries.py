"""What is shown is looked up by its hash, while it is good."""

from datetime import timedelta

import pytest

from app.auth.models import Role
from app.auth.queries import (
    count_users,
    find_api_token,
    find_signed_in_user,
    find_usable_link,
    find_user,
    get_user,
    list_users,
)
from app.auth.signing_in import make_sign_in_link, start_session
from app.errors import NotFound
from tests.factories.platform import NOW, make_user


def test_users_are_found_by_address_and_listed_in_order(database):
    with database.write.begin() as db:
        for email in ("b@example.org", "a@example.org"):
            make_user(db, email=email, role=Role.viewer)
        assert count_users(db) == 2
        assert [user.email for user in list_users(db)] == ["a@example.org", "b@example.org"]
        assert get_user(db, " B@example.org").email == "b@example.org"
        assert find_user(db, "c@example.org") is None
        with pytest.raises(NotFound, match=r"c@example\.org"):
            get_user(db, "c@example.org")


def test_a_session_is_good_until_it_expires(database):
    with database.write.begin() as db:
        user = make_user(db)
        cookie = start_session(db, user, NOW, hours=2)
        db.flush()
        assert find_signed_in_user(db, cookie, NOW + timedelta(minutes=119)).id == user.id
        assert find_signed_in_user(db, cookie, NOW + timedelta(minutes=120)) is None
        assert find_signed_in_user(db, cookie + "x", NOW) is None


def test_a_link_is_usable_until_it_expires(database):
    with database.write.begin() as db:
        token = make_sign_in_link(db, make_user(db), NOW, minutes=5)
        db.flush()
        assert find_usable_link(db, token, NOW + timedelta(minutes=4)) is not None
        assert find_usable_link(db, token, NOW + timedelta(minutes=5)) is None


def test_an_unknown_token_is_nobodys(database):
    with database.read.begin() as db:
        assert find_api_token(db, "rr_unknown") is None
