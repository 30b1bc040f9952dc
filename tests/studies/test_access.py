"""Each person reaches the studies they may see, and changes those that are theirs."""

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.auth.api_tokens import add_api_token
from app.auth.cookies import cookie_name
from app.auth.models import Role, Scope
from app.auth.signing_in import start_session
from app.studies.access import ApiReadableStudy, ApiWritableStudy, ReadableStudy, WritableStudy
from app.web import answer_errors, attach_database, get_now
from tests.factories.platform import NOW, make_study, make_user


@pytest.fixture
def doors(database, settings):
    """An application that only finds studies."""
    app = FastAPI()
    attach_database(app, database)
    app.state.settings = settings
    app.dependency_overrides[get_now] = lambda: NOW
    answer_errors(app)

    @app.get("/admin/studies/{slug}")
    def look(study: ReadableStudy) -> str:
        return study.title

    @app.post("/admin/studies/{slug}")
    def change(study: WritableStudy) -> str:
        study.title = "changed"
        return study.title

    @app.get("/api/v1/studies/{slug}")
    def look_by_program(study: ApiReadableStudy) -> str:
        return study.title

    @app.post("/api/v1/studies/{slug}")
    def change_by_program(study: ApiWritableStudy) -> str:
        study.title = "changed"
        return study.title

    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture
def sign_in(doors, database, settings):
    """Sign a new person of this role in; the study is theirs or not."""

    def act(role, *, owns):
        with database.write.begin() as db:
            user = make_user(db, role=role)
            make_study(db, owner=user if owns else make_user(db))
            token = start_session(db, user, NOW, hours=1)
            keys = {scope: add_api_token(db, f"for {scope}", user, scope, NOW) for scope in Scope}
        doors.cookies.set(cookie_name(settings), token)
        return keys

    return act


CASES = [
    (Role.admin, True, 200, 200),
    (Role.admin, False, 200, 200),
    (Role.researcher, True, 200, 200),
    (Role.researcher, False, 404, 404),
    (Role.viewer, True, 200, 403),
    (Role.viewer, False, 200, 403),
]


@pytest.mark.parametrize(("role", "owns", "look", "change"), CASES)
def test_pages_open_to_whom_they_may(doors, sign_in, role, owns, look, change):
    sign_in(role, owns=owns)
    assert doors.get("/admin/studies/test-study").status_code == look
    assert doors.post("/admin/studies/test-study").status_code == change


@pytest.mark.parametrize(("role", "owns", "look", "change"), CASES)
def test_programs_may_what_their_user_may(doors, sign_in, role, owns, look, change):
    keys = sign_in(role, owns=owns)
    doors.cookies.clear()
    for scope, key in keys.items():
        headers = {"authorization": f"Bearer {key}"}
        address = "/api/v1/studies/test-study"
        assert doors.get(address, headers=headers).status_code == look
        changed = doors.post(address, headers=headers).status_code
        assert changed == (change if scope == Scope.write else 403)


def test_a_foreign_study_looks_like_one_that_is_not_there(doors, sign_in):
    sign_in(Role.researcher, owns=False)
    foreign = doors.get("/admin/studies/test-study").text
    absent = doors.get("/admin/studies/other").text
    assert foreign.replace("test-study", "other") == absent


def test_strangers_are_led_to_the_sign_in_page_and_programs_told(doors):
    page = doors.get("/admin/studies/test-study")
    assert page.status_code == 303
    assert page.headers["location"].startswith("/admin/login")
    assert doors.get("/api/v1/studies/test-study").status_code == 401


def test_what_a_change_did_is_committed(doors, sign_in):
    sign_in(Role.researcher, owns=True)
    doors.post("/admin/studies/test-study")
    assert doors.get("/admin/studies/test-study").json() == "changed"


@pytest.mark.parametrize("slug", ["%00", "a%00b", "%F0%9F%9A%97", "x" * 5000, "-"])
def test_an_address_that_holds_rubbish_is_not_found(doors, sign_in, slug):
    sign_in(Role.admin, owns=False)
    assert doors.get(f"/admin/studies/{slug}").status_code == 404
