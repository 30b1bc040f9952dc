"""Signing in can be tried a few times, not often."""

from datetime import timedelta

import pytest

from app.auth.attempts import SignInAttempts, SlidingWindow, TooManyAttempts
from tests.factories.platform import NOW


def after(seconds: float):
    return NOW + timedelta(seconds=seconds)


def test_a_window_lets_so_many_pass_and_then_says_how_long_to_wait():
    window = SlidingWindow(limit=2, window_s=60)
    window.add("ada", after(0))
    assert window.wait_s("ada", after(10)) == 0
    window.add("ada", after(10))
    assert window.wait_s("ada", after(20)) == 40
    assert window.wait_s("ada", after(60)) == 0


def test_a_window_remembers_a_bounded_number_of_keys_and_forgets_the_oldest():
    window = SlidingWindow(limit=1, window_s=60, max_keys=3)
    for key in "abcd":
        window.add(key, NOW)
    assert [window.wait_s(key, NOW) > 0 for key in "abcd"] == [False, True, True, True]


def test_the_eleventh_attempt_on_an_account_is_refused_whatever_the_capitals_and_addresses():
    attempts = SignInAttempts()
    for number in range(10):
        attempts.take("Ada@example.org", f"10.0.0.{number}", NOW)
    with pytest.raises(TooManyAttempts, match="try again in 5 minutes"):
        attempts.take("ada@EXAMPLE.org", "10.0.1.1", NOW)
    attempts.take("bob@example.org", "10.0.1.1", NOW)


def test_an_address_cannot_try_one_account_after_the_other():
    attempts = SignInAttempts()
    for number in range(50):
        attempts.take(f"person{number}@example.org", "10.0.0.1", NOW)
    with pytest.raises(TooManyAttempts):
        attempts.take("another@example.org", "10.0.0.1", NOW)


def test_waiting_helps():
    attempts = SignInAttempts()
    for _ in range(10):
        attempts.take("ada@example.org", "10.0.0.1", NOW)
    attempts.take("ada@example.org", "10.0.0.1", after(301))


def test_who_signs_in_starts_again():
    attempts = SignInAttempts()
    for _ in range(9):
        attempts.take("ada@example.org", "10.0.0.1", NOW)
    attempts.succeed("ada@example.org")
    for _ in range(9):
        attempts.take("ada@example.org", "10.0.0.1", NOW)
