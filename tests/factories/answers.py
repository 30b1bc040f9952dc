"""People who walk through a study and answer as they are told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.participants.consent import agree
from app.participants.enrolment import enrol
from app.participants.models import Assignment, Sitting
from app.participants.queries import get_sitting
from app.participants.rating import record_rating
from app.studies.models import Study
from app.studies.queries import get_current_version
from tests.factories.platform import NOW


def sit_down(db: Session, study: Study, now: datetime = NOW) -> Sitting:
    """A person who has started and agreed."""
    sitting = enrol(db, study, get_current_version(db, study), now)
    agree(db, sitting, ticked=True, now=now)
    db.flush()
    return sitting


def answer_clips(
    db: Session, sitting: Sitting, answers: Sequence[int], now: datetime = NOW
) -> None:
    """The person answers the next clips in their order, ten seconds each."""
    positions = select(Assignment.id).where(Assignment.sitting_id == sitting.id)
    assignments = db.scalars(positions.order_by(Assignment.position)).all()
    n_before = len([a for a in assignments if _is_rated(db, a)])
    sitting = get_sitting(db, sitting.token)
    for number, (assignment_id, answer) in enumerate(
        zip(assignments[n_before:], answers, strict=False), start=1
    ):
        record_rating(
            db,
            sitting,
            assignment_id,
            answer,
            now + timedelta(seconds=10 * number),
            watched_s=9.5,
            on_page_s=12.25,
        )


def rate_study(db: Session, study: Study, people: Sequence[Sequence[int]]) -> list[Sitting]:
    """One sitting for each row of answers; a short row is a person who has not finished."""
    sittings = [sit_down(db, study) for _ in people]
    for sitting, answers in zip(sittings, people, strict=True):
        answer_clips(db, sitting, answers)
    return sittings


def _is_rated(db: Session, assignment_id: int) -> bool:
    assignment = db.get_one(Assignment, assignment_id)
    db.refresh(assignment, ["rating"])
    return assignment.rating is not None
