"""A person agrees, and is given their clips in their order, or declines."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from app.errors import Invalid
from app.participants.enrolment import require_open, start_sitting
from app.participants.models import Assignment, Sitting
from app.studies.design import clip_order
from app.studies.queries import document_of, list_study_clips


class NotTicked(Invalid):
    """Agreeing was pressed, but the box beside the statement was left empty."""


def agree(db: Session, sitting: Sitting, ticked: bool, now: datetime) -> None:
    """Note the consent and draw the clips; the first decision stays."""
    if _decided(sitting):
        return
    require_open(db, sitting.study)
    if not ticked:
        raise NotTicked("Please tick the box if you agree to take part.")
    start_sitting(db, sitting, now)
    sitting.consented_at = now
    _draw_clips(db, sitting)


def decline(db: Session, sitting: Sitting, now: datetime) -> None:
    """Note that the person does not take part; the first decision stays."""
    if _decided(sitting):
        return
    sitting.declined_at = now


def _decided(sitting: Sitting) -> bool:
    return sitting.consented_at is not None or sitting.declined_at is not None


def _draw_clips(db: Session, sitting: Sitting) -> None:
    study_clips = list_study_clips(db, sitting.study)
    order = clip_order(document_of(sitting.version).order, len(study_clips), sitting.seed)
    db.add_all(
        Assignment(sitting_id=sitting.id, study_clip_id=study_clips[index].id, position=position)
        for position, index in enumerate(order, start=1)
    )
