"""Two doors to one database, times with zones, migrations that match the tables."""

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import joinedload

import app.jobs
from app.auth.models import Role, User
from app.config import ROOT
from app.db import Base, insert_into, insert_unless_there, migrate, upsert
from app.jobs import WorkerBeat
from app.studies.models import StudyClip
from tests.factories.platform import NOW, make_clip, make_footage, make_study, make_user


def test_the_migrations_make_exactly_the_tables_of_the_models(database):
    with database.engines[0].connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "include_name": lambda name, kind, _: (
                    kind != "table" or name in Base.metadata.tables
                )
            },
        )  # the task engine's own tables are its own affair
        assert compare_metadata(context, Base.metadata) == []


def test_every_constraint_has_a_name(database):
    inspector = inspect(database.engines[0])
    for table in Base.metadata.tables:
        found = inspector.get_foreign_keys(table) + inspector.get_unique_constraints(table)
        assert all(constraint["name"] for constraint in found), table


def test_migrating_twice_changes_nothing(settings, database):
    with database.write.begin() as db:
        make_user(db, "kept@example.org")
    migrate(settings.database)
    with database.read.begin() as db:
        assert db.query(User).one().email == "kept@example.org"


def test_a_study_survives_the_way_down_and_up_again(settings, database):
    with database.write.begin() as db:
        make_study(db, n_clips=3)
    configuration = Config(toml_file=ROOT / "pyproject.toml")
    configuration.set_main_option("sqlalchemy.url", settings.database.replace("%", "%%"))
    command.downgrade(configuration, "0001")
    migrate(settings.database)
    with database.read.begin() as db:
        rows = db.scalars(select(StudyClip).options(joinedload(StudyClip.clip))).all()
        assert [row.clip.state for row in rows] == ["ready"] * 3


@pytest.mark.parametrize(
    "wrong",
    [
        "scene_id = NULL",
        "footage_id = 1",
        "frames_done = frames_total + 1",
        "frames_done = -1",
    ],
)
def test_the_rules_of_a_table_survive_its_migrations(database, wrong):
    with database.write.begin() as db:
        make_clip(db)
        make_footage(db)
    with pytest.raises(IntegrityError), database.write.begin() as db:
        db.execute(text(f"UPDATE clips SET {wrong}"))  # noqa: S608


def test_two_migrations_at_once_both_succeed(tmp_path):
    order = "import sys; from app.db import migrate; migrate(sys.argv[1])"
    address = f"sqlite:///{tmp_path / 'fresh.db'}"
    both = [subprocess.Popen([sys.executable, "-c", order, address]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]


def test_the_reading_door_cannot_change_anything(database):
    with pytest.raises(DBAPIError), database.read.begin() as db:
        make_user(db)
    with database.read.begin() as db:
        assert db.query(User).count() == 0


def test_an_error_inside_a_transaction_leaves_nothing(database):
    with pytest.raises(RuntimeError), database.write.begin() as db:
        make_user(db)
        raise RuntimeError
    with database.read.begin() as db:
        assert db.query(User).count() == 0


def test_a_foreign_key_to_nothing_is_refused(database):
    with pytest.raises(IntegrityError), database.write.begin() as db:
        statement = "INSERT INTO login_sessions VALUES ('x', 4711, '2026-01-01')"
        db.execute(text(statement))


def test_an_acknowledged_commit_is_on_disk(database):
    with database.write.begin() as db:
        if database.url.get_backend_name() == "sqlite":
            assert db.scalar(text("PRAGMA synchronous")) == 2  # FULL
            assert db.scalar(text("PRAGMA journal_mode")) == "wal"
        else:
            assert db.scalar(text("SHOW synchronous_commit")) == "on"


def test_a_time_comes_back_in_utc_as_the_same_moment(database):
    east = datetime(2026, 7, 1, 12, 30, tzinfo=timezone(timedelta(hours=5)))
    with database.write.begin() as db:
        db.add(User(email="a@b.c", role=Role.viewer, created_at=east))
    with database.read.begin() as db:
        stored = db.query(User).one().created_at
        assert stored == east
        assert stored.utcoffset() == timedelta(0)


def test_a_time_without_a_zone_is_refused(database):
    with pytest.raises(Exception, match="no time zone"), database.write.begin() as db:
        naive = datetime(2026, 1, 1)  # noqa: DTZ001  the point of the test
        db.add(User(email="a@b.c", role=Role.viewer, created_at=naive))


def test_many_writers_at_once_all_get_through(database):
    def add(number):
        with database.write.begin() as db:
            make_user(db, f"writer{number}@example.org")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read.begin() as db:
        assert db.query(User).count() == 20


def test_an_upsert_keeps_one_row_with_the_newest_values(database):
    with database.write.begin() as db:
        for seen in (1.0, 2.0):
            values = {"executor_id": "w", "seen_epoch_s": seen}
            db.execute(upsert(db, WorkerBeat, values, ["executor_id"]))
    with database.read.begin() as db:
        assert [beat.seen_epoch_s for beat in db.query(WorkerBeat)] == [2.0]


def test_a_conflicting_insert_can_be_passed_over(database):
    row = {"executor_id": "w", "seen_epoch_s": 1.0}
    with database.write.begin() as db:
        for _ in range(2):
            db.execute(insert_into(db, WorkerBeat).values(**row).on_conflict_do_nothing())
        assert db.query(WorkerBeat).count() == 1


def test_the_clock_of_the_database_is_about_ours(database):
    with database.write.begin() as db:
        app.jobs.beat(db, "w")
        seen = db.query(WorkerBeat).one().seen_epoch_s
    assert abs(seen - datetime.now(UTC).timestamp()) < 5
    assert NOW.tzinfo is UTC


def test_a_reader_sees_one_picture_while_others_write(database):
    with database.read.begin() as db:
        before = db.query(User).count()
        with database.write.begin() as other:
            make_user(other)
        assert db.query(User).count() == before


def test_of_two_inserts_with_one_key_the_first_is_kept(database):
    with database.write.begin() as db:
        for seen in (1.0, 2.0):
            row = {"executor_id": "w", "seen_epoch_s": seen}
            assert insert_unless_there(db, WorkerBeat, row, ["executor_id"]) == (seen == 1.0)
        assert db.query(WorkerBeat).one().seen_epoch_s == 1.0
