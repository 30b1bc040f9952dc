"""Reading what happened; what is asked several times a second costs the same for any ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.agreement.ratings import RatingTable
from app.clips.models import Clip, ClipState, Footage, SceneRecord
from app.dashboard.study_now import ClipNow, StudyNow
from app.errors import NotFound
from app.participants.models import Assignment, ClipCount, Rating, Sitting
from app.participants.queries import count_raters, count_sittings
from app.studies.models import Study, StudyClip, StudyVersion


def read_study_now(db: Session, study_id: int, before: StudyNow | None = None) -> StudyNow:
    """The study at this moment, or the very state given if nothing has changed since.

    Of the two things that take longer, the scale is read again when the version
    changes, and raters are counted when anything does.
    """
    newest = select(func.max(StudyVersion.id)).where(StudyVersion.study_id == study_id)
    study, version_id = db.execute(
        select(Study, newest.scalar_subquery()).where(Study.id == study_id)
    ).one()
    known = before is not None and before.version_id == version_id
    scale = before.scale if before and known else _scale(db, version_id)
    now = StudyNow(
        slug=study.slug,
        title=study.title,
        state=study.state,
        version_id=version_id,
        scale=scale,
        sittings=count_sittings(db, study),
        clips=_clips(db, study_id, len(scale)),
        n_raters=0,
    )
    if before is not None and now == before:
        return before
    return replace(now, n_raters=count_raters(db, study))


def read_rating_table(db: Session, study: Study, scale: Sequence[str]) -> RatingTable:
    """Every rating of the study with who gave it, for the statistics that need raters."""
    clips = db.execute(
        select(StudyClip.id, StudyClip.name)
        .where(StudyClip.study_id == study.id)
        .order_by(StudyClip.position)
    ).all()
    raters = db.execute(
        select(Sitting.id, Sitting.pseudonym)
        .where(Sitting.study_id == study.id)
        .order_by(Sitting.id)
    ).all()
    rows = db.execute(
        select(Assignment.study_clip_id, Assignment.sitting_id, Rating.answer)
        .join(Rating, Rating.assignment_id == Assignment.id)
        .join(Sitting, Sitting.id == Assignment.sitting_id)
        .where(Sitting.study_id == study.id)
    ).all()
    cells = np.array([tuple(row) for row in rows], dtype=np.int64).reshape(-1, 3)
    return RatingTable(
        clips=tuple(name for _, name in clips),
        raters=tuple(pseudonym for _, pseudonym in raters),
        clip_index=_places(cells[:, 0], [clip_id for clip_id, _ in clips]),
        rater_index=_places(cells[:, 1], [sitting_id for sitting_id, _ in raters]),
        rating=cells[:, 2],
        categories=len(scale),
    )


@dataclass(frozen=True, slots=True)
class StudyTotals:
    """A study's line in the list."""

    n_clips: int = 0
    n_ready: int = 0
    n_failed: int = 0
    n_finished: int = 0
    n_ratings: int = 0


def read_totals(db: Session, studies: Sequence[Study]) -> dict[int, StudyTotals]:
    """Totals of these studies by id, in five queries however many there are."""
    ids = [study.id for study in studies]
    in_study = select(StudyClip.study_id, func.count()).where(StudyClip.study_id.in_(ids))
    filmed = in_study.join(StudyClip.clip).group_by(StudyClip.study_id)
    n_clips = _counted(db, filmed)
    n_ready = _counted(db, filmed.where(Clip.state == ClipState.ready))
    n_failed = _counted(db, filmed.where(Clip.state == ClipState.failed))
    n_finished = _counted(
        db,
        select(Sitting.study_id, func.count(Sitting.finished_at))
        .where(Sitting.study_id.in_(ids))
        .group_by(Sitting.study_id),
    )
    n_ratings = _counted(
        db,
        select(StudyClip.study_id, func.sum(ClipCount.n))
        .join(ClipCount, ClipCount.study_clip_id == StudyClip.id)
        .where(StudyClip.study_id.in_(ids))
        .group_by(StudyClip.study_id),
    )
    return {
        id_: StudyTotals(n_clips[id_], n_ready[id_], n_failed[id_], n_finished[id_], n_ratings[id_])
        for id_ in ids
    }


