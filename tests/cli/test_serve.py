"""The server's own worker lives and dies with it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from app.cli.serve import require_free_port, tell_base_url
from app.errors import Conflict
from tests.factories.waiting import wait_until


@pytest.fixture
def served(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"ROADRATER_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "app", "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=environment)
    yield process, f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


def is_ready(url):
    try:
        return httpx.get(f"{url}/readyz").status_code == 200
    except httpx.HTTPError:
        return False


def children(pid: int) -> list[int]:
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] + [
        int(n)
        for task in Path(f"/proc/{pid}/task").iterdir()
        if task.name != str(pid)
        for n in (task / "children").read_text().split()
    ]


def is_alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_worker_that_dies_is_started_again_and_none_outlives_the_server(served):
    process, url = served
    wait_until(lambda: is_ready(url))
    wait_until(lambda: len(children(process.pid)) == 1)
    (first,) = children(process.pid)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: [pid for pid in children(process.pid) if pid != first])
    (second,) = [pid for pid in children(process.pid) if pid != first]
    process.kill()  # no chance to stop its worker
    wait_until(lambda: not is_alive(second))


def test_a_server_told_to_stop_stops_with_its_worker(served):
    process, url = served
    wait_until(lambda: is_ready(url))
    wait_until(lambda: children(process.pid))
    pids = children(process.pid)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=30)
    assert not any(is_alive(pid) for pid in pids)


def test_a_port_that_is_in_use_is_said_before_any_work():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(Conflict, match="in use"):
            require_free_port("127.0.0.1", other.getsockname()[1])


def test_links_name_the_port_that_is_served_unless_a_setting_says_otherwise(monkeypatch):
    # Set first: only what it has set does the fixture take away again.
    monkeypatch.setenv("ROADRATER_BASE_URL", "")
    monkeypatch.delenv("ROADRATER_BASE_URL")
    tell_base_url("0.0.0.0", 8001)  # noqa: S104  what a server in a container listens on
    assert os.environ["ROADRATER_BASE_URL"] == "http://127.0.0.1:8001"
    tell_base_url("127.0.0.1", 9)
    assert os.environ["ROADRATER_BASE_URL"] == "http://127.0.0.1:8001"
    monkeypatch.delenv("ROADRATER_BASE_URL")
