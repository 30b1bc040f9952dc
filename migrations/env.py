"""Runs the migrations in one transaction, one migrator at a time."""

from alembic import context
from sqlalchemy import text

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
        # On SQLite this takes the write lock (BEGIN IMMEDIATE), on PostgreSQL the line below does.
        with database.engines[0].begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            context.configure(
                connection=connection,
                target_metadata=Base.metadata,
                transactional_ddl=True,
                render_as_batch=connection.dialect.name == "sqlite",
            )
            with context.begin_transaction():
                context.run_migrations()
    finally:
        database.close()


run()
