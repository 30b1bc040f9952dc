"""A clip is asked for: its row and its job are written in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clips.models import Clip, ClipState, Footage, SceneRecord
from app.db import insert_unless_there
from app.errors import Conflict
from app.jobs import FILM_CLIP, JobQueue
from app.rendering.film import film_key
from app.rendering.footage import refilm_key
from app.rendering.style import FilmStyle


class NotFailed(Conflict):
    """Only a failed clip can be tried again."""


def request_clip(
    db: Session, jobs: JobQueue, scene: SceneRecord, style: FilmStyle, now: datetime
) -> Clip:
    """The clip of this scene in this style, queued for filming if it is new."""
    key = film_key(scene.content_hash, style)
    return _request(db, jobs, key, {"scene_id": scene.id}, style, now)


def request_footage_clip(
    db: Session, jobs: JobQueue, footage: Footage, style: FilmStyle, now: datetime
) -> Clip:
    """The clip of this finished film in this style, queued for filming if it is new."""
    key = refilm_key(footage.content_hash, style)
    return _request(db, jobs, key, {"footage_id": footage.id}, style, now)


def retry_clip(db: Session, jobs: JobQueue, clip: Clip) -> None:
    """Queue a failed clip again, as a new attempt."""
    if clip.state != ClipState.failed:
        raise NotFailed(f"This clip is {clip.state}; only a failed clip can be tried again.")
    clip.state, clip.reason, clip.frames_done = ClipState.queued, "", 0
    clip.attempt += 1
    _enqueue(db, jobs, clip)


def _request(
    db: Session,
    jobs: JobQueue,
    content_key: str,
    made_of: Mapping[str, int],
    style: FilmStyle,
    now: datetime,
) -> Clip:
    values = {
        **made_of,
        "content_key": content_key,
        "style": asdict(style),
        "state": ClipState.queued,
        "frames_done": 0,
        "frames_total": 0,
        "attempt": 1,
        "reason": "",
        "created_at": now,
    }
    is_new = insert_unless_there(db, Clip, values, ["content_key"])
    clip = db.scalars(select(Clip).where(Clip.content_key == content_key)).one()
    if is_new:
        _enqueue(db, jobs, clip)
    return clip


def _enqueue(db: Session, jobs: JobQueue, clip: Clip) -> None:
    jobs.enqueue(db, FILM_CLIP, job_key(clip), clip.id)


def job_key(clip: Clip) -> str:
    """The content names the job, so that it is queued once for each attempt."""
    return f"film-{clip.content_key}-{clip.attempt}"


def content_key_of(key: str) -> str:
    """The content that a job's key names, whatever the attempt."""
    return key.split("-")[1]
