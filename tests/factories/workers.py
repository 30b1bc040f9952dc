"""Real worker processes, and clips for them to film."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select

from app.clips.importing import import_scene
from app.clips.models import WAITING_STATES, Clip, ClipState
from app.clips.render_request import request_clip
from app.config import Settings
from app.db import Database
from app.jobs import JobQueue, Urgency
from app.rendering.style import FilmStyle
from app.storage import Storage
from tests.factories.platform import NOW
from tests.factories.scenes import straight_road_scene


def queue_clips(
    settings: Settings,
    database: Database,
    n_clips: int,
    *,
    width_px: int = 160,
    seconds: float = 0.5,
    first: int = 0,
    urgency: Urgency = Urgency.study,
) -> list[Clip]:
    """Different clips of one scene, waiting for a worker; `first` numbers them."""
    with database.write.begin() as db:
        scene = straight_road_scene(duration_s=seconds)
        record = import_scene(db, Storage(settings.files_dir), scene, NOW)
        styles = [
            FilmStyle(
                width_px=width_px,
                height_px=width_px // 4 * 2,
                fps=30,
                duration_s=seconds,
                lead_in_s=0.0,
                other_colour=f"#{number:06x}",
            )
            for number in range(first, first + n_clips)
        ]
        jobs = JobQueue(database)
        return [request_clip(db, jobs, record, style, NOW, urgency) for style in styles]


def start_worker(settings: Settings) -> subprocess.Popen[bytes]:
    """`roadrater worker` with these settings, as a process of its own."""
    variables = {
        "ROADRATER_DATA_DIR": str(settings.data_dir),
        "ROADRATER_DATABASE_URL": settings.database_url,
        "ROADRATER_WORKER_LOST_S": str(settings.worker_lost_s),
        "ROADRATER_WORKER_STOP_S": str(settings.worker_stop_s),
        "ROADRATER_WORKER_CONCURRENCY": str(settings.worker_concurrency),
    }
    return subprocess.Popen([sys.executable, "-m", "app", "worker"], env=os.environ | variables)


@contextmanager
def running_worker(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """A worker that is killed at the end, if it still lives."""
    process = start_worker(settings)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def clip_states(database: Database) -> list[ClipState]:
    """The state of every clip."""
    with database.read.begin() as db:
        return list(db.scalars(select(Clip.state).order_by(Clip.id)))


def wait_until_settled(database: Database, timeout_s: float) -> list[ClipState]:
    """The states when no clip waits any more, or when the time is over."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        states = clip_states(database)
        if not any(state in WAITING_STATES for state in states):
            break
        time.sleep(0.1)
    return states
