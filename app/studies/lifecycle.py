"""A study opens and closes; what participants see is frozen from the first opening on."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from app.clips.models import ClipState
from app.errors import Conflict
from app.studies.models import Study, StudyClip, StudyState
from app.studies.queries import list_study_clips
from app.studies.sameness import odd_clips

MAX_NAMED = 5


class ClipsNotReady(Conflict):
    """A participant would meet a clip without a film."""


class ClipsDiffer(Conflict):
    """Something other than the driving would tell the clips apart."""


class NeverOpened(Conflict):
    """A draft has nothing to close."""


def open_study(db: Session, study: Study, now: datetime) -> None:
    """Let people take part, for the first time or again; an open study stays as it is.

    `opened_at` keeps the first opening.
    """
    _lock(db, study)
    if study.state == StudyState.open:
        return
    study_clips = list_study_clips(db, study)
    if waiting := [row for row in study_clips if row.clip.state != ClipState.ready]:
        raise ClipsNotReady(_not_ready(study, study_clips, waiting))
    if odd := odd_clips(study_clips):
        raise ClipsDiffer(_differing(study, study_clips, odd))
    study.state, study.closed_at = StudyState.open, None
    study.opened_at = study.opened_at or now


def close_study(db: Session, study: Study, now: datetime) -> None:
    """Take no more answers; a closed study stays as it is."""
    _lock(db, study)
    if study.state == StudyState.draft:
        raise NeverOpened(f"The study {study.slug!r} is a draft; it was never opened.")
    if study.state == StudyState.open:
        study.state, study.closed_at = StudyState.closed, now


def _lock(db: Session, study: Study) -> None:
    """Answers under way are waited for, and two who open and close take turns."""
    db.flush()  # what was changed and not yet written would be lost by reading it again
    db.refresh(study, ["state", "opened_at", "closed_at"], with_for_update=True)


def _not_ready(study: Study, study_clips: list[StudyClip], waiting: list[StudyClip]) -> str:
    named = _some([f"{row.name} ({row.clip.state})" for row in waiting])
    return (
        f"{len(waiting)} of {len(study_clips)} clips of the study {study.slug!r} "
        f"are not ready: {named}."
    )


def _differing(study: Study, study_clips: list[StudyClip], odd: dict[str, str]) -> str:
    named = _some([f"{name} ({how})" for name, how in odd.items()])
    return (
        f"{len(odd)} of {len(study_clips)} clips of the study {study.slug!r} "
        f"do not look like the others: {named}."
    )


def _some(names: list[str]) -> str:
    left = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {left} more" if left > 0 else "")
