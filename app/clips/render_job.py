"""A clip is filmed. Safe to run twice: the file is named by its content."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import String, Update, cast, literal, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, joinedload

from app.clips.models import WAITING_STATES, Clip, ClipState, still_key, thumbnail_key
from app.clips.queries import get_clip
from app.clips.render_request import content_key_of, job_key, queue_orphan
from app.db import Database
from app.jobs import OVER, JobQueue, engine_jobs
from app.rendering.film import Video, film
from app.rendering.footage import refilm
from app.rendering.style import FilmStyle, View
from app.rendering.thumbnails import thumbnail
from app.scenes.formats.canonical import decode_scene
from app.storage import Storage

log = logging.getLogger(__name__)

PROGRESS_EVERY_S = 0.5


class NoLongerWanted(Exception):
    """The clip was cancelled, or another worker has filmed it meanwhile."""


def render_clip(database: Database, store: Storage, clip_id: int, attempt: int = 1) -> None:
    """Film the clip's scene or footage, unless it was cancelled or another attempt was queued.

    No transaction is open while the camera runs. A cancelled clip stops within half a second.
    """
    with database.write.begin() as db:
        if not _begin(db, clip_id, attempt):
            return
        clip = get_clip(db, clip_id, joinedload(Clip.scene), joinedload(Clip.footage))
    started_s = time.monotonic()
    try:
        video = _film(store, clip, ProgressNotes(database, clip_id, attempt).note)
    except NoLongerWanted:
        return
    store.put(clip.file_key, video.data)
    _put_thumbnail(store, clip, video)
    filming_s = time.monotonic() - started_s
    with database.write.begin() as db:
        mark_ready(db, clip_id, attempt, video, filming_s, datetime.now(UTC))


def _begin(db: Session, clip_id: int, attempt: int) -> bool:
    """Whether the clip still waits for this attempt; in one statement, against a cancellation."""
    waiting = update(Clip).where(
        Clip.id == clip_id, Clip.attempt == attempt, Clip.state.in_(WAITING_STATES)
    )
    begun = waiting.values(state=ClipState.rendering, frames_done=0).returning(Clip.id)
    return db.scalar(begun) is not None


def _being_filmed(clip_id: int, attempt: int) -> Update:
    return update(Clip).where(
        Clip.id == clip_id, Clip.attempt == attempt, Clip.state == ClipState.rendering
    )


def _film(store: Storage, clip: Clip, on_frame: Callable[[int, int], None]) -> Video:
    style = stored_style(clip)
    if clip.footage is not None:
        return refilm(store.path(clip.footage.file_key), style, on_frame=on_frame)
    if clip.scene is None:
        raise LookupError(f"clip {clip.id} is made of nothing")  # the table forbids it
    return film(decode_scene(store.get(clip.scene.file_key)), style, on_frame=on_frame)


def _put_thumbnail(store: Storage, clip: Clip, video: Video) -> None:
    small = thumbnail(video.data)
    store.put(thumbnail_key(clip.content_key), small.data)
    store.put(still_key(clip.content_key), small.still_png)


def stored_style(clip: Clip) -> FilmStyle:
    """The style as the renderer knows it; JSON turned its view into a plain string."""
    return FilmStyle(**clip.style | {"view": View(clip.style["view"])})


class ProgressNotes:
    """Writes how many frames are done, a few times a second at most."""

    def __init__(self, database: Database, clip_id: int, attempt: int = 1) -> None:
        self.database = database
        self.clip_id = clip_id
        self.attempt = attempt
        self.next_s = 0.0

    def note(self, done: int, total: int) -> None:
        """Called after every frame; raises NoLongerWanted if nobody waits for the film."""
        if time.monotonic() < self.next_s:
            return
        try:
            is_wanted = self._write(done, total)
        except SQLAlchemyError as error:
            # A database that restarts costs a note, not the film.
            log.warning("progress of clip %s could not be noted: %s", self.clip_id, error)
            is_wanted = True
        if not is_wanted:
            raise NoLongerWanted
        self.next_s = time.monotonic() + PROGRESS_EVERY_S

    def _write(self, done: int, total: int) -> bool:
        noted = _being_filmed(self.clip_id, self.attempt).returning(Clip.id)
        with self.database.write.begin() as db:
            return db.scalar(noted.values(frames_done=done, frames_total=total)) is not None


def mark_ready(
    db: Session, clip_id: int, attempt: int, video: Video, filming_s: float, now: datetime
) -> None:
    """The file is in the storage, whole; a clip that was cancelled meanwhile stays so."""
    db.execute(
        _being_filmed(clip_id, attempt).values(
            state=ClipState.ready,
            reason="",
            ready_at=now,
            frames_done=video.n_frames,
            frames_total=video.n_frames,
            width_px=video.width_px,
            height_px=video.height_px,
            fps=video.fps,
            duration_s=video.duration_s,
            size_bytes=len(video.data),
            filming_s=filming_s,
        )
    )


def mark_failed(db: Session, clip_id: int, attempt: int, reason: str) -> None:
    """Keep why the clip could not be filmed; what nobody waits for any more does not fail."""
    waiting = update(Clip).where(
        Clip.id == clip_id, Clip.attempt == attempt, Clip.state.in_(WAITING_STATES)
    )
    db.execute(waiting.values(state=ClipState.failed, reason=reason))


def fail_clips_set_aside(db: Session, keys: frozenset[str]) -> None:
    """Clips whose job took its worker down every time, so that the engine gave it up."""
    named = Clip.content_key.in_([content_key_of(key) for key in keys])
    for clip in db.scalars(select(Clip).where(Clip.state.in_(WAITING_STATES), named)):
        if job_key(clip) in keys:
            reason = "Filming this scene ended the worker's process every time."
            mark_failed(db, clip.id, clip.attempt, reason)


def queue_orphans(db: Session, jobs: JobQueue) -> None:
    """Clips that wait although their job is over: the database failed while it ended."""
    engine = engine_jobs(db)
    # The same words as in job_key, put together by the database.
    key = literal("film-") + Clip.content_key + literal("-") + cast(Clip.attempt, String)
    orphans = (
        select(Clip)
        .join(engine, engine.c.workflow_uuid == key)
        .where(Clip.state.in_(WAITING_STATES), engine.c.status.in_(OVER))
        .with_for_update(of=Clip)
    )
    for clip in db.scalars(orphans).all():
        log.warning("the job of clip %s ended without a film; it is queued again", clip.id)
        queue_orphan(db, jobs, clip)
