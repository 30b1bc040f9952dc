"""Who may look behind the participant's door."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.db import Base, Instant


class Role(StrEnum):
    """What a user may do: everything, own studies, or look."""

    admin = "admin"
    researcher = "researcher"
    viewer = "viewer"


class Scope(StrEnum):
    """What an API token may do."""

    read = "read"
    write = "write"


class User(Base):
    """A person who can sign in; without a password only by a one-time link."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)  # stored in lower case
    password_hash: Mapped[str | None]
    role: Mapped[Role] = mapped_column(String(20))
    created_at: Mapped[datetime] = mapped_column(Instant)


class LoginSession(Base):
    """A signed-in browser; the cookie's secret is stored hashed."""

    __tablename__ = "login_sessions"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime] = mapped_column(Instant)
    user: Mapped[User] = relationship(lazy="raise")


class SignInLink(Base):
    """A link that signs a user in once."""

    __tablename__ = "sign_in_links"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime] = mapped_column(Instant)
    used_at: Mapped[datetime | None] = mapped_column(Instant)


class ApiToken(Base):
    """A program's key to the API, acting for a user."""

    __tablename__ = "api_tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    scope: Mapped[Scope] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(Instant)
    user: Mapped[User] = relationship(lazy="raise")
