"""Browsers and programs that may come in."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi.testclient import TestClient

from app.auth.api_tokens import add_api_token
from app.auth.models import Role, Scope, User
from app.auth.signing_in import start_session
from app.db import Database
from tests.factories.platform import make_user


def sign_in_browser(client: TestClient, database: Database, user: User) -> None:
    """Give the browser the cookie of a session that has just begun."""
    with database.write.begin() as db:
        token = start_session(db, user, datetime.now(UTC), hours=1)
    client.cookies.set("roadrater", token)


def sign_in_new_user(
    client: TestClient, database: Database, role: Role = Role.admin, email: str = ""
) -> User:
    """A new user in the browser."""
    with database.write.begin() as db:
        user = make_user(db, email=email, role=role)
    sign_in_browser(client, database, user)
    return user


def token_header(database: Database, user: User, scope: Scope = Scope.read) -> dict[str, str]:
    """The header of a program that acts for the user."""
    with database.write.begin() as db:
        token = add_api_token(db, f"{user.email} {scope}", user, scope, datetime.now(UTC))
    return {"Authorization": f"Bearer {token}"}
