"""The parts that commands work with, opened together and closed together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from app.config import Settings
from app.db import Database, migrate, open_database
from app.jobs import JobQueue, migrate_engine
from app.storage import Storage


@dataclass(frozen=True, slots=True)
class Parts:
    """What a command needs to act like the server does."""

    settings: Settings
    database: Database
    storage: Storage
    jobs: JobQueue


def prepare(settings: Settings) -> None:
    """Bring the database up to date: ours first, then the task engine's tables in it."""
    settings.files_dir.mkdir(parents=True, exist_ok=True)
    migrate(settings.database)
    migrate_engine(settings.database)


@contextmanager
def open_parts(settings: Settings) -> Iterator[Parts]:
    """A migrated database, the storage and the queue."""
    prepare(settings)
    database = open_database(settings.database)
    try:
        yield Parts(settings, database, Storage(settings.files_dir), JobQueue(database))
    finally:
        database.close()
