"""The whole way, without a mock: one command, films, ratings, a live kappa, a download."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import httpx
import pytest

N_CLIPS = 2
ROADRATER = [sys.executable, "-m", "app"]


class Demo:
    """`roadrater demo` as a process, and the links it prints."""

    def __init__(self, data: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [*ROADRATER, "demo", "--clips", str(N_CLIPS), "--port", str(self.port), "--data", data,
             "--no-browser"],
            stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        self.output = ""

    def links(self) -> list[str]:
        """Participant, researcher, live; as soon as they are printed."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if line.lstrip().startswith("Live"):
                return re.findall(rf"http://127\.0\.0\.1:{self.port}/\S+", self.output)
        raise AssertionError(f"the demo ended without links:\n{self.output}")

    def stop(self) -> int:
        """Ctrl-C, and how it ended."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(timeout=30)
        finally:
            self.end()

    def end(self) -> None:
        """Whatever happened, nothing is left running or open."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "data"


@pytest.fixture(scope="module")
def demo(data: Path) -> Iterator[tuple[Demo, list[str]]]:
    running = Demo(data)
    yield running, running.links()
    running.end()


def run(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command beside the running server, on the same data."""
    environment = os.environ | {"ROADRATER_DATA_DIR": str(data)}
    return subprocess.run(
        [*ROADRATER, *arguments], env=environment, capture_output=True, text=True, check=False
    )


def rate_everything(browser: httpx.Client, start: str, choose: Callable[[int], int]) -> str:
    """Walk from the start page to the end like a browser without scripts; returns the last page."""
    page = browser.get(start)
    key = re.search(r'name="key" value="([^"]+)"', page.text)
    page = browser.post(f"{start}/start", data={"key": key.group(1)} if key else {})
    page = browser.post(f"{page.url}/consent", data={"agree": "yes", "decision": "agree"})
    for number in range(1, N_CLIPS + 1):
        assert f"Video {number}" in page.text
        assignment = re.search(r'name="assignment_id" value="(\d+)"', page.text)
        assert assignment is not None
        answer = {"assignment_id": assignment.group(1), "answer": choose(number)}
        page = browser.post(f"{page.url}/ratings", data=answer)
    return page.text


def test_from_one_command_to_a_live_kappa_and_a_download(demo, data):
    _running, (participant, researcher, live) = demo
    with (
        httpx.Client(follow_redirects=True) as first,
        httpx.Client(follow_redirects=True) as second,
    ):
        rate_everything(first, participant, lambda number: number)
        last_page = rate_everything(second, participant, lambda number: number + 1)
    assert "saved" in last_page

    with httpx.Client(follow_redirects=True) as desk:
        desk.post(researcher)
        live_page = desk.get(live).text

    token = run(data, "token", "add", "journey", "--scope", "read").stdout.split()[-1]
    api = httpx.Client(
        base_url=participant.partition("/study")[0], headers={"authorization": f"Bearer {token}"}
    )
    with api:
        agreement = api.get("/api/v1/studies/demo/agreement").json()
        table = api.get("/api/v1/studies/demo/responses.csv").text
    assert (agreement["n_clips"], agreement["n_ratings"], agreement["n_raters"]) == (N_CLIPS, 4, 2)

    rows = list(csv.DictReader(io.StringIO(table)))
    assert sorted(int(row["rating"]) for row in rows) == [1, 2, 2, 3]
    assert {row["condition"] for row in rows} == {"attentive", "aggressive"}

    # The number on the screen is the number of the API and of the downloaded file.
    shown = re.search(r'id="kappa-standard">([^<]+)<', live_page)
    assert shown is not None
    kappa = agreement["standard"]["kappa"]
    assert shown.group(1) == f"{kappa:.3f}".replace("-", "−")
    ratings = data.parent / "ratings.csv"
    ratings.write_text(
        "clip,rater,rating\n"
        + "".join(f"{row['clip']},{row['participant']},{row['rating']}\n" for row in rows)
    )
    again = json.loads(run(data, "agree", str(ratings), "--json").stdout)
    assert again["standard"] == agreement["standard"]
    assert again["published"] == agreement["published"]


def test_the_clips_that_are_served_are_films_of_the_right_length(demo):
    _running, (participant, *_) = demo
    with httpx.Client(follow_redirects=True) as browser:
        page = browser.get(participant)
        key = re.search(r'name="key" value="([^"]+)"', page.text)
        page = browser.post(f"{participant}/start", data={"key": key.group(1)} if key else {})
        page = browser.post(f"{page.url}/consent", data={"agree": "yes", "decision": "agree"})
        source = re.search(r'src="(/clips/[0-9a-f]{64}\.mp4)"', page.text)
        assert source is not None
        video = browser.get(page.url.join(source.group(1)))
    with av.open(io.BytesIO(video.content)) as film:
        assert sum(1 for _ in film.decode(video=0)) == 8 + 15 + 300  # fade, lead-in, window


def test_ctrl_c_stops_everything_and_a_second_start_keeps_the_data(tmp_path):
    data = tmp_path / "data"  # its own: the others may come after it
    first = Demo(data)
    first.links()
    assert first.stop() in (0, 130, -signal.SIGINT)
    second = Demo(data)
    try:
        participant, *_ = second.links()
        assert "Filming" not in second.output  # nothing is filmed again
        assert httpx.get(participant).status_code == 200
    finally:
        second.stop()
    shown = json.loads(run(data, "study", "show", "demo", "--json").stdout)
    assert shown["state"] == "open"
