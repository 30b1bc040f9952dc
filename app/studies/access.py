"""Dependencies that find the study of an address, or refuse.

A study that a person may not see does not exist for them; to change one that they may
only look at is refused openly.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from sqlalchemy.orm import Session

from app.auth.access import ApiUser, CurrentUser
from app.auth.models import User
from app.errors import Refused
from app.studies.models import Study
from app.studies.permissions import may_read, may_write
from app.studies.queries import UnknownStudy, get_study
from app.web import Db, ReadDb


def get_readable_study(db: Session, user: User, slug: str) -> Study:
    """The study, if it exists for this user."""
    study = get_study(db, slug)
    if not may_read(user, study):
        raise UnknownStudy(slug)
    return study


def get_writable_study(db: Session, user: User, slug: str) -> Study:
    """The study, if this user may change it."""
    study = get_readable_study(db, user, slug)
    if not may_write(user, study):
        raise Refused(f"You may look at the study {slug!r}, but not change it.")
    return study


def _readable_for_pages(slug: str, db: ReadDb, user: CurrentUser) -> Study:
    return get_readable_study(db, user, slug)


def _writable_for_pages(slug: str, db: Db, user: CurrentUser) -> Study:
    return get_writable_study(db, user, slug)


def _readable_for_programs(slug: str, db: ReadDb, user: ApiUser) -> Study:
    return get_readable_study(db, user, slug)


def _writable_for_programs(slug: str, db: Db, user: ApiUser) -> Study:
    return get_writable_study(db, user, slug)


ReadableStudy = Annotated[Study, Depends(_readable_for_pages)]
WritableStudy = Annotated[Study, Depends(_writable_for_pages)]
ApiReadableStudy = Annotated[Study, Depends(_readable_for_programs)]
ApiWritableStudy = Annotated[Study, Depends(_writable_for_programs)]
