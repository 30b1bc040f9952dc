"""What programs can ask, over a real connection where events are involved."""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import httpx
import pytest

from app.auth.models import Role
from app.dashboard.answers import Agreement
from tests.factories.answers import answer_clips, rate_study, sit_down
from tests.factories.platform import make_study, make_user
from tests.factories.signed_in import sign_in_new_user, token_header

ROOT = Path(__file__).parents[2]
STUDY = "/api/v1/studies/test-study"


@pytest.fixture
def study(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=3)
        rate_study(db, study, [[1, 5, 3], [1, 4, 3], [2, 5, 3]])
    return study


def test_a_study_is_read_with_its_clips(client, database, study):
    sign_in_new_user(client, database)
    answer = client.get(STUDY).json()
    assert (answer["state"], answer["version"], answer["n_ratings"]) == ("open", 1, 9)
    assert len(answer["document_hash"]) == 64
    assert answer["clips"][0]["counts"] == [2, 1, 0, 0, 0]
    assert answer["sittings"] == {"started": 3, "in_progress": 0, "finished": 3, "declined": 0}
    assert client.get("/api/v1/studies").json()[0]["n_finished"] == 3


def test_agreement_has_the_agreed_form_with_full_precision(client, database, study):
    sign_in_new_user(client, database)
    answer = client.get(f"{STUDY}/agreement").json()
    assert list(answer) == list(Agreement.model_fields)
    assert (answer["status"], answer["n_clips"], answer["n_raters"]) == ("OK", 3, 3)
    # By hand: variances 1/3, 1/3, 0; all ratings have mean 3 and second moment 11.
    assert answer["standard"]["kappa"] == pytest.approx(1 - (2 / 9) / 2, abs=1e-12)
    assert answer["published"]["method"] == "published-eq1-7"
    assert answer["icc"]["icc2_1"] is not None


TABLE = "/api/v1/agreement"
CSV = {"Content-Type": "text/csv"}


def own_table(rows) -> str:
    lines = (f"{clip},{rater},{rating}" for clip, rater, rating in rows)
    return "\r\n".join(["clip,rater,rating", *lines])


def test_a_table_of_ones_own_has_the_same_agreement_as_a_study(client, database, study):
    sign_in_new_user(client, database)
    answers = {"ann": (1, 5, 3), "bob": (1, 4, 3), "cy": (2, 5, 3)}
    rows = [(clip, who, given[clip]) for who, given in answers.items() for clip in range(3)]
    answer = client.post(TABLE, content=own_table(rows), headers=CSV)
    assert answer.status_code == 200
    assert answer.json() == client.get(f"{STUDY}/agreement").json()


def test_a_read_token_is_enough_and_no_token_is_not(client, database):
    with database.write.begin() as db:
        user = make_user(db, role=Role.viewer)
    content = own_table([("a", "ann", 2), ("a", "bob", 3), ("b", "ann", 1), ("b", "bob", 1)])
    assert client.post(TABLE, content=content, headers=CSV).status_code == 401
    headers = CSV | token_header(database, user)
    answer = client.post(f"{TABLE}?categories=3", content="\ufeff" + content, headers=headers)
    assert (answer.status_code, answer.json()["categories"]) == (200, 3)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "line 1: the file is empty"),
        ("clip,rating\na,1", "line 1: columns missing: rater"),
        ("clip,rater,rating\n", "no ratings"),
        ("clip,rater,rating\na,ann,1\na,bob,6", "line 3: rating 6 is outside 1..5"),
        ("clip,rater,rating\na,ann,NaN", "line 2: rating NaN is not a whole number"),
        ("clip,rater,rating\na,ann,1\na,ann,2", "line 3: rater ann has rated clip a before"),
        (b"clip,rater,rating\n\xff,ann,1", "not text in UTF-8"),
        (own_table((n, n, 1) for n in range(1001)), "1,002,001 pairs"),
    ],
    ids=["empty", "column", "no rows", "outside", "nan", "twice", "bytes", "large"],
)
def test_a_table_that_cannot_be_read_is_told_where(client, database, content, sentence):
    sign_in_new_user(client, database)
    answer = client.post(TABLE, content=content, headers=CSV)
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]["message"]


