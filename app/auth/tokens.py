"""Secrets that open something: random, shown once, stored as their hash."""

from __future__ import annotations

import hashlib
import secrets

API_TOKEN_PREFIX = "rr_"  # noqa: S105  # not a secret: lets scanners recognise a leaked token


def new_token(prefix: str = "") -> str:
    """A secret of 256 random bits that fits into an address, a cookie or a header."""
    return prefix + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """What is stored of it; a plain hash is enough for a secret that cannot be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()
