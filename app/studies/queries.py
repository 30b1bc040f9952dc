"""Finding studies, their versions and their clips."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from app.auth.models import Role, User
from app.errors import NotFound
from app.studies.document import StudyDocument
from app.studies.fields import SLUG
from app.studies.models import Study, StudyClip, StudyVersion

SLUG_TEXT = re.compile(SLUG.removesuffix("$"))


class UnknownStudy(NotFound):
    """No study has this name, or none that this person may know of."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"There is no study {slug!r}.")


def find_study(db: Session, slug: str, *, lock: bool = False) -> Study | None:
    """The study with this name; locked until the commit on demand."""
    if not SLUG_TEXT.fullmatch(slug):
        return None  # an address can hold anything, also what a database refuses to compare
    query = select(Study).where(Study.slug == slug)
    return db.scalar(query.with_for_update() if lock else query)


def get_study(db: Session, slug: str) -> Study:
    """The study with this name."""
    study = find_study(db, slug)
    if study is None:
        raise UnknownStudy(slug)
    return study


def list_studies(db: Session, user: User | None = None) -> list[Study]:
    """All studies with their owners, the newest first; for a user those that they may see."""
    query = select(Study).options(joinedload(Study.owner)).order_by(Study.id.desc())
    if user is not None and user.role == Role.researcher:
        query = query.where(Study.owner_id == user.id)
    return list(db.scalars(query))


def get_current_version(db: Session, study: Study) -> StudyVersion:
    """The newest version; every study has one from its first moment."""
    query = (
        select(StudyVersion)
        .where(StudyVersion.study_id == study.id)
        .order_by(StudyVersion.number.desc())
        .limit(1)
    )
    return db.scalars(query).one()


def count_versions(db: Session, study: Study) -> int:
    """How often the document was stored; versions are numbered without gaps."""
    query = select(func.count()).where(StudyVersion.study_id == study.id)
    return db.scalar(query) or 0


def list_study_clips(db: Session, study: Study) -> list[StudyClip]:
    """The study's clips in the order of its document, each with its film."""
    query = (
        select(StudyClip)
        .where(StudyClip.study_id == study.id)
        .options(joinedload(StudyClip.clip, innerjoin=True))
        .order_by(StudyClip.position)
    )
    return list(db.scalars(query))


def document_of(version: StudyVersion) -> StudyDocument:
    """The document of a version, which is read for every page and checked only once."""
    return _checked(_Stored(version.document_hash, version.document))


@dataclass(frozen=True, slots=True)
class _Stored:
    document_hash: str
    document: dict[str, Any] = field(compare=False)


@lru_cache(maxsize=64)
def _checked(stored: _Stored) -> StudyDocument:
    return StudyDocument.model_validate(stored.document)
