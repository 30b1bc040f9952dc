"""A clip is asked for, hurried or cancelled: its row and its job change in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clips.models import WAITING_STATES, Clip, ClipState, Footage, SceneRecord
from app.db import insert_unless_there
from app.errors import Conflict
from app.jobs import FILM_CLIP, JobQueue, Urgency
from app.rendering.film import film_key
from app.rendering.footage import refilm_key
from app.rendering.style import FilmStyle


class NotFailed(Conflict):
    """Only a failed clip can be tried again."""


def request_clip(
    db: Session,
    jobs: JobQueue,
    scene: SceneRecord,
    style: FilmStyle,
    now: datetime,
    urgency: Urgency = Urgency.study,
) -> Clip:
    """The clip of this scene in this style, queued if it is new or its filming was cancelled."""
    key = film_key(scene.content_hash, style)
    return _request(db, jobs, key, {"scene_id": scene.id}, style, now, urgency)


def request_footage_clip(
    db: Session,
    jobs: JobQueue,
    footage: Footage,
    style: FilmStyle,
    now: datetime,
    urgency: Urgency = Urgency.study,
) -> Clip:
    """The clip of this finished film in this style, queued like that of a scene."""
    key = refilm_key(footage.content_hash, style)
    return _request(db, jobs, key, {"footage_id": footage.id}, style, now, urgency)


def retry_clip(db: Session, jobs: JobQueue, clip: Clip) -> None:
    """Queue a failed clip again, ahead of others: who asks for one clip waits for it."""
    _lock(db, clip)
    if clip.state != ClipState.failed:
        raise NotFailed(f"This clip is {clip.state}; only a failed clip can be tried again.")
    _queue_anew(db, jobs, clip, Urgency.preview)


def cancel_clip(db: Session, jobs: JobQueue, clip: Clip) -> None:
    """Do not film the clip, or stop between two of its pictures; a finished clip stays."""
    _lock(db, clip)
    if clip.state not in WAITING_STATES:
        return
    clip.state, clip.frames_done = ClipState.cancelled, 0
    jobs.withdraw(db, job_key(clip))


def resume_clip(db: Session, jobs: JobQueue, clip: Clip) -> None:
    """Queue a cancelled clip anew; any other stays as it is."""
    _lock(db, clip)
    if clip.state == ClipState.cancelled:
        _queue_anew(db, jobs, clip, Urgency.study)


def film_first(db: Session, jobs: JobQueue, clip: Clip) -> None:
    """Put a clip that waits, or was cancelled, ahead of all that are queued for studies."""
    _lock(db, clip)
    if clip.state == ClipState.queued:
        jobs.withdraw(db, job_key(clip))
        _queue_anew(db, jobs, clip, Urgency.preview)
    elif clip.state == ClipState.cancelled:
        _queue_anew(db, jobs, clip, Urgency.preview)


def queue_orphan(db: Session, jobs: JobQueue, clip: Clip) -> None:
    """Queue a clip again whose job is over, although it was neither filmed nor failed."""
    _queue_anew(db, jobs, clip, Urgency.study)


def _request(
    db: Session,
    jobs: JobQueue,
    content_key: str,
    made_of: Mapping[str, int],
    style: FilmStyle,
    now: datetime,
    urgency: Urgency,
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
    # Shared: who finds out that nobody uses the clip any more, and cancels it, takes turns with us.
    there = select(Clip).where(Clip.content_key == content_key).with_for_update(read=True)
    clip = db.scalars(there.execution_options(populate_existing=True)).one()
    if is_new:
        _enqueue(db, jobs, clip, urgency)
    elif urgency == Urgency.preview:
        film_first(db, jobs, clip)
    elif clip.state == ClipState.cancelled:
        resume_clip(db, jobs, clip)
    return clip


def _lock(db: Session, clip: Clip) -> None:
    """The worker and others who change the clip wait; what is known of it is what is true now."""
    db.flush()  # what was changed and not yet written would be lost by reading it again
    db.refresh(clip, ["state", "attempt", "reason", "frames_done"], with_for_update=True)


def _queue_anew(db: Session, jobs: JobQueue, clip: Clip, urgency: Urgency) -> None:
    """A new attempt; the job of an earlier one finds that it is no longer meant."""
    clip.state, clip.reason, clip.frames_done = ClipState.queued, "", 0
    clip.attempt += 1
    _enqueue(db, jobs, clip, urgency)


def _enqueue(db: Session, jobs: JobQueue, clip: Clip, urgency: Urgency) -> None:
    jobs.enqueue(db, FILM_CLIP, job_key(clip), clip.id, urgency=urgency)


def job_key(clip: Clip) -> str:
    """The content names the job, so that it is queued once for each attempt."""
    return f"film-{clip.content_key}-{clip.attempt}"


def content_key_of(key: str) -> str:
    """The content that a job's key names, whatever the attempt."""
    return key.split("-")[1]


def attempt_of(key: str) -> int:
    """The attempt that a job's key names."""
    return int(key.split("-")[2])
