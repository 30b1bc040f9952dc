"""What is asked of the database about sittings, their clips and their ratings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session, joinedload

from app.errors import NotFound
from app.participants.models import Assignment, ClipCount, Rating, Sitting
from app.studies.models import Study, StudyClip
from app.studies.queries import document_of, get_current_version, list_study_clips

TOKEN = re.compile(r"[A-Za-z0-9_-]{20,64}")


class UnknownSitting(NotFound):
    """No sitting has this token."""

    title = "This link is not known here"


@dataclass(frozen=True, slots=True)
class SittingCounts:
    """How many sittings are where; every sitting is counted once."""

    created: int  # a link that nobody has used
    started: int  # on the consent page
    consented: int  # among the clips
    finished: int
    declined: int

    @property
    def total(self) -> int:
        """All sittings of the study."""
        return self.created + self.started + self.consented + self.finished + self.declined


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """The study's clips in the order of its document, and how often each answer was given."""

    study_clips: Sequence[StudyClip]
    counts: NDArray[np.int64]  # (n_clips, n_categories)


def find_sitting(db: Session, token: str, *, lock: bool = False) -> Sitting | None:
    """The sitting behind a link, with its study and version; locked until the commit on demand."""
    if not TOKEN.fullmatch(token):
        return None
    query = (
        select(Sitting)
        .where(Sitting.token == token)
        .options(joinedload(Sitting.study, innerjoin=True))
        .options(joinedload(Sitting.version, innerjoin=True))
    )
    return db.scalar(query.with_for_update(of=Sitting) if lock else query)


def get_sitting(db: Session, token: str, *, lock: bool = False) -> Sitting:
    """The sitting behind a link."""
    sitting = find_sitting(db, token, lock=lock)
    if sitting is None:
        raise UnknownSitting(
            "Please check that it was copied completely, or ask the person who invited you "
            "for a new one."
        )
    return sitting


def list_sittings(db: Session, study: Study) -> list[Sitting]:
    """All sittings of a study, the oldest first."""
    query = select(Sitting).where(Sitting.study_id == study.id).order_by(Sitting.id)
    return list(db.scalars(query))


def count_sittings(db: Session, study: Study) -> SittingCounts:
    """How many sittings of a study are in each state."""
    finished = Sitting.finished_at.is_not(None)
    declined = Sitting.declined_at.is_not(None)
    consented = Sitting.consented_at.is_not(None)
    started = Sitting.started_at.is_not(None)

    def number(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
        return func.count().filter(and_(*conditions))

    query = select(
        number(~started, ~consented, ~declined),
        number(started, ~consented, ~declined),
        number(consented, ~finished, ~declined),
        number(finished),
        number(declined),
    ).where(Sitting.study_id == study.id)
    return SittingCounts(*db.execute(query).one())


def count_raters(db: Session, study: Study) -> int:
    """How many sittings have rated at least one clip."""
    query = (
        select(func.count(Assignment.sitting_id.distinct()))
        .join(Assignment.rating)
        .join(Sitting, Sitting.id == Assignment.sitting_id)
        .where(Sitting.study_id == study.id)
    )
    return db.scalar(query) or 0


def read_counts(db: Session, study: Study) -> StudyCounts:
    """How often each answer was given to each clip; a clip that nobody rated is a row of zeros."""
    study_clips = list_study_clips(db, study)
    n_categories = len(document_of(get_current_version(db, study)).scale)
    counts = np.zeros((len(study_clips), n_categories), dtype=np.int64)
    row = {study_clip.id: index for index, study_clip in enumerate(study_clips)}
    query = (
        select(ClipCount.study_clip_id, ClipCount.answer, ClipCount.n)
        .join(StudyClip, StudyClip.id == ClipCount.study_clip_id)
        .where(StudyClip.study_id == study.id)
    )
    for study_clip_id, answer, n in db.execute(query):
        counts[row[study_clip_id], answer - 1] = n
    return StudyCounts(study_clips, counts)


def find_assignment(db: Session, sitting: Sitting, assignment_id: int) -> Assignment | None:
    """An assignment of this sitting, with its rating if there is one."""
    query = (
        select(Assignment)
        .where(Assignment.id == assignment_id, Assignment.sitting_id == sitting.id)
        .options(joinedload(Assignment.rating))
        .execution_options(populate_existing=True)  # a rating is inserted past the session
    )
    return db.scalar(query)


def find_waiting_assignment(db: Session, sitting: Sitting) -> Assignment | None:
    """The first clip in the sitting's order that has no rating, with its video."""
    query = (
        select(Assignment)
        .outerjoin(Assignment.rating)
        .where(Assignment.sitting_id == sitting.id, Rating.id.is_(None))
        .order_by(Assignment.position)
        .limit(1)
        .options(
            joinedload(Assignment.study_clip, innerjoin=True).joinedload(
                StudyClip.clip, innerjoin=True
            )
        )
    )
    return db.scalar(query)


def count_assignments(db: Session, sitting: Sitting) -> int:
    """How many clips this sitting was given."""
    query = select(func.count()).select_from(Assignment).where(Assignment.sitting_id == sitting.id)
    return db.scalar(query) or 0
