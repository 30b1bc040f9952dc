"""A clip is filmed. Safe to run twice: the file is named by its content."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session, joinedload

from app.clips.models import Clip, ClipState
from app.clips.queries import get_clip
from app.clips.render_request import content_key_of, job_key
from app.db import Database
from app.rendering.film import Video, film
from app.rendering.footage import refilm
from app.rendering.style import FilmStyle, View
from app.scenes.formats.canonical import decode_scene
from app.storage import Storage

PROGRESS_EVERY_S = 0.5


def render_clip(database: Database, store: Storage, clip_id: int) -> None:
    """Film the clip's scene or footage; no transaction is open while the camera runs."""
    with database.write.begin() as db:
        clip = get_clip(db, clip_id, joinedload(Clip.scene), joinedload(Clip.footage))
        # The engine repeats a job whose worker died after the film was there.
        if clip.state == ClipState.ready and store.exists(clip.file_key):
            return
        clip.state = ClipState.rendering
    video = _film(store, clip, ProgressNotes(database, clip_id).note)
    store.put(clip.file_key, video.data)
    with database.write.begin() as db:
        mark_ready(get_clip(db, clip_id), video, datetime.now(UTC))


def _film(store: Storage, clip: Clip, on_frame: Callable[[int, int], None]) -> Video:
    style = stored_style(clip)
    if clip.footage is not None:
        return refilm(store.path(clip.footage.file_key), style, on_frame=on_frame)
    if clip.scene is None:
        raise LookupError(f"clip {clip.id} is made of nothing")  # the table forbids it
    return film(decode_scene(store.get(clip.scene.file_key)), style, on_frame=on_frame)


def stored_style(clip: Clip) -> FilmStyle:
    """The style as the renderer knows it; JSON turned its view into a plain string."""
    return FilmStyle(**clip.style | {"view": View(clip.style["view"])})


class ProgressNotes:
    """Writes how many frames are done, a few times a second at most."""

    def __init__(self, database: Database, clip_id: int) -> None:
        self.database = database
        self.clip_id = clip_id
        self.next_s = 0.0

    def note(self, done: int, total: int) -> None:
        """Called after every frame."""
        if time.monotonic() < self.next_s:
            return
        still_filming = update(Clip).where(
            Clip.id == self.clip_id, Clip.state == ClipState.rendering
        )
        with self.database.write.begin() as db:
            db.execute(still_filming.values(frames_done=done, frames_total=total))
        self.next_s = time.monotonic() + PROGRESS_EVERY_S


def mark_ready(clip: Clip, video: Video, now: datetime) -> None:
    """The file is in the storage, whole."""
    clip.state, clip.reason, clip.ready_at = ClipState.ready, "", now
    clip.frames_done = clip.frames_total = video.n_frames
    clip.duration_s, clip.size_bytes = video.duration_s, len(video.data)


def mark_failed(db: Session, clip_id: int, reason: str) -> None:
    """Keep why the clip could not be filmed; a clip that got ready meanwhile stays so."""
    clip = get_clip(db, clip_id)
    if clip.state != ClipState.ready:
        clip.state, clip.reason = ClipState.failed, reason


def fail_clips_set_aside(db: Session, keys: frozenset[str]) -> None:
    """Clips whose job took its worker down every time, so that the engine gave it up."""
    waiting = Clip.state.in_([ClipState.queued, ClipState.rendering])
    named = Clip.content_key.in_([content_key_of(key) for key in keys])
    for clip in db.scalars(select(Clip).where(waiting, named)):
        if job_key(clip) in keys:
            mark_failed(db, clip.id, "Filming this scene ended the worker's process every time.")
