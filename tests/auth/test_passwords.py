"""Passwords are kept as argon2 hashes."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.auth.attempts import TooManyAttempts
from app.auth.passwords import few_at_a_time, hash_password, password_matches
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


def test_in_a_rush_ten_may_wait_and_the_others_are_asked_to_come_back():
    def outcome(_number: int) -> str:
        try:
            return "matches" if password_matches("correct horse", None) else "compared"
        except TooManyAttempts:
            return "asked to come back"

    with ThreadPoolExecutor(30) as rush, few_at_a_time, few_at_a_time:
        outcomes = [rush.submit(outcome, number) for number in range(30)]
        while sum(each.done() for each in outcomes) < 20:
            time.sleep(0.01)
    results = [each.result() for each in outcomes]
    assert (results.count("compared"), results.count("asked to come back")) == (10, 20)
    assert outcome(0) == "compared"
