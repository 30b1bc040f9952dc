"""Jobs are queued with their rows, and lost workers are noticed by the database's clock."""

import pytest
from sqlalchemy import select, update

from app.errors import Conflict
from app.jobs import (
    FILM_CLIP,
    WorkerBeat,
    beat,
    engine_jobs,
    forget_worker,
    give_up_worker,
    has_living_worker,
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


def job_status(db) -> list[str]:
    return list(db.scalars(select(engine_jobs(db).c.status)))


def test_a_job_that_nobody_has_begun_is_withdrawn_with_the_callers_transaction(database, jobs):
    with database.write.begin() as db:
        jobs.enqueue(db, FILM_CLIP, "key", 1)
    with pytest.raises(RuntimeError), database.write.begin() as db:
        jobs.withdraw(db, "key")
        raise RuntimeError
    with database.write.begin() as db:
        assert job_status(db) == ["ENQUEUED"]
        jobs.withdraw(db, "key")
        assert job_status(db) == ["CANCELLED"]


def test_a_job_that_somebody_has_begun_is_not_withdrawn(database, jobs):
    with database.write.begin() as db:
        jobs.enqueue(db, FILM_CLIP, "key", 1)
        db.execute(update(engine_jobs(db)).values(status="PENDING"))
        jobs.withdraw(db, "key")
        assert job_status(db) == ["PENDING"]


def test_a_worker_that_leaves_a_job_behind_is_not_forgotten_but_lost_at_once(database, jobs):
    with database.write.begin() as db:
        beat(db, "w")
        jobs.enqueue(db, FILM_CLIP, "key", 1)
        db.execute(update(engine_jobs(db)).values(status="PENDING", executor_id="w"))
        assert not forget_worker(db, "w")
        assert has_living_worker(db, lost_after_s=5.0)
        give_up_worker(db, "w")
        assert list_silent_workers(db, lost_after_s=5.0) == ["w"]
        assert not has_living_worker(db, lost_after_s=5.0)
