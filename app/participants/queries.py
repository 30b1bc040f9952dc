"""What is asked of the database about sittings, their clips and their ratings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session, joinedload

from app.errors import NotFound
from app.participants.models import Assignment, Rating, Sitting
from app.studies.models import Study, StudyClip

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
    """How many sittings have rated at least one clip.

    Clips are rated in order, so whoever has rated has rated the first: this looks at one
    assignment of each sitting, however many ratings there are.
    """
    query = (
        select(func.count())
        .select_from(Sitting)
        .join(Assignment, and_(Assignment.sitting_id == Sitting.id, Assignment.position == 1))
        .join(Assignment.rating)
        .where(Sitting.study_id == study.id)
    )
    return db.scalar(query) or 0


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
