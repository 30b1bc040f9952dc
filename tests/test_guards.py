"""What every request and response passes."""

from typing import Annotated

import pytest
from fastapi import FastAPI, Form, HTTPException, Request
from fastapi.responses import StreamingResponse
from fastapi.testclient import TestClient

from app.guards import BodyLimit, CrossSiteCheck, FailureAnswer, SecurityHeaders


@pytest.fixture
def guarded():
    app = FastAPI()
    app.state.received = []

    @app.post("/form")
    @app.post("/api/form")
    async def take(request: Request) -> str:
        app.state.received.append(await request.body())
        return "taken"

    @app.post("/large")
    async def take_from_the_known(request: Request) -> str:
        if "authorization" not in request.headers:
            raise HTTPException(401)
        app.state.received.append(await request.body())
        return "taken"

    @app.get("/page")
    def show() -> str:
        return "shown"

    @app.post("/fields")
    def take_fields(word: Annotated[str, Form()]) -> str:
        return word

    @app.get("/broken")
    @app.get("/api/broken")
    def fail() -> None:
        raise ZeroDivisionError("nobody expected this")

    @app.get("/broken-later")
    def fail_later() -> StreamingResponse:
        def pieces():
            yield "the beginning"
            raise ZeroDivisionError("nobody expected this")

        return StreamingResponse(pieces())

    app.add_middleware(CrossSiteCheck)
    app.add_middleware(BodyLimit, max_bytes=100, larger={"/large": 1000})
    app.add_middleware(FailureAnswer)
    app.add_middleware(SecurityHeaders)
    return TestClient(app, raise_server_exceptions=False)


def assert_told(page, data, status: int) -> None:
    """The same sentence, as a page for people and as JSON for programs."""
    assert page.status_code == data.status_code == status
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert data.headers["content-type"] == "application/json"
    assert data.json()["error"]["status"] == status
    assert data.json()["error"]["message"] in page.text
    for answer in (page, data):
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_body_up_to_the_limit_is_taken(guarded):
    assert guarded.post("/form", content=b"x" * 100).status_code == 200


def test_an_announced_body_over_the_limit_is_not_read(guarded):
    answer = guarded.post("/form", content=b"x" * 101)
    assert answer.status_code == 413
    assert "100 bytes" in answer.text
    assert guarded.app.state.received == []


def test_a_body_that_only_turns_out_too_large_is_stopped(guarded):
    answer = guarded.post("/form", content=(b"x" * 30 for _ in range(10)))
    assert answer.status_code == 413
    assert guarded.app.state.received == []


def test_a_form_that_only_turns_out_too_large_is_told_so(guarded):
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = guarded.post("/fields", content=(b"word=xxxxx" for _ in range(20)), headers=headers)
    assert answer.status_code == 413


def test_a_door_for_large_bodies_has_a_limit_of_its_own(guarded):
    known = {"authorization": "somebody"}
    assert guarded.post("/large", content=b"x" * 1000, headers=known).status_code == 200
    told = guarded.post("/large", content=b"x" * 1001, headers=known)
    assert told.status_code == 413
    assert "1,000 bytes" in told.text
    pieces = (b"x" * 300 for _ in range(10))
    assert guarded.post("/large", content=pieces, headers=known).status_code == 413
    assert [len(body) for body in guarded.app.state.received] == [1000]


def test_who_is_refused_at_that_door_is_not_listened_to_any_longer(guarded):
    refused = guarded.post("/large", content=b"x" * 1000)
    assert (refused.status_code, refused.headers["connection"]) == (401, "close")
    taken = guarded.post("/large", content=b"x" * 1000, headers={"authorization": "somebody"})
    assert "connection" not in taken.headers


@pytest.mark.parametrize("content", [b"x" * 50, [b"x" * 50, b"x" * 50]])
def test_a_body_that_nobody_reads_ends_the_connection(guarded, content):
    answer = guarded.request("GET", "/page", content=content)
    assert (answer.status_code, answer.headers["connection"]) == (200, "close")
    foreign = {"origin": "https://evil.example"}
    refused = guarded.post("/form", content=content, headers=foreign)
    assert (refused.status_code, refused.headers["connection"]) == (403, "close")


def test_a_body_over_the_limit_ends_the_connection(guarded):
    for content in (b"x" * 101, [b"x" * 60, b"x" * 60]):
        assert guarded.post("/form", content=content).headers["connection"] == "close"


def test_who_sends_no_more_than_is_read_keeps_the_connection(guarded):
    answers = guarded.get("/page"), guarded.post("/form"), guarded.post("/form", content=b"x")
    assert [answer.status_code for answer in answers] == [200] * 3
    assert not any("connection" in answer.headers for answer in answers)


def test_a_refusal_is_a_page_for_people_and_json_for_programs(guarded):
    large = [guarded.post(path, content=b"x" * 101) for path in ("/form", "/api/form")]
    assert_told(*large, 413)
    foreign = {"origin": "https://evil.example"}
    assert_told(*(guarded.post(path, headers=foreign) for path in ("/form", "/api/form")), 403)


def test_a_failure_of_ours_is_told_kindly(guarded):
    page, data = guarded.get("/broken"), guarded.get("/api/broken")
    assert_told(page, data, 500)
    assert "your earlier answers are saved" in page.text
    assert "nobody expected this" not in page.text + data.text


def test_a_failure_of_ours_reaches_the_server_that_logs_it(guarded):
    watched = TestClient(guarded.app)
    for path in ("/broken", "/broken-later"):
        with pytest.raises(ZeroDivisionError):
            watched.get(path)


@pytest.mark.parametrize("length", ["-5", "many", "1e3"])
def test_a_length_that_is_no_number_is_refused(guarded, length):
    assert guarded.post("/form", headers={"content-length": length}).status_code == 413


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
    ],
)
def test_a_form_of_another_site_is_refused(guarded, headers):
    answer = guarded.post("/form", content=b"x", headers=headers)
    assert answer.status_code == 403
    assert guarded.app.state.received == []


@pytest.mark.parametrize(
    "headers", [{}, {"sec-fetch-site": "same-origin"}, {"origin": "http://testserver"}]
)
def test_our_own_forms_and_programs_pass(guarded, headers):
    assert guarded.post("/form", content=b"x", headers=headers).status_code == 200


def test_a_link_from_another_site_may_be_followed(guarded):
    assert guarded.get("/page", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_pages_carry_the_security_headers_and_are_not_kept(guarded):
    headers = guarded.get("/page").headers
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "content-security-policy" in guarded.post("/form", content=b"x" * 999).headers
