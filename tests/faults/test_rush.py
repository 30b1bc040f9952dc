"""Far more people at once than there are threads or connections: everybody is answered."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from sqlalchemy import func, select

from app.config import Settings
from app.participants.models import Assignment, ClipCount, Rating
from tests.factories.answers import sit_down
from tests.factories.platform import make_study
from tests.factories.waiting import wait_until

PEOPLE = 150


@pytest.fixture
def server(settings: Settings) -> Iterator[str]:
    """`roadrater serve --no-worker` on this database, as a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    variables = {
        "ROADRATER_DATA_DIR": str(settings.data_dir),
        "ROADRATER_DATABASE_URL": settings.database_url,
    }
    command = [sys.executable, "-m", "app", "serve", "--no-worker", "--port", str(port)]
    process = subprocess.Popen(command, env=os.environ | variables)
    url = f"http://127.0.0.1:{port}"
    wait_until(lambda: answers(url))
    yield url
    process.kill()
    process.wait()


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").is_success
    except httpx.HTTPError:
        return False


def test_everybody_who_answers_at_the_same_moment_is_saved_and_goes_on(server, database):
    with database.write.begin() as db:
        study = make_study(db)
        sittings = [sit_down(db, study) for _ in range(PEOPLE)]
        first = select(Assignment.sitting_id, Assignment.id).where(Assignment.position == 1)
        assignment = dict(db.execute(first).all())

    def rate(sitting) -> int:
        form = {"assignment_id": assignment[sitting.id], "answer": 4}
        return httpx.post(f"{server}/s/{sitting.token}/ratings", data=form, timeout=60).status_code

    with ThreadPoolExecutor(PEOPLE) as pool:
        statuses = list(pool.map(rate, sittings))
    assert statuses == [303] * PEOPLE
    with database.read.begin() as db:
        assert db.scalar(select(func.count(Rating.id))) == PEOPLE
        assert db.scalar(select(func.sum(ClipCount.n))) == PEOPLE
