"""Where a sitting is: derived from what was done, so that it cannot disagree with it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.participants.models import Assignment, Sitting
from app.participants.queries import count_assignments, find_waiting_assignment
from app.studies.models import StudyState, StudyVersion
from app.studies.queries import get_current_version


@dataclass(frozen=True, slots=True)
class Begin:
    """A personal link that nobody has used yet; it may be older than the present wording."""

    version: StudyVersion


@dataclass(frozen=True, slots=True)
class GiveConsent:
    """Started, and neither agreed nor declined."""


@dataclass(frozen=True, slots=True)
class RateClip:
    """The first clip without a rating, with its video."""

    assignment: Assignment
    n_clips: int


@dataclass(frozen=True, slots=True)
class Finished:
    """Every clip is rated."""

    n_clips: int


@dataclass(frozen=True, slots=True)
class Declined:
    """The person does not take part."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The study is not open yet, or no more; what was done is kept."""


Step = Begin | GiveConsent | RateClip | Finished | Declined | Waiting


def next_step(db: Session, sitting: Sitting) -> Step:
    """What this sitting is waiting for; people who are through keep their last page."""
    if sitting.finished_at is not None:
        return Finished(count_assignments(db, sitting))
    if sitting.declined_at is not None:
        return Declined()
    if sitting.study.state != StudyState.open:
        return Waiting()
    if sitting.started_at is None:
        return Begin(get_current_version(db, sitting.study))
    if sitting.consented_at is None:
        return GiveConsent()
    return _next_clip(db, sitting)


def _next_clip(db: Session, sitting: Sitting) -> RateClip | Finished:
    assignment = find_waiting_assignment(db, sitting)
    n_clips = count_assignments(db, sitting)
    return Finished(n_clips) if assignment is None else RateClip(assignment, n_clips)
