"""People and programs get a key: users and API tokens."""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.auth.models import ApiToken, Role, Scope, User
from app.auth.passwords import hash_password
from app.auth.queries import find_user
from app.auth.tokens import API_TOKEN_PREFIX, hash_token, new_token
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


def add_api_token(db: Session, name: str, user: User, scope: Scope, now: datetime) -> str:
    """A key for a program that acts for the user; this is the only time it can be read."""
    if not name.strip() or len(name) > 100:
        raise Invalid("A token needs a name of 1 to 100 characters.")
    if db.scalar(select(ApiToken).where(ApiToken.name == name)) is not None:
        raise Conflict(f"There is already a token called {name!r}.")
    token = new_token(API_TOKEN_PREFIX)
    db.add(
        ApiToken(
            name=name, token_hash=hash_token(token), user_id=user.id, scope=scope, created_at=now
        )
    )
    return token