@pytest.mark.parametrize("categories", ["1", "12", "many"])
def test_a_scale_that_no_study_has_is_refused(client, database, categories):
    sign_in_new_user(client, database)
    answer = client.post(f"{TABLE}?categories={categories}", content="x", headers=CSV)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("categories: ")


def test_a_study_without_ratings_has_a_status_instead_of_a_kappa(client, database):
    sign_in_new_user(client, database)
    with database.write.begin() as db:
        make_study(db)
    answer = client.get(f"{STUDY}/agreement").json()
    assert (answer["status"], answer["standard"]["kappa"]) == ("NO_RATINGS", None)


@pytest.mark.parametrize("path", ["", "/agreement", "/events", "/responses.csv"])
def test_a_program_cannot_see_a_study_that_its_user_cannot(client, database, study, path):
    with database.write.begin() as db:
        user = make_user(db, role=Role.researcher)
    answer = client.get(STUDY + path, headers=token_header(database, user))
    assert answer.status_code == 404
    assert answer.json()["error"]["message"] == "There is no study 'test-study'."


def test_the_schema_of_the_document_needs_no_token(client):
    answer = client.get("/api/v1/study.schema.json")
    assert answer.headers["content-type"] == "application/schema+json"
    assert answer.json()["title"] == "Roadrater study document"


def test_the_openapi_description_lists_the_analysis(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    assert "/api/v1/studies/{slug}/agreement" in paths
    assert not any(path.startswith(("/admin", "/s/")) for path in paths)


@contextmanager
def running(settings):
    """The product in a process and on a port of its own; ends with it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "ROADRATER_DATA_DIR": str(settings.data_dir),
        "ROADRATER_DATABASE_URL": settings.database_url,
    }
    words = ["-m", "uvicorn", "--factory", "app.main:create_app", f"--port={port}"]
    with subprocess.Popen(
        [sys.executable, *words, "--log-level=error", "--timeout-graceful-shutdown=10"],
        env=environment,
        cwd=ROOT,
    ) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            while not answers(url) and process.poll() is None:
                time.sleep(0.05)
            yield url, process
        finally:
            process.kill()


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").is_success
    except httpx.TransportError:
        return False


def next_event(lines) -> dict:
    event = {}
    for line in lines:
        if not line:
            if "data" in event:
                return event
            event = {}
        name, _, value = line.partition(": ")
        event[name] = event.get(name, "") + value
    raise AssertionError("the stream has ended")


def test_a_rating_reaches_who_listens_within_a_second_and_shutting_down_is_prompt(
    settings, database, study
):
    with database.write.begin() as db:
        user = make_user(db, role=Role.admin)
    headers = token_header(database, user)
    with (
        running(settings) as (url, process),
        httpx.stream("GET", f"{url}{STUDY}/events", headers=headers, timeout=10) as stream,
    ):
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        first = next_event(lines)
        assert (first["event"], first["id"], first["retry"]) == ("study", "1", "1000")
        before = json.loads(first["data"])["agreement"]["standard"]["kappa"]
        delays_s = []
        for n_ratings in (12, 15, 18):
            with database.write.begin() as db:
                answer_clips(db, sit_down(db, study), [5, 1, 1])
            committed_s = time.monotonic()
            after = json.loads(next_event(lines)["data"])
            delays_s.append(time.monotonic() - committed_s)
            assert after["n_ratings"] == n_ratings
        assert median(delays_s) < 1.0
        assert after["agreement"]["standard"]["kappa"] < before
        process.terminate()
        asked_s = time.monotonic()
        process.wait(timeout=10)
        assert time.monotonic() - asked_s < 5.0
