"""Finding users, and what they can show for themselves."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session, contains_eager

from app.auth.models import ApiToken, LoginSession, SignInLink, User
from app.auth.tokens import hash_token
from app.errors import NotFound


def find_user(db: Session, email: str) -> User | None:
    """The user with this address, however it is capitalised."""
    if "\x00" in email:  # PostgreSQL would refuse the question itself
        return None
    return db.scalar(select(User).where(User.email == email.strip().lower()))


def get_user(db: Session, email: str) -> User:
    """The user with this address."""
    user = find_user(db, email)
    if user is None:
        raise NotFound(f"There is no user {email}.")
    return user


def list_users(db: Session) -> list[User]:
    """All users by address."""
    return list(db.scalars(select(User).order_by(User.email)))


def count_users(db: Session) -> int:
    """How many users there are."""
    return db.scalar(select(func.count()).select_from(User)) or 0


def find_signed_in_user(db: Session, cookie: str, now: datetime) -> User | None:
    """Whose browser this is, while the session lasts."""
    found = (
        select(User)
        .join(LoginSession, LoginSession.user_id == User.id)
        .where(LoginSession.token_hash == hash_token(cookie), LoginSession.expires_at > now)
    )
    return db.scalar(found)


def find_usable_link(db: Session, token: str, now: datetime) -> SignInLink | None:
    """The sign-in link, if it was not used and has not expired."""
    usable = select(SignInLink).where(
        SignInLink.token_hash == hash_token(token),
        SignInLink.used_at.is_(None),
        SignInLink.expires_at > now,
    )
    return db.scalar(usable)


def find_api_token(db: Session, token: str) -> ApiToken | None:
    """The API token, with its user."""
    found = (
        select(ApiToken)
        .join(ApiToken.user)
        .options(contains_eager(ApiToken.user))
        .where(ApiToken.token_hash == hash_token(token))
    )
    return db.scalar(found)
