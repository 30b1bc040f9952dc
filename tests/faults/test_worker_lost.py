"""A worker that dies without a word costs a second run, never a clip."""

import random
import time

import pytest

from app.clips.models import ClipState
from app.config import Settings
from app.db import Database
from tests.factories.workers import clip_states, queue_clips, start_worker, wait_until_settled


@pytest.fixture
def impatient(settings: Settings) -> Settings:
    """A worker counts as lost after two seconds, so that the test need not wait ten."""
    return settings.model_copy(update={"worker_lost_s": 2.0})


def test_clips_of_killed_workers_are_filmed_by_others(impatient: Settings, database: Database):
    n_clips, kills, rng = 12, 4, random.Random(7)
    queue_clips(impatient, database, n_clips, seconds=2.0)
    workers = [start_worker(impatient)]
    try:
        for _ in range(kills):
            time.sleep(rng.uniform(1.0, 2.5))
            workers[-1].kill()  # SIGKILL: no chance to say anything
            workers.append(start_worker(impatient))
        assert wait_until_settled(database, timeout_s=45) == [ClipState.ready] * n_clips
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    assert len(clip_states(database)) == n_clips
