"""Somebody takes part: a link that cannot be guessed, a name that says nothing."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.db import insert_unless_there
from app.errors import Conflict
from app.participants.models import Sitting
from app.participants.queries import get_sitting
from app.studies.models import Study, StudyState, StudyVersion
from app.studies.queries import document_of, get_current_version

# Without 0 and O, 1, I and L, U and V: these codes are read aloud and typed by hand.
READABLE = "23456789ABCDEFGHJKMNPQRSTWXYZ"


class StudyNotOpen(Conflict):
    """The study takes no answers, not yet or no more."""


def enrol(
    db: Session, study: Study, version: StudyVersion, now: datetime, key: str = ""
) -> Sitting:
    """A new sitting that starts now.

    The start page carries a random `key`. Start pressed twice sends the same key, which
    leads to the same token, of which the database keeps one: the first sitting is returned.
    """
    require_open(db, study)
    token = _token_of(study, key) if key else _new_token()
    (pseudonym,) = _new_pseudonyms(db, study, 1)
    values = _values(study, version, token, pseudonym, now) | {"started_at": now}
    insert_unless_there(db, Sitting, values, ["token"])
    return get_sitting(db, token)


def create_links(
    db: Session, study: Study, version: StudyVersion, n: int, now: datetime
) -> list[Sitting]:
    """Personal links: sittings that wait for somebody to press Start."""
    pseudonyms = _new_pseudonyms(db, study, n)
    sittings = [Sitting(**_values(study, version, _new_token(), name, now)) for name in pseudonyms]
    db.add_all(sittings)
    db.flush()  # gives the ids that the caller may want to list
    return sittings


def start_sitting(db: Session, sitting: Sitting, now: datetime) -> None:
    """Start was pressed on a personal link; pressed again, nothing changes."""
    if sitting.started_at is not None:
        return
    require_open(db, sitting.study)
    # The link may be older than the present wording.
    sitting.version = get_current_version(db, sitting.study)
    sitting.started_at = now


def require_open(db: Session, study: Study) -> None:
    """Refuse unless the study takes answers now, and keep it open until the commit."""
    # Locked: who closes a study waits for the answers under way, and none comes after.
    query = select(Study.state).where(Study.id == study.id).with_for_update(read=True)
    if db.scalar(query) != StudyState.open:
        raise StudyNotOpen(f"The study {study.title!r} takes no answers at the moment.")


def _values(
    study: Study, version: StudyVersion, token: str, pseudonym: str, now: datetime
) -> dict[str, object]:
    return {
        "study_id": study.id,
        "version_id": version.id,
        "token": token,
        "pseudonym": pseudonym,
        "seed": secrets.randbits(31),
        "completion_code": document_of(version).completion_code or _readable(8),
        "created_at": now,
    }


def _new_token() -> str:
    return secrets.token_urlsafe(32)


def _token_of(study: Study, key: str) -> str:
    """Hashed, so that the page's key does not give the sitting's link away."""
    return hashlib.sha256(f"{study.slug}:{key}".encode()).hexdigest()[:48]


def _new_pseudonyms(db: Session, study: Study, n: int) -> list[str]:
    """Random, so that a pseudonym does not tell who came first."""
    new: set[str] = set()
    while len(new) < n:
        # In portions: databases limit how many values one statement may carry.
        drawn = {f"P-{_readable(6)}" for _ in range(min(n - len(new), 500))}
        same = Sitting.pseudonym.in_(drawn), Sitting.study_id == study.id
        new |= drawn - set(db.scalars(select(Sitting.pseudonym).where(*same)))
    return list(new)


def _readable(length: int) -> str:
    return "".join(secrets.choice(READABLE) for _ in range(length))
