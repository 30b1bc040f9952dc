"""Whether the counts per clip are what the ratings say, and how they are made anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Integer, Subquery, delete, func, insert, literal, select, union_all
from sqlalchemy.orm import Session

from app.participants.models import Assignment, ClipCount, Rating
from app.studies.models import Study, StudyClip


@dataclass(frozen=True, slots=True)
class WrongCount:
    """A count that differs from the number of ratings it stands for."""

    study: str
    clip: str
    answer: int
    surplus: int  # counted minus given


def list_wrong_counts(db: Session) -> Sequence[WrongCount]:
    """Every count that disagrees with the ratings; none if all is well."""
    parts = _counted_and_given()
    surplus = func.sum(parts.c.n)
    query = (
        select(Study.slug, StudyClip.name, parts.c.answer, surplus)
        .join(StudyClip, StudyClip.id == parts.c.study_clip_id)
        .join(Study, Study.id == StudyClip.study_id)
        .group_by(Study.slug, StudyClip.name, parts.c.answer)
        .having(surplus != 0)
        .order_by(Study.slug, StudyClip.name, parts.c.answer)
    )
    return [WrongCount(*row) for row in db.execute(query)]


def rebuild_counts(db: Session) -> None:
    """Count all ratings again; the counts are what follows from them, never the reverse."""
    db.execute(delete(ClipCount))
    given = (
        select(Assignment.study_clip_id, Rating.answer, func.count())
        .join(Assignment, Assignment.id == Rating.assignment_id)
        .group_by(Assignment.study_clip_id, Rating.answer)
    )
    db.execute(insert(ClipCount).from_select(["study_clip_id", "answer", "n"], given))


def _counted_and_given() -> Subquery:
    """What is counted as it is, and every rating as minus one: the sums should be zero."""
    counted = select(ClipCount.study_clip_id, ClipCount.answer, ClipCount.n)
    given = select(Assignment.study_clip_id, Rating.answer, literal(-1, Integer)).join(
        Assignment, Assignment.id == Rating.assignment_id
    )
    return union_all(counted, given).subquery()
