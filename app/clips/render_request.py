"""A clip is asked for: its row and its job are written in one transaction."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clips.models import Clip, ClipState, SceneRecord
from app.errors import Conflict
from app.jobs import FILM_CLIP, JobQueue
from app.rendering.film import film_key
from app.rendering.style import FilmStyle


class NotFailed(Conflict):
    """Only a failed clip can be tried again."""


def request_clip(
    db: Session, jobs: JobQueue, scene: SceneRecord, style: FilmStyle, now: datetime
) -> Clip:
    """The clip of this scene in this style, queued for filming if it is new."""
    content_key = film_key(scene.content_hash, style)
    known = db.scalar(select(Clip).where(Clip.content_key == content_key))
    if known is not None:
        return known
    clip = Clip(
        content_key=content_key,
        scene_id=scene.id,
        style=asdict(style),
        state=ClipState.queued,
        created_at=now,
        attempt=1,
    )
    db.add(clip)
    db.flush()  # the job carries the id
    _enqueue(db, jobs, clip)
    return clip


def retry_clip(db: Session, jobs: JobQueue, clip: Clip) -> None:
    """Queue a failed clip again, as a new attempt."""
    if clip.state != ClipState.failed:
        raise NotFailed(f"This clip is {clip.state}; only a failed clip can be tried again.")
    clip.state, clip.reason, clip.frames_done = ClipState.queued, "", 0
    clip.attempt += 1
    _enqueue(db, jobs, clip)


def _enqueue(db: Session, jobs: JobQueue, clip: Clip) -> None:
    jobs.enqueue(db, FILM_CLIP, job_key(clip), clip.id)


def job_key(clip: Clip) -> str:
    """The content names the job, so that it is queued once for each attempt."""
    return f"film-{clip.content_key}-{clip.attempt}"
