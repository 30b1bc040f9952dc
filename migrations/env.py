"""Runs the migrations in one transaction, one migrator at a time."""

from alembic import context
from sqlalchemy import Connection, text

import app.auth.models
import app.clips.models
import app.jobs
import app.participants.models
import app.studies.models  # noqa: F401
from app.db import Base, open_database

LOCK = 727_001  # any number, the same for all migrators


def run() -> None:
    """Upgrade or downgrade the database named in the configuration."""
    database = open_database(context.config.get_main_option("sqlalchemy.url", ""))
    try:
        with database.engines[0].connect() as connection:
            if connection.dialect.name == "sqlite":
                # SQLite changes a table by copying and dropping it, and its rows would pull those
                # that refer to them along. Only outside a transaction can that be turned off.
                connection.connection.execute("PRAGMA foreign_keys = OFF")
            # On SQLite this takes the write lock (BEGIN IMMEDIATE).
            with connection.begin():
                migrate_on(connection)
    finally:
        database.close()


def migrate_on(connection: Connection) -> None:
    """All steps on a connection whose transaction is open."""
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        transactional_ddl=True,
        render_as_batch=is_sqlite,
    )
    with context.begin_transaction():
        context.run_migrations()
    if is_sqlite and (broken := connection.execute(text("PRAGMA foreign_key_check")).all()):
        raise RuntimeError(f"rows that refer to nothing, the first in {broken[0][0]}")


run()
