"""Passwords are kept as argon2 hashes."""

import pytest

from app.auth.passwords import hash_password, password_matches
from app.errors import Invalid


def test_a_password_matches_its_own_hash_only():
    stored = hash_password("correct horse")
    assert stored.startswith("$argon2id$")
    assert password_matches("correct horse", stored)
    assert not password_matches("correct horsf", stored)


def test_the_same_password_is_stored_differently_each_time():
    assert hash_password("correct horse") != hash_password("correct horse")


@pytest.mark.parametrize("password", ["", "a password that nobody has"])
def test_without_a_stored_hash_no_password_matches(password):
    assert not password_matches(password, None)


@pytest.mark.parametrize("password", ["", "short12", "x" * 1001])
def test_a_password_that_is_too_short_or_too_long_is_refused(password):
    with pytest.raises(Invalid, match="characters"):
        hash_password(password)
