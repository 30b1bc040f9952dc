"""The render worker's process: takes jobs from the queue, shows that it lives, stops cleanly."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import threading
from collections.abc import Callable
from math import ceil

from dbos import DBOS, DBOSConfig
from sqlalchemy.exc import SQLAlchemyError

from app.clips.render_job import (
    fail_clips_set_aside,
    mark_failed,
    queue_orphans,
    render_clip,
)
from app.clips.render_request import attempt_of
from app.clips.warming import warm_up
from app.config import Settings
from app.db import Database, open_database
from app.errors import AppError
from app.jobs import (
    APPLICATION,
    FILM_CLIP,
    JOBS_VERSION,
    QUEUE,
    JobQueue,
    beat,
    forget_worker,
    give_up_worker,
    list_silent_workers,
)
from app.storage import Storage

log = logging.getLogger(__name__)

POLL_S = 0.25  # the engine's default of 1 s held two workers to 2 jobs/s
# A clip is tried six times, with 1, 2, 4, 8 and 16 s in between: a database or a file server
# has half a minute to come back before somebody has to press a button.
TRIES = 6
FIRST_WAIT_S = 1.0
BACK_OFF = 2.0
# A job that takes its worker down is given to another as often, then it is set aside.
MOST_RECOVERIES = 25


def run_worker(settings: Settings, stop: threading.Event) -> None:
    """Work until told to stop by SIGTERM, SIGINT or the event."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    warm_up()
    database = open_database(settings.database)
    # A new name for every start: a shared one makes the engine run jobs twice.
    executor_id = f"worker-{secrets.token_hex(8)}"
    try:
        # Known before the first job is taken: a job of a worker without a beat is never found.
        with database.write.begin() as db:
            beat(db, executor_id)
        launch_engine(settings, database, executor_id)
        keep_beating(database, executor_id, settings.worker_lost_s, stop)
        finish(settings, database, executor_id)
        is_done = leave(database, executor_id)
    finally:
        database.close()
    if not is_done:
        # Others have the clip now; the thread that still films it would keep the process alive.
        logging.shutdown()
        os._exit(0)


def finish(settings: Settings, database: Database, executor_id: str) -> None:
    """Take no more jobs, and give the clips in work some time; peers see that we still live."""
    done = threading.Event()
    beats = threading.Thread(
        target=_stay_known, args=(database, executor_id, settings.worker_lost_s / 5, done)
    )
    beats.start()
    DBOS.destroy(workflow_completion_timeout_sec=ceil(settings.worker_stop_s))
    done.set()
    beats.join()


def leave(database: Database, executor_id: str) -> bool:
    """Whether nothing was left undone; if something was, peers take it over at once."""
    with database.write.begin() as db:
        is_done = forget_worker(db, executor_id)
        if not is_done:
            give_up_worker(db, executor_id)
    return is_done


def _stay_known(
    database: Database, executor_id: str, every_s: float, done: threading.Event
) -> None:
    def say_alive() -> None:
        with database.write.begin() as db:
            beat(db, executor_id)

    while not done.wait(every_s):
        survive_database(say_alive)


def launch_engine(settings: Settings, database: Database, executor_id: str) -> None:
    """Register the jobs, connect to the queue and start taking from it."""
    config: DBOSConfig = {
        "name": APPLICATION,
        "system_database_url": settings.database,
        "application_version": JOBS_VERSION,
        "executor_id": executor_id,
        "log_level": "WARNING",
        "run_migrations": False,
    }
    DBOS(config=config)
    register_jobs(database, Storage(settings.files_dir))
    DBOS.listen_queues([QUEUE])
    DBOS.launch()
    DBOS.register_queue(
        QUEUE,
        worker_concurrency=settings.worker_concurrency,
        polling_interval_sec=POLL_S,
        on_conflict="always_update",
    )


def register_jobs(database: Database, store: Storage) -> None:
    """What the queue's names mean. A clip that cannot be filmed keeps the reason."""

    @DBOS.step(
        name="render",
        retries_allowed=True,
        max_attempts=TRIES,
        interval_seconds=FIRST_WAIT_S,
        backoff_rate=BACK_OFF,
        should_retry=may_pass_next_time,
    )
    def render(clip_id: int, attempt: int) -> None:
        render_clip(database, store, clip_id, attempt)

    @DBOS.workflow(name=FILM_CLIP, max_recovery_attempts=MOST_RECOVERIES)
    def film_clip(clip_id: int) -> None:
        attempt = attempt_of(DBOS.workflow_id or "")
        try:
            render(clip_id, attempt)
        except Exception as error:  # the one place: whatever went wrong is shown beside the clip
            log.exception("clip %s could not be filmed", clip_id)
            with database.write.begin() as db:
                mark_failed(db, clip_id, attempt, reason_of(error))


def may_pass_next_time(error: BaseException) -> bool:
    """A scene that cannot be filmed will not be filmed next time; a full disk may have room."""
    return not isinstance(error, ValueError | AppError)


def reason_of(error: Exception) -> str:
    """What a researcher reads beside the failed clip."""
    cause = error.__cause__ or error
    return (
        str(cause)
        if isinstance(cause, ValueError | AppError)
        else f"{type(cause).__name__}: {cause}"
    )


def keep_beating(
    database: Database, executor_id: str, lost_after_s: float, stop: threading.Event
) -> None:
    """Every few seconds: say that we live, and give lost workers' jobs back to the queue."""
    jobs = JobQueue(database)
    while True:
        survive_database(lambda: _beat_and_recover(database, jobs, executor_id, lost_after_s))
        if stop.wait(lost_after_s / 5):
            return


def survive_database(work: Callable[[], None]) -> None:
    """A database that restarts is no reason to die; the next beat tries again."""
    try:
        work()
    except SQLAlchemyError as error:
        log.warning("the database did not answer: %s", error)


def _beat_and_recover(
    database: Database, jobs: JobQueue, executor_id: str, lost_after_s: float
) -> None:
    with database.write.begin() as db:
        beat(db, executor_id)
        silent = list_silent_workers(db, lost_after_s)
    for lost in silent:
        # The engine's own start-up recovery, for an id that will never start again.
        DBOS._recover_pending_workflows([lost])
        with database.write.begin() as db:
            forget_worker(db, lost)  # or not, if something could not be put back: at the next beat
    given_up = frozenset(jobs.keys_set_aside())
    with database.write.begin() as db:
        fail_clips_set_aside(db, given_up)
        queue_orphans(db, jobs)
