"""Who holds the link is the participant: dependencies that find the sitting or answer 404."""

from __future__ import annotations

from typing import Annotated

from fastapi import Cookie, Depends
from sqlalchemy.orm import Session

from app.participants.cookies import NAME
from app.participants.models import Sitting
from app.participants.queries import find_sitting, get_sitting
from app.studies.models import Study
from app.web import Db, ReadDb


def current_sitting(token: str, db: ReadDb) -> Sitting:
    """The sitting of this link, to look at."""
    return get_sitting(db, token)


def changing_sitting(token: str, db: Db) -> Sitting:
    """The sitting of this link, to change: requests of one sitting wait for each other."""
    return get_sitting(db, token, lock=True)


CurrentSitting = Annotated[Sitting, Depends(current_sitting)]
ChangingSitting = Annotated[Sitting, Depends(changing_sitting)]
SittingCookie = Annotated[str, Cookie(alias=NAME)]


def find_known_sitting(db: Session, study: Study, cookie: str) -> Sitting | None:
    """The sitting that this browser has in this study; one that was declined does not count."""
    sitting = find_sitting(db, cookie)
    if sitting is None or sitting.study_id != study.id or sitting.declined_at is not None:
        return None
    return sitting
