"""The server's own worker lives and dies with it."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest


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


def wait_for(condition, timeout_s=30.0):
    deadline = time.monotonic() + timeout_s
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert condition()


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
    wait_for(lambda: is_ready(url))
    wait_for(lambda: len(children(process.pid)) == 1)
    (first,) = children(process.pid)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: [pid for pid in children(process.pid) if pid != first])
    (second,) = [pid for pid in children(process.pid) if pid != first]
    process.kill()  # no chance to stop its worker
    wait_for(lambda: not is_alive(second))


def test_a_server_told_to_stop_stops_with_its_worker(served):
    process, url = served
    wait_for(lambda: is_ready(url))
    wait_for(lambda: children(process.pid))
    pids = children(process.pid)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=30)
    assert not any(is_alive(pid) for pid in pids)
