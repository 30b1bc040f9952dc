"""Dependencies that let in who may upload, and find an upload or refuse.

Who sends files is asked for their name before the first byte of the body is read, and no
session is held while it arrives: a slow sender would hold one of few.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.auth.access import (
    ApiUser,
    CurrentUser,
    bearer,
    find_current_user,
    get_api_user,
    get_current_user,
)
from app.auth.models import Role, User
from app.clips.models import Upload
from app.clips.queries import find_upload
from app.errors import NotFound, Refused
from app.web import CurrentSettings, Now, ReadDb, look_up


def may_upload(user: User) -> bool:
    """Viewers look; whoever makes studies may also bring in what they show."""
    return user.role in (Role.admin, Role.researcher)


def check_may_upload(user: User) -> User:
    """The user, or a refusal."""
    if not may_upload(user):
        raise Refused("You may look at studies, but not bring in scenes.")
    return user


async def get_uploader(request: Request, settings: CurrentSettings, now: Now) -> User:
    """The signed-in person who wants to send files."""

    def look(db: Session) -> User | None:
        return find_current_user(request, db, settings, now)

    return check_may_upload(get_current_user(request, await look_up(request, look)))


async def get_api_uploader(
    request: Request,
    settings: CurrentSettings,
    now: Now,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> User:
    """The user for whom a program wants to send files."""

    def look(db: Session) -> User:
        user = find_current_user(request, db, settings, now)
        return get_api_user(request, db, user, credentials)

    return check_may_upload(await look_up(request, look))


Uploader = Annotated[User, Depends(get_uploader)]
ApiUploader = Annotated[User, Depends(get_api_uploader)]


def get_upload(db: Session, user: User, key: str) -> Upload:
    """The upload, if it exists for this user: their own, or any for an admin."""
    upload = find_upload(db, key)
    if upload is None or (user.role != Role.admin and upload.owner_id != user.id):
        raise NotFound("There is no such upload.")
    return upload


def claim_upload(db: Session, user: User, key: str) -> Upload:
    """The same, and nobody else cuts from it or removes it until this transaction ends."""
    upload = get_upload(db, user, key)
    held = db.scalar(select(Upload.id).where(Upload.key == key).with_for_update())
    if held is None:  # it was removed while we waited for it
        raise NotFound("There is no such upload.")
    return upload


def _upload_for_pages(key: str, db: ReadDb, user: CurrentUser) -> Upload:
    return get_upload(db, user, key)


def _upload_for_programs(key: str, db: ReadDb, user: ApiUser) -> Upload:
    return get_upload(db, user, key)


PageUpload = Annotated[Upload, Depends(_upload_for_pages)]
ApiUpload = Annotated[Upload, Depends(_upload_for_programs)]
