"""What every request and response passes."""

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from app.guards import BodyLimit, CrossSiteCheck, SecurityHeaders


@pytest.fixture
def guarded():
    app = FastAPI()
    app.state.received = []

    @app.post("/form")
    async def take(request: Request) -> str:
        app.state.received.append(await request.body())
        return "taken"

    @app.get("/page")
    def show() -> str:
        return "shown"

    app.add_middleware(CrossSiteCheck)
    app.add_middleware(BodyLimit, max_bytes=100)
    app.add_middleware(SecurityHeaders)
    return TestClient(app)


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
