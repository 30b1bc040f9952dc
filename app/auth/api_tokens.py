"""Programs get a key that acts for a user."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.auth.models import ApiToken, Scope, User
from app.auth.tokens import API_TOKEN_PREFIX, hash_token, new_token
from app.errors import Conflict, Invalid


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