def count_ratings_by_sitting(db: Session, study: Study) -> dict[int, int]:
    """How many clips each sitting has rated, by its id; those without any are left out."""
    rated = (
        select(Assignment.sitting_id, func.count())
        .join(Rating, Rating.assignment_id == Assignment.id)
        .join(Sitting, Sitting.id == Assignment.sitting_id)
        .where(Sitting.study_id == study.id)
        .group_by(Assignment.sitting_id)
    )
    return _counted(db, rated)


def list_newest_sittings(db: Session, study: Study, most: int) -> list[Sitting]:
    """So many sittings of the study, the newest first."""
    newest = select(Sitting).where(Sitting.study_id == study.id).order_by(Sitting.id.desc())
    return list(db.scalars(newest.limit(most)))


def get_clip_of_study(db: Session, study: Study, study_clip_id: int) -> Clip:
    """The film of one of the study's clips."""
    place = select(Clip).join(StudyClip, StudyClip.clip_id == Clip.id)
    clip = db.scalar(place.where(StudyClip.id == study_clip_id, StudyClip.study_id == study.id))
    if clip is None:
        raise NotFound(f"The study {study.slug!r} has no clip {study_clip_id}.")
    return clip


def _scale(db: Session, version_id: int) -> tuple[str, ...]:
    return tuple(db.get_one(StudyVersion, version_id).document["scale"])


def _clips(db: Session, study_id: int, categories: int) -> tuple[ClipNow, ...]:
    counts: dict[int, list[int]] = defaultdict(lambda: [0] * categories)
    for study_clip_id, answer, n in db.execute(
        select(ClipCount.study_clip_id, ClipCount.answer, ClipCount.n)
        .join(StudyClip, StudyClip.id == ClipCount.study_clip_id)
        .where(StudyClip.study_id == study_id)
    ):
        counts[study_clip_id][answer - 1] = n
    rows = db.execute(
        select(StudyClip, Clip, func.coalesce(SceneRecord.name, Footage.name))
        .join(StudyClip.clip)
        .outerjoin(Clip.scene)
        .outerjoin(Clip.footage)
        .where(StudyClip.study_id == study_id)
        .order_by(StudyClip.position)
    )
    return tuple(
        ClipNow(
            id=place.id,
            position=place.position,
            name=place.name,
            condition=place.condition,
            url=clip.url,
            state=clip.state,
            frames_done=clip.frames_done,
            frames_total=clip.frames_total,
            reason=clip.reason,
            duration_s=clip.duration_s,
            counts=tuple(counts[place.id]),
            filming_s=clip.filming_s,
            ready_at=clip.ready_at,
            shows=_shows(source_name, clip.style),
        )
        for place, clip, source_name in rows
    )


def _shows(source_name: str, style: Mapping[str, Any]) -> str:
    """What the clip is of; without a start it begins with its scene's ego, or its film."""
    start_s, duration_s = style.get("start_s"), style.get("duration_s")
    if duration_s is None:
        return source_name
    if start_s is None:
        return f"{source_name}, first {duration_s:g} s"
    return f"{source_name}, {start_s:g} to {start_s + duration_s:g} s"


def _counted(db: Session, counted: Select[int, int]) -> dict[int, int]:
    return defaultdict(int, {key: int(n) for key, n in db.execute(counted)})


def _places(ids: NDArray[np.int64], order: Sequence[int]) -> NDArray[np.int64]:
    """Where each id stands in the order."""
    place = {id_: index for index, id_ in enumerate(order)}
    return np.array([place[id_] for id_ in ids.tolist()], dtype=np.int64)
