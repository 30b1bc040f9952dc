"""The durable task engine: how a job is queued with its row, and how lost workers' jobs return.

Jobs live in the application's own database (DBOS), so a row and its job are written in
one transaction: both are there or neither.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from enum import IntEnum

from dbos import DBOS, DBOSClient, EnqueueOptions, WorkflowSerializationFormat
from sqlalchemy import (
    Double,
    String,
    TableClause,
    cast,
    column,
    delete,
    func,
    select,
    table,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column
from sqlalchemy.sql.elements import ColumnElement

from app.db import Base, Database, upsert
from app.errors import Conflict

APPLICATION = "roadrater"
# Fixed by us: by default it is a hash of the code, and a deploy would strand queued jobs.
JOBS_VERSION = "1"
QUEUE = "films"
FILM_CLIP = "film_clip"
# The engine will do nothing more for a job in one of these states.
OVER = ("SUCCESS", "ERROR", "CANCELLED")


class Urgency(IntEnum):
    """Which job is taken first: the lower number, then the one that waits longest."""

    preview = 1  # somebody sits and waits for this one
    study = 10


class WorkerBeat(Base):
    """A sign of life of one worker process, by the database's clock."""

    __tablename__ = "worker_beats"

    executor_id: Mapped[str] = mapped_column(primary_key=True)
    seen_epoch_s: Mapped[float]


class JobQueue:
    """Puts jobs into the queue, in the transaction of the rows they belong to."""

    def __init__(self, database: Database) -> None:
        self._client = DBOSClient(
            system_database_engine=database.engines[0], application_name=APPLICATION, lazy=True
        )

    def enqueue(
        self,
        db: Session,
        job: str,
        key: str,
        *arguments: int | str,
        urgency: Urgency = Urgency.study,
    ) -> None:
        """Queue a job; the same key twice is the same job."""
        options: EnqueueOptions = {
            "workflow_name": job,
            "queue_name": QUEUE,
            "workflow_id": key,
            "app_version": JOBS_VERSION,
            "priority": urgency,
            "serialization_type": WorkflowSerializationFormat.PORTABLE,
        }
        self._client.enqueue_in_transaction(db, options, *arguments)

    def withdraw(self, db: Session, key: str) -> None:
        """Take a job that nobody has begun out of the queue, in the caller's transaction.

        The engine's own cancelling takes a connection of its own, which the one writer of
        SQLite cannot give; these are the columns that it sets.
        """
        jobs = engine_jobs(db)
        unbegun = update(jobs).where(jobs.c.workflow_uuid == key, jobs.c.status == "ENQUEUED")
        db.execute(unbegun.values(status="CANCELLED", queue_name=None))

    def keys_set_aside(self) -> Sequence[str]:
        """Keys of jobs that the engine gave up, because they took their worker down every time."""
        given_up = self._client.list_workflows(
            status="MAX_RECOVERY_ATTEMPTS_EXCEEDED", load_input=False, load_output=False
        )
        return [workflow.workflow_id for workflow in given_up]


def engine_jobs(db: Session) -> TableClause:
    """The engine's table of jobs, as far as we look into it."""
    return table(
        "workflow_status",
        column("workflow_uuid", String),
        column("status", String),
        column("queue_name", String),
        column("executor_id", String),
        schema=None if db.get_bind().dialect.name == "sqlite" else "dbos",
    )


def migrate_engine(address: str) -> None:
    """Create or bring up to date the engine's own tables."""
    if address.startswith("sqlite"):
        require_sqlite(sys.version_info[:2], sqlite3.sqlite_version_info)
    DBOS.migrate(address)


def require_sqlite(python: tuple[int, int], sqlite: tuple[int, int, int]) -> None:
    """From Python 3.12 on, the engine uses a function that older SQLite libraries lack."""
    if python >= (3, 12) and sqlite < (3, 42):
        raise Conflict(
            f"Python {python[0]}.{python[1]} uses SQLite {'.'.join(map(str, sqlite))} here, "
            "and the embedded database needs 3.42. Use Python 3.11, a newer SQLite, or PostgreSQL "
            "(ROADRATER_DATABASE_URL)."
        )


def beat(db: Session, executor_id: str) -> None:
    """Say that this worker lives."""
    now = db.scalar(select(database_clock(db)))
    db.execute(
        upsert(db, WorkerBeat, {"executor_id": executor_id, "seen_epoch_s": now}, ["executor_id"])
    )


def list_silent_workers(db: Session, lost_after_s: float) -> Sequence[str]:
    """Executor ids of workers that were not heard of for so long."""
    silent = WorkerBeat.seen_epoch_s < database_clock(db) - lost_after_s
    return db.scalars(select(WorkerBeat.executor_id).where(silent)).all()


def forget_worker(db: Session, executor_id: str) -> bool:
    """Remove a worker that ended; False if it left jobs behind, which others must find by it."""
    jobs = engine_jobs(db)
    left = select(jobs.c.workflow_uuid).where(
        jobs.c.executor_id == executor_id, jobs.c.status == "PENDING"
    )
    if db.scalars(left.limit(1)).first() is not None:
        return False
    db.execute(delete(WorkerBeat).where(WorkerBeat.executor_id == executor_id))
    return True


def give_up_worker(db: Session, executor_id: str) -> None:
    """Count a worker as lost from this moment on, so that its jobs need not wait."""
    db.execute(
        update(WorkerBeat).where(WorkerBeat.executor_id == executor_id).values(seen_epoch_s=0.0)
    )


def has_living_worker(db: Session, lost_after_s: float) -> bool:
    """Whether anybody would take a job."""
    alive = WorkerBeat.seen_epoch_s >= database_clock(db) - lost_after_s
    return db.scalars(select(WorkerBeat.executor_id).where(alive).limit(1)).first() is not None


def database_clock(db: Session) -> ColumnElement[float]:
    """Seconds since 1970 by the database, the one clock that all machines share."""
    if db.get_bind().dialect.name == "sqlite":
        return (
            func.julianday("now", type_=Double) - 2440587.5
        ) * 86400.0  # Julian day of 1970-01-01
    return cast(func.extract("epoch", func.clock_timestamp()), Double)
