"""Passwords, kept as argon2 hashes and compared in the same time for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore

from pwdlib import PasswordHash

from app.auth.attempts import TooManyAttempts
from app.errors import Invalid

FEWEST_CHARACTERS = 8
MOST_CHARACTERS = 1000

# Each comparison takes 64 MiB; a rush of log-ins waits here instead of filling the memory.
few_at_a_time = BoundedSemaphore(2)
# Who waits holds one of the 40 threads that answer everybody, so only so many may.
_line = BoundedSemaphore(10)
RUSH_S = 10


def hash_password(password: str) -> str:
    """The password as it is stored."""
    if len(password) < FEWEST_CHARACTERS:
        raise Invalid(f"A password needs at least {FEWEST_CHARACTERS} characters.")
    if len(password) > MOST_CHARACTERS:
        raise Invalid(f"A password has at most {MOST_CHARACTERS} characters.")
    with few_at_a_time:
        return _hasher().hash(password)


def password_matches(password: str, stored_hash: str | None) -> bool:
    """Whether this is the password; without a hash it never is, after as much work.

    Raises TooManyAttempts, at once, if too many are waiting to be compared.
    """
    with _turn():
        matches = _hasher().verify(password, stored_hash or _decoy_hash())
    return matches and stored_hash is not None


@contextmanager
def _turn() -> Iterator[None]:
    if not _line.acquire(blocking=False):
        raise TooManyAttempts(RUSH_S)
    try:
        with few_at_a_time:
            yield
    finally:
        _line.release()


@cache
def _hasher() -> PasswordHash:
    return PasswordHash.recommended()


@cache
def _decoy_hash() -> str:
    """Compared with when there is no user, so that the time does not tell who has an account."""
    return _hasher().hash("a password that nobody has")
