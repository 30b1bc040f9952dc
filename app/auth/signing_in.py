"""Signing in by password or by a one-time link, staying signed in, signing out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import CursorResult, delete, update
from sqlalchemy.orm import Session

from app.auth.models import LoginSession, SignInLink, User
from app.auth.passwords import password_matches
from app.auth.queries import find_user
from app.auth.tokens import hash_token, new_token
from app.db import Database
from app.errors import NotFound, Refused


class WrongSignIn(Refused):
    """The address or the password is wrong; which of them is not told."""


class LinkNotUsable(NotFound):
    """There is no such sign-in link, or no longer."""

    title = "This link no longer signs in"


def sign_in(database: Database, email: str, password: str) -> User:
    """The user, if the password is theirs; no connection waits while argon2 works."""
    with database.read.begin() as db:
        user = find_user(db, email)
    if not password_matches(password, user.password_hash if user else None) or user is None:
        raise WrongSignIn("The e-mail address or the password is not right.")
    return user


def start_session(db: Session, user: User, now: datetime, hours: float) -> str:
    """Remember a signed-in browser; returns the secret for its cookie."""
    db.execute(delete(LoginSession).where(LoginSession.expires_at <= now))
    token = new_token()
    expires_at = now + timedelta(hours=hours)
    db.add(LoginSession(token_hash=hash_token(token), user_id=user.id, expires_at=expires_at))
    return token


def end_session(db: Session, cookie: str) -> None:
    """Forget the browser: its cookie opens nothing any more."""
    db.execute(delete(LoginSession).where(LoginSession.token_hash == hash_token(cookie)))


def make_sign_in_link(db: Session, user: User, now: datetime, minutes: float) -> str:
    """The secret of a link that signs the user in once, at /admin/sign-in/<secret>."""
    db.execute(delete(SignInLink).where(SignInLink.expires_at <= now))
    token = new_token()
    expires_at = now + timedelta(minutes=minutes)
    db.add(SignInLink(token_hash=hash_token(token), user_id=user.id, expires_at=expires_at))
    return token


def use_sign_in_link(db: Session, token: str, now: datetime) -> User:
    """The user whom the link signs in; of two that race for it, one gets it."""
    usable = (
        update(SignInLink)
        .where(
            SignInLink.token_hash == hash_token(token),
            SignInLink.used_at.is_(None),
            SignInLink.expires_at > now,
        )
        .values(used_at=now)
    )
    used = cast(CursorResult[Any], db.execute(usable))
    if used.rowcount != 1:
        raise LinkNotUsable(LINK_NOT_USABLE)
    link = db.get_one(SignInLink, hash_token(token))
    return db.get_one(User, link.user_id)


LINK_NOT_USABLE = (
    "The link has been used or has expired. Sign in with your password, or make a new link "
    "with: roadrater user link YOUR-EMAIL"
)
