"""Jobs are queued with their rows, and lost workers are noticed by the database's clock."""

import pytest

from app.errors import Conflict
from app.jobs import (
    FILM_CLIP,
    WorkerBeat,
    beat,
    forget_worker,
    list_silent_workers,
    require_sqlite,
)


def test_a_worker_that_has_just_beaten_is_not_silent(database):
    with database.write.begin() as db:
        beat(db, "alive")
        assert list_silent_workers(db, lost_after_s=5.0) == []


def test_a_worker_that_was_not_heard_of_is_silent(database):
    with database.write.begin() as db:
        beat(db, "alive")
        db.add(WorkerBeat(executor_id="lost", seen_epoch_s=0.0))
        db.flush()
        assert list_silent_workers(db, lost_after_s=5.0) == ["lost"]


def test_a_forgotten_worker_is_gone(database):
    with database.write.begin() as db:
        beat(db, "w")
        forget_worker(db, "w")
        assert db.query(WorkerBeat).count() == 0


def test_nothing_is_set_aside_before_anything_failed(database, jobs):
    with database.write.begin() as db:
        jobs.enqueue(db, FILM_CLIP, "key", 1)
    assert jobs.keys_set_aside() == []


@pytest.mark.parametrize("versions", [((3, 11), (3, 40, 1)), ((3, 13), (3, 42, 0))])
def test_a_sqlite_that_the_engine_can_use_passes(versions):
    require_sqlite(*versions)


def test_a_sqlite_that_is_too_old_for_this_python_is_refused_with_a_way_out():
    with pytest.raises(Conflict, match=r"SQLite 3\.40\.1.*Use Python 3\.11"):
        require_sqlite((3, 13), (3, 40, 1))
