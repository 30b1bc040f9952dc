"""responses.csv: one line for every rating, with its circumstances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.exports.table import Column, write_csv
from app.participants.models import Assignment, Rating, Sitting
from app.studies.models import Study, StudyClip, StudyVersion

ROWS_AT_A_TIME = 1000


@dataclass(frozen=True, slots=True)
class Response:
    """A rating with everything that a line says about it."""

    study: str
    version: int
    participant: str
    clip: str
    condition: str
    position: int
    rating: int
    rating_label: str
    sitting_started_at: datetime | None
    consented_at: datetime | None
    answered_at: datetime
    watched_s: float | None
    on_page_s: float | None
    finished: bool


COLUMNS: tuple[Column[Response], ...] = (
    Column("study", "The study's name in its address.", lambda r: r.study),
    Column("version", "Version of the study document that was rated.", lambda r: r.version),
    Column("participant", "Random code that stands for the person.", lambda r: r.participant),
    Column("clip", "The clip's name in the study document.", lambda r: r.clip),
    Column("condition", "The clip's condition in the study document.", lambda r: r.condition),
    Column("position", "When this person saw the clip: 1 is the first.", lambda r: r.position),
    Column("rating", "The answer, from 1 to the number of options.", lambda r: r.rating),
    Column("rating_label", "The answer as it was worded.", lambda r: r.rating_label),
    Column(
        "sitting_started_at",
        "When the person pressed Start (ISO 8601, UTC).",
        lambda r: r.sitting_started_at,
    ),
    Column("consented_at", "When the person agreed to take part.", lambda r: r.consented_at),
    Column("answered_at", "When the server saved the answer.", lambda r: r.answered_at),
    Column(
        "watched_s",
        "Seconds of the clip that were played, each counted once, if the browser measured them.",
        lambda r: r.watched_s,
    ),
    Column(
        "on_page_s",
        "Seconds from the page's arrival to the answer, likewise.",
        lambda r: r.on_page_s,
    ),
    Column("finished", "Whether this person has rated all their clips.", lambda r: r.finished),
)


def responses_csv(db: Session, study: Study) -> Iterator[str]:
    """The study's ratings in pieces of CSV, by participant and position."""
    return write_csv(COLUMNS, list_responses(db, study))


def list_responses(db: Session, study: Study) -> Iterator[Response]:
    """The study's ratings, read a thousand at a time."""
    scales = _scales(db, study)
    # Columns, not objects: 108,000 ratings took 1.9 s instead of 3.0 s.
    found = (
        select(
            Sitting.version_id,
            StudyVersion.number,
            Sitting.pseudonym,
            StudyClip.name,
            StudyClip.condition,
            Assignment.position,
            Rating.answer,
            Sitting.started_at,
            Sitting.consented_at,
            Rating.answered_at,
            Rating.watched_s,
            Rating.on_page_s,
            Sitting.finished_at,
        )
        .join(Assignment, Assignment.sitting_id == Sitting.id)
        .join(Rating, Rating.assignment_id == Assignment.id)
        .join(StudyClip, StudyClip.id == Assignment.study_clip_id)
        .join(StudyVersion, StudyVersion.id == Sitting.version_id)
        .where(Sitting.study_id == study.id)
        .order_by(Sitting.id, Assignment.position)
        .execution_options(yield_per=ROWS_AT_A_TIME)
    )
    for row in db.execute(found):
        yield Response(
            study=study.slug,
            version=row.number,
            participant=row.pseudonym,
            clip=row.name,
            condition=row.condition,
            position=row.position,
            rating=row.answer,
            rating_label=scales[row.version_id][row.answer - 1],
            sitting_started_at=row.started_at,
            consented_at=row.consented_at,
            answered_at=row.answered_at,
            watched_s=row.watched_s,
            on_page_s=row.on_page_s,
            finished=row.finished_at is not None,
        )


def _scales(db: Session, study: Study) -> dict[int, list[str]]:
    """The wording of the answers in every version of the study."""
    versions = select(StudyVersion).where(StudyVersion.study_id == study.id)
    return {version.id: version.document["scale"] for version in db.scalars(versions)}
