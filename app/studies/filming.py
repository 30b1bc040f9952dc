"""Filming a draft's clips is stopped and taken up again; clips that nobody needs are not filmed."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from app.clips.models import WAITING_STATES, Clip, ClipState
from app.clips.render_request import cancel_clip, resume_clip
from app.errors import Conflict
from app.jobs import JobQueue
from app.studies.models import Study, StudyClip, StudyState


class FilmingNotStoppable(Conflict):
    """Whoever takes part needs the films."""


def stop_filming(db: Session, jobs: JobQueue, study: Study) -> None:
    """Do not film what is left of a draft, except for clips that another study waits for too."""
    if study.state != StudyState.draft:
        raise FilmingNotStoppable(
            f"The study {study.slug!r} is {study.state}; filming is only stopped for a draft."
        )
    for clip in _clips_of(db, study, WAITING_STATES):
        if not _has_other_user(db, clip, study):
            cancel_clip(db, jobs, clip)


def film_the_rest(db: Session, jobs: JobQueue, study: Study) -> None:
    """Queue what was stopped."""
    for clip in _clips_of(db, study, [ClipState.cancelled]):
        resume_clip(db, jobs, clip)


def cancel_unused(db: Session, jobs: JobQueue, clip_ids: Collection[int]) -> None:
    """Do not film those of these clips that are in no study any more."""
    # Locked first and looked for afterwards: a study that takes one of them now has its turn.
    waiting = select(Clip).where(Clip.id.in_(clip_ids), Clip.state.in_(WAITING_STATES))
    for clip in db.scalars(waiting.order_by(Clip.id).with_for_update()).all():
        if not db.scalar(select(exists().where(StudyClip.clip_id == clip.id))):
            cancel_clip(db, jobs, clip)


def _clips_of(db: Session, study: Study, states: Collection[ClipState]) -> list[Clip]:
    ids = select(StudyClip.clip_id).where(StudyClip.study_id == study.id)
    in_states = select(Clip).where(Clip.id.in_(ids), Clip.state.in_(states))
    return list(db.scalars(in_states.order_by(Clip.id)))


def _has_other_user(db: Session, clip: Clip, study: Study) -> bool:
    other = exists().where(StudyClip.clip_id == clip.id, StudyClip.study_id != study.id)
    return bool(db.scalar(select(other)))
