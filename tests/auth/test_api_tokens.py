"""Programs get a key."""

import pytest
from sqlalchemy import select

from app.auth.api_tokens import add_api_token
from app.auth.models import ApiToken, Scope
from app.auth.queries import find_api_token
from app.errors import Conflict, Invalid
from tests.factories.platform import NOW, make_user


def test_a_token_is_shown_once_and_kept_as_a_hash(database):
    with database.write.begin() as db:
        user = make_user(db)
        token = add_api_token(db, "nightly", user, Scope.read, NOW)
    with database.read.begin() as db:
        assert token not in db.scalars(select(ApiToken.token_hash)).one()
        found = find_api_token(db, token)
        assert (found.name, found.scope, found.user.email) == ("nightly", "read", user.email)


def test_two_tokens_cannot_have_one_name(database):
    with database.write.begin() as db:
        user = make_user(db)
        add_api_token(db, "nightly", user, Scope.read, NOW)
        db.flush()
        with pytest.raises(Conflict, match="nightly"):
            add_api_token(db, "nightly", user, Scope.write, NOW)


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_token_needs_a_name(database, name):
    with database.write() as db, pytest.raises(Invalid, match="name"):
        add_api_token(db, name, make_user(db), Scope.read, NOW)
