"""A study's films on the terminal: a bar that counts pictures, and how long the rest takes."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from app.cli.context import Parts
from app.clips.models import WAITING_STATES, ClipState
from app.dashboard.filming_progress import filming_progress
from app.dashboard.queries import read_study_now
from app.dashboard.study_now import StudyNow
from app.jobs import has_living_worker

POLL_S = 0.3


def watch_filming(parts: Parts, study_id: int, console: Console) -> StudyNow:
    """Wait with a bar until no clip of the study waits any more; what is ready, failed or not."""
    with Progress(
        TextColumn("{task.description:<20}"),
        BarColumn(),
        TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(),
        console=console,
    ) as bar:
        task = bar.add_task("Filming clips", total=None, words="")
        while True:
            now = read_now(parts, study_id)
            films = filming_progress(now)
            bar.update(
                task, completed=films.frames_done, total=films.frames_total, words=films.words
            )
            if not any(clip.state in WAITING_STATES for clip in now.clips):
                return now
            time.sleep(POLL_S)


def why_failed(now: StudyNow) -> str:
    """The first failed clip and its reason; empty if none has failed."""
    failed = (clip for clip in now.clips if clip.state == ClipState.failed)
    first = next(failed, None)
    return f"clip {first.name} could not be filmed: {first.reason}" if first else ""


def read_now(parts: Parts, study_id: int) -> StudyNow:
    """The study at this moment."""
    with parts.database.read.begin() as db:
        return read_study_now(db, study_id)


def is_somebody_filming(parts: Parts) -> bool:
    """Whether there is a worker that would take a clip."""
    with parts.database.read.begin() as db:
        return has_living_worker(db, parts.settings.worker_lost_s)
