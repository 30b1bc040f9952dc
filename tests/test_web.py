"""One request, one transaction, committed before the answer; errors are sentences."""

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from sqlalchemy import text

from app.auth.models import User
from app.errors import Conflict, NotFound
from app.web import (
    Db,
    Now,
    ReadDb,
    answer_errors,
    attach_database,
    get_now,
    look_up,
    static_url,
    write_down,
)
from tests.factories.platform import NOW, make_user


@pytest.fixture
def small(database):
    """A few routes on a real database, with the real dependencies and error answers."""
    app = FastAPI()
    attach_database(app, database)
    answer_errors(app)

    @app.post("/users/{email}")
    def add(email: str, db: Db) -> str:
        make_user(db, email)
        return "saved"

    @app.post("/broken-commit")
    def break_commit(db: Db) -> str:
        make_user(db, "lost@example.org")
        for statement in deferred_violation(db.get_bind().dialect.name):
            db.execute(text(statement))
        return "saved"

    @app.post("/slow/{email}")
    async def add_after_waiting(request: Request, email: str) -> int:
        await write_down(request, lambda db: make_user(db, email))
        return await look_up(request, lambda db: db.query(User).count())

    @app.get("/users")
    def count(db: ReadDb) -> int:
        return db.query(User).count()

    @app.get("/wrong/{kind}")
    @app.get("/api/wrong/{kind}")
    def fail(kind: str) -> None:
        raise {"missing": NotFound("There is no x."), "late": Conflict("It is closed.")}[kind]

    @app.get("/number/{n}")
    @app.get("/api/number/{n}")
    def number(n: int) -> int:
        return n

    @app.get("/now")
    def tell(now: Now) -> str:
        return now.isoformat()

    return TestClient(app, raise_server_exceptions=False)


def deferred_violation(dialect: str) -> list[str]:
    """Statements that all succeed and only make the commit fail."""
    dangling = "INSERT INTO login_sessions VALUES ('x', 4711, '2026-01-01')"
    if dialect == "sqlite":
        return ["PRAGMA defer_foreign_keys = ON", dangling]
    key = "fk_login_sessions_user_id_users"
    return [
        f"ALTER TABLE login_sessions ALTER CONSTRAINT {key} DEFERRABLE INITIALLY DEFERRED",
        dangling,
    ]


def test_what_a_request_saved_is_there_for_the_next(small):
    assert small.post("/users/a@example.org").text == '"saved"'
    assert small.get("/users").json() == 1


def test_a_failing_commit_is_not_a_200(small):
    answer = small.post("/broken-commit")
    assert answer.status_code == 409
    assert "saved" not in answer.text
    assert small.get("/users").json() == 0


def test_a_lost_race_is_told_as_such(small):
    small.post("/users/a@example.org")
    answer = small.post("/users/a@example.org")
    assert answer.status_code == 409
    assert "Somebody was faster" in answer.text
    assert small.get("/users").json() == 1


@pytest.mark.parametrize(("kind", "status"), [("missing", 404), ("late", 409)])
def test_an_error_is_a_page_for_people_and_json_for_programs(small, kind, status):
    page, data = small.get(f"/wrong/{kind}"), small.get(f"/api/wrong/{kind}")
    assert page.status_code == data.status_code == status
    assert page.headers["content-type"].startswith("text/html")
    assert data.json()["error"]["message"] in page.text


def test_a_slow_route_commits_in_short_transactions(small):
    assert small.post("/slow/a@example.org").json() == 1
    assert small.post("/slow/a@example.org").status_code == 409
    assert small.get("/users").json() == 1


def test_a_wrong_value_is_named(small):
    answer = small.get("/api/number/seven")
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("n: ")


def test_a_page_that_does_not_exist_is_a_kind_404(small):
    answer = small.get("/nowhere")
    assert answer.status_code == 404
    assert "There is no page here." in answer.text


def test_a_researchers_error_leads_back_to_the_studies(small):
    for path in ("/admin/nowhere", "/statistics/nothing"):
        assert 'href="/admin">To the studies' in small.get(path).text
    for path in ("/nowhere", "/administrator", "/study/admin"):
        assert "/admin" not in small.get(path).text


def test_the_present_moment_can_be_put_in_place(small):
    small.app.dependency_overrides[get_now] = lambda: NOW
    assert small.get("/now").json() == NOW.isoformat()


def test_a_static_address_names_its_content():
    assert static_url("css/tokens.css").startswith("/static/css/tokens.css?v=")
