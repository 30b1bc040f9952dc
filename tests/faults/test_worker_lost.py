"""A worker that dies without a word costs a second run, never a clip."""

import random
import time

import pytest
from sqlalchemy import select

from app.clips.models import Clip, ClipState
from app.config import Settings
from app.db import Database
from tests.factories.waiting import wait_until
from tests.factories.workers import queue_clips, start_worker, wait_until_settled


@pytest.fixture
def impatient(settings: Settings) -> Settings:
    """A worker counts as lost after two seconds, so that the test need not wait ten."""
    return settings.model_copy(update={"worker_lost_s": 2.0})


def test_clips_of_killed_workers_are_filmed_by_others(impatient: Settings, database: Database):
    n_clips, kills, rng = 8, 3, random.Random(7)
    queue_clips(impatient, database, n_clips, width_px=960, seconds=6.0)
    workers = [start_worker(impatient)]
    seen = progress(database)
    try:
        for _ in range(kills):
            wait_until(lambda: progress(database) != seen)  # noqa: B023  it has started to film
            time.sleep(rng.uniform(0.0, 0.4))
            workers[-1].kill()  # SIGKILL: no chance to say anything
            workers[-1].wait()
            seen = progress(database)
            workers.append(start_worker(impatient))
        assert wait_until_settled(database, timeout_s=60) == [ClipState.ready] * n_clips
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def progress(database: Database) -> list[tuple[ClipState, int]]:
    """Changes whenever a worker takes a clip, films on or finishes one."""
    with database.read.begin() as db:
        return [(clip.state, clip.frames_done) for clip in db.scalars(select(Clip))]
