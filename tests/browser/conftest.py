"""A real server with really filmed clips, and a real Chromium."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from sqlalchemy import select

from app.auth.accounts import add_user
from app.auth.models import Role
from app.clips.models import Clip
from app.clips.render_job import render_clip
from app.config import Settings
from app.db import Database, open_database
from app.jobs import JobQueue
from app.main import create_app
from app.storage import Storage
from app.studies.creation import create_study
from app.studies.lifecycle import open_study
from tests.factories.waiting import wait_until

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OWNER = "owner@example.org"
STUDY = """
slug: browser-study
title: How realistic does this traffic look?
order: fixed
video: {width_px: 320, height_px: 180, fps: 10, duration_s: 1.5}
clips:
  - {name: calm-1, condition: attentive, scene: {simulate: highway, model: attentive, seed: 1}}
  - {name: wild-1, condition: aggressive, scene: {simulate: highway, model: aggressive, seed: 1}}
  - {name: calm-2, condition: attentive, scene: {simulate: highway, model: attentive, seed: 2}}
"""


@dataclass(frozen=True)
class LiveServer:
    """Where it answers, and what lies behind it."""

    url: str
    settings: Settings
    database: Database


@pytest.fixture(scope="session")
def filmed(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an open study of three short clips."""
    folder = tmp_path_factory.mktemp("filmed")
    shutil.copy(sqlite_template, folder / "roadrater.db")
    settings, now = Settings(data_dir=folder), datetime.now(UTC)
    database, storage = open_database(settings.database), Storage(settings.files_dir)
    with database.write.begin() as db:
        owner = add_user(db, OWNER, Role.admin, None, now)
        study = create_study(
            db, storage, JobQueue(database), STUDY, folder=None, owner=owner, now=now
        )
        ids = db.scalars(select(Clip.id)).all()
    for clip_id in ids:
        render_clip(database, storage, clip_id)
    with database.write.begin() as db:
        open_study(db, db.merge(study), now)
    database.close()
    return folder


@pytest.fixture
def live_server(filmed: Path, tmp_path: Path) -> Iterator[LiveServer]:
    """The product on a port of its own, with a copy of the filmed study."""
    folder = tmp_path / "data"
    shutil.copytree(filmed, folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    settings = Settings(data_dir=folder, base_url=url)
    server = uvicorn.Server(
        uvicorn.Config(create_app(settings), port=port, log_level="warning", ws="none")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    database = open_database(settings.database)
    yield LiveServer(url, settings, database)
    database.close()
    server.should_exit = True
    thread.join(timeout=10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_context(
    browser: Browser, live_server: LiveServer
) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser profiles (phone, dark, no scripts …) whose pages start at the server."""
    contexts: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        context = browser.new_context(base_url=live_server.url, **options)  # type: ignore[arg-type]
        context.set_default_timeout(10_000)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A desktop-sized page."""
    return new_context(viewport={"width": 1280, "height": 800}).new_page()


@pytest.fixture
def assert_accessible() -> Callable[[Page], None]:
    """axe-core finds nothing to complain about on this page."""

    def check(page: Page) -> None:
        result = Axe().run(page)
        assert result.violations_count == 0, result.generate_report()

    return check
