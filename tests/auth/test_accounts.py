"""People get an account."""

import pytest

from app.auth.accounts import add_user
from app.auth.models import Role
from app.auth.passwords import password_matches
from app.auth.queries import find_user
from app.errors import Conflict, Invalid
from tests.factories.platform import NOW


def test_an_address_is_one_account_however_it_is_written(database):
    with database.write.begin() as db:
        add_user(db, " Ada@Example.org ", Role.viewer, None, NOW)
    with database.read.begin() as db:
        user = find_user(db, "ada@example.ORG")
        assert (user.email, user.role, user.password_hash) == ("ada@example.org", "viewer", None)
    with pytest.raises(Conflict, match=r"already a user ada@example\.org"), database.write() as db:
        add_user(db, "ADA@example.org", Role.admin, None, NOW)


def test_a_password_is_stored_as_a_hash(database):
    with database.write.begin() as db:
        user = add_user(db, "ada@example.org", Role.admin, "correct horse", NOW)
        assert "correct horse" not in user.password_hash
        assert password_matches("correct horse", user.password_hash)


@pytest.mark.parametrize("email", ["", "ada", "ada@", "@example.org", "a b@example.org", "a@b@c"])
def test_what_is_not_an_address_is_refused(database, email):
    with pytest.raises(Invalid, match="not an e-mail address"), database.write() as db:
        add_user(db, email, Role.admin, None, NOW)
