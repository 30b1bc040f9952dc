"""Jobs are queued with their rows, and lost workers are noticed by the database's clock."""

from app.jobs import FILM_CLIP, WorkerBeat, beat, forget_worker, list_silent_workers


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
