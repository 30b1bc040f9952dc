"""The door of the researcher's pages."""

from datetime import UTC, datetime

from sqlalchemy import func, select

from app.auth.accounts import add_user
from app.auth.models import LoginSession, Role
from app.auth.signing_in import make_sign_in_link
from tests.factories.platform import make_user
from tests.factories.signed_in import sign_in_new_user

PASSWORD = "correct horse"


def add_ada(database) -> None:
    with database.write.begin() as db:
        add_user(db, "ada@example.org", Role.admin, PASSWORD, datetime.now(UTC))


def sign_in(client, password: str = PASSWORD, **more: str):
    form = {"email": "ada@example.org", "password": password} | more
    return client.post("/admin/login", data=form)


def count_sessions(database) -> int:
    with database.read.begin() as db:
        return db.scalar(select(func.count()).select_from(LoginSession))


def test_a_password_opens_the_desk_and_leads_where_one_wanted_to_go(client, database):
    add_ada(database)
    page = client.get("/admin/login?next=/admin/studies/x")
    assert 'value="/admin/studies/x"' in page.text
    answer = sign_in(client, next="/admin/studies/x")
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/studies/x")
    assert "ada@example.org" in client.get("/admin").text


def test_after_signing_in_nobody_is_sent_to_another_site(client, database):
    add_ada(database)
    assert sign_in(client, next="//evil.example").headers["location"] == "/admin"


def test_a_wrong_password_shows_the_form_again_and_opens_nothing(client, database):
    add_ada(database)
    answer = sign_in(client, password="wrong horse")
    assert answer.status_code == 403
    assert "The e-mail address or the password is not right." in answer.text
    assert 'value="ada@example.org"' in answer.text
    assert "wrong horse" not in answer.text
    assert "set-cookie" not in answer.headers
    assert count_sessions(database) == 0


def test_who_tries_too_often_waits(client, database):
    add_ada(database)
    statuses = [sign_in(client, password=f"guess number {n}").status_code for n in range(10)]
    assert set(statuses) == {403}
    answer = sign_in(client)
    assert answer.status_code == 429
    assert "Too many attempts" in answer.text
    assert 0 < int(answer.headers["retry-after"]) <= 300
    assert count_sessions(database) == 0


def test_an_endless_password_is_refused_unread(client, database):
    add_ada(database)
    assert sign_in(client, password="x" * 5000).status_code == 422


def test_who_is_signed_in_does_not_see_the_door(client, database):
    sign_in_new_user(client, database)
    assert client.get("/admin/login?next=/api/docs").headers["location"] == "/api/docs"


def test_after_signing_out_the_cookie_opens_nothing(client, database):
    sign_in_new_user(client, database)
    stolen = client.cookies["roadrater"]
    assert client.get("/admin").status_code == 200
    answer = client.post("/admin/sign-out")
    assert answer.headers["location"] == "/admin/login"
    assert "Max-Age=0" in answer.headers["set-cookie"]
    client.cookies.clear()
    client.cookies.set("roadrater", stolen)
    assert client.get("/admin").status_code == 303
    assert client.get("/api/v1/studies").status_code == 401


def test_looking_at_a_sign_in_link_uses_nothing_up_and_pressing_its_button_does(client, database):
    with database.write.begin() as db:
        token = make_sign_in_link(db, make_user(db), datetime.now(UTC), minutes=5)
    link = f"/admin/sign-in/{token}"
    for _ in range(3):
        page = client.get(link)
        assert page.status_code == 200
        assert "set-cookie" not in page.headers
    answer = client.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    assert client.get("/admin").status_code == 200
    client.cookies.clear()
    for again in (client.get(link), client.post(link)):
        assert again.status_code == 404
        assert "has been used or has expired" in again.text
    assert client.get("/admin").status_code == 303


def test_a_form_of_another_site_signs_nobody_in_or_out(client, database):
    sign_in_new_user(client, database)
    foreign = {"Origin": "https://evil.example"}
    assert client.post("/admin/sign-out", headers=foreign).status_code == 403
    assert client.get("/admin").status_code == 200
