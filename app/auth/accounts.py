"""People get an account."""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy.orm import Session

from app.auth.models import Role, User
from app.auth.passwords import hash_password
from app.auth.queries import find_user
from app.errors import Conflict, Invalid

EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


def add_user(db: Session, email: str, role: Role, password: str | None, now: datetime) -> User:
    """A new user; without a password they sign in by one-time links."""
    address = email.strip().lower()
    if len(address) > 254 or not EMAIL.fullmatch(address):
        raise Invalid(f"{email!r} is not an e-mail address.")
    if find_user(db, address) is not None:
        raise Conflict(f"There is already a user {address}.")
    password_hash = None if password is None else hash_password(password)
    user = User(email=address, role=role, password_hash=password_hash, created_at=now)
    db.add(user)
    db.flush()  # the caller needs the id: for a link, a token or a study
    return user
