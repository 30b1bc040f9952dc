"""Dependencies that find out who is asking, or refuse."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, HTTPException, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.orm import Session

from app.auth.cookies import read_session_cookie
from app.auth.models import ApiToken, Scope, User
from app.auth.queries import find_api_token, find_signed_in_user
from app.errors import Refused
from app.guards import SAFE_METHODS
from app.web import CurrentSettings, Now, ReadDb

HOME = "/admin"
SAME_SITE_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20]*")

bearer = HTTPBearer(auto_error=False, description="An API token made with: roadrater token add")


def find_current_user(
    request: Request, db: ReadDb, settings: CurrentSettings, now: Now
) -> User | None:
    """Whose browser this is, if anybody's."""
    cookie = read_session_cookie(request, settings)
    return find_signed_in_user(db, cookie, now) if cookie else None


VisitingUser = Annotated[User | None, Depends(find_current_user)]


def get_current_user(request: Request, user: VisitingUser) -> User:
    """The signed-in user of a page; anybody else is led to the sign-in page and back."""
    if user is None:
        raise HTTPException(303, "Please sign in.", {"Location": sign_in_address(request)})
    return user


def get_api_user(
    request: Request,
    db: ReadDb,
    user: VisitingUser,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> User:
    """The user for whom a program asks.

    A signed-in browser may read too, so that a download is a plain link; to change
    something takes a token, whose header no other site can make a browser send.
    """
    if request.method in SAFE_METHODS:
        return get_api_reader(db, user, credentials)
    token = _get_token(db, credentials)
    if token.scope != Scope.write:
        raise Refused(f"The token {token.name!r} may only read.")
    return token.user


def get_api_reader(
    db: ReadDb,
    user: VisitingUser,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> User:
    """The user for whom a program asks something that changes nothing, whatever its method."""
    if credentials is None and user is not None:
        return user
    return _get_token(db, credentials).user


def _get_token(db: Session, credentials: HTTPAuthorizationCredentials | None) -> ApiToken:
    token = find_api_token(db, credentials.credentials) if credentials else None
    if token is None:
        raise HTTPException(
            401,
            "This needs an API token in the header: Authorization: Bearer rr_…",
            {"WWW-Authenticate": 'Bearer realm="roadrater"'},
        )
    return token


CurrentUser = Annotated[User, Depends(get_current_user)]
ApiUser = Annotated[User, Depends(get_api_user)]


def sign_in_address(request: Request) -> str:
    """The sign-in page that leads back to where the person wanted to go."""
    if request.method not in SAFE_METHODS:
        return "/admin/login"
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return f"/admin/login?next={quote(wanted, safe='/')}"


def same_site_path(wanted: str) -> str:
    """The path to go to after signing in; anything that could lead elsewhere leads home."""
    return wanted if SAME_SITE_PATH.fullmatch(wanted) else HOME
