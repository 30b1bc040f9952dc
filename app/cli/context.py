"""The parts that commands work with, opened together and closed together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.auth.models import Role, User
from app.auth.queries import get_user, list_users
from app.config import Settings
from app.db import Database, migrate, open_database
from app.errors import Invalid
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


def whose(db: Session, email: str, option: str) -> User:
    """The user named by an option, by default the only admin."""
    if email:
        return get_user(db, email)
    admins = [user for user in list_users(db) if user.role == Role.admin]
    if not admins:
        raise Invalid("There is no admin yet; add one with: roadrater user add EMAIL --role admin")
    if len(admins) > 1:
        raise Invalid(f"There are {len(admins)} admins; say which of them with {option} EMAIL.")
    return admins[0]
