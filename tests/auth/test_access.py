"""Who is asking is found out, or refused."""

import pytest

from app.auth.access import same_site_path
from app.auth.models import Role, Scope
from tests.factories.platform import make_study, make_user
from tests.factories.signed_in import sign_in_new_user, token_header


@pytest.mark.parametrize("wanted", ["/admin", "/admin/studies/a/live?x=1&y=2", "/api/docs"])
def test_a_path_of_ours_is_where_one_goes_after_signing_in(wanted):
    assert same_site_path(wanted) == wanted


@pytest.mark.parametrize(
    "wanted",
    ["", "admin", "//evil.example", "/\\evil.example", "https://evil.example", "/a\nb", "/a\\b"],
)
def test_a_path_that_could_lead_elsewhere_leads_home(wanted):
    assert same_site_path(wanted) == "/admin"


def test_a_page_leads_who_is_signed_out_to_the_door_and_back(client):
    answer = client.get("/admin/studies/x/live?a=1&b=2")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/admin/login?next=/admin/studies/x/live%3Fa%3D1%26b%3D2"


def test_a_button_pressed_when_signed_out_does_nothing_and_leads_to_the_door(client):
    answer = client.post("/admin/studies/x/open")
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/login")


def test_the_api_asks_for_a_token_in_json(client):
    answer = client.get("/api/v1/studies")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "Authorization: Bearer" in answer.json()["error"]["message"]


@pytest.mark.parametrize("header", ["Bearer rr_guessed", "Basic YTpi", "Bearer"])
def test_a_wrong_token_is_nobody(client, header):
    assert client.get("/api/v1/studies", headers={"Authorization": header}).status_code == 401


def test_a_token_reads(client, database):
    with database.write.begin() as db:
        user = make_user(db, role=Role.admin)
        make_study(db, owner=user)
    answer = client.get("/api/v1/studies", headers=token_header(database, user))
    assert [study["slug"] for study in answer.json()] == ["test-study"]


def test_a_signed_in_browser_reads_the_api_without_a_token(client, database):
    sign_in_new_user(client, database)
    assert client.get("/api/v1/studies").status_code == 200


def test_a_wrong_token_is_not_mended_by_a_good_cookie(client, database):
    sign_in_new_user(client, database)
    headers = {"Authorization": "Bearer rr_guessed"}
    assert client.get("/api/v1/studies", headers=headers).status_code == 401


@pytest.mark.parametrize(("scope", "status"), [(Scope.read, 403), (Scope.write, 200)])
def test_only_a_token_with_the_scope_write_changes(client, database, scope, status):
    change = "/api/v1/change"
    add_a_change(client.app, change)
    with database.write.begin() as db:
        user = make_user(db)
    assert client.post(change, headers=token_header(database, user, scope)).status_code == status


def test_a_signed_in_browser_cannot_change_through_the_api(client, database):
    change = "/api/v1/change"
    add_a_change(client.app, change)
    sign_in_new_user(client, database)
    assert client.post(change).status_code == 401


def add_a_change(app, path: str) -> None:
    """A route that changes; the product has none under /api/v1 yet."""
    from app.auth.access import ApiUser

    @app.post(path)
    def change(user: ApiUser) -> str:
        return user.email
