"""The researcher's pages and their buttons."""

import re

import pytest
from sqlalchemy import func, select

from app.agreement.explanations import EXPLANATIONS
from app.auth.models import Role
from app.clips.models import Clip, ClipState
from app.participants.models import Sitting
from app.studies.models import Study, StudyState
from app.studies.queries import get_current_version
from tests.factories.answers import rate_study
from tests.factories.platform import make_clip, make_study, make_user
from tests.factories.signed_in import sign_in_browser, sign_in_new_user

PAGES = ["/admin/studies/test-study", "/admin/studies/test-study/live"]


def add_study(database, owner=None, **more) -> Study:
    with database.write.begin() as db:
        return make_study(db, owner=owner and db.merge(owner), **more)


def state_of(database, study) -> StudyState:
    with database.read.begin() as db:
        return db.get_one(Study, study.id).state


def test_who_has_no_study_is_told_how_to_make_one(client, database):
    sign_in_new_user(client, database, Role.researcher)
    page = client.get("/admin").text
    assert "No study yet" in page
    assert "roadrater study create" in page


def test_the_list_shows_state_films_people_and_ratings(client, database):
    user = sign_in_new_user(client, database)
    with database.write.begin() as db:
        study = make_study(db, owner=db.merge(user), n_clips=2, title="Does it look <real>?")
        rate_study(db, study, [[1, 2], [3]])
    page = client.get("/admin").text
    assert "Does it look &lt;real&gt;?" in page
    figures = re.findall(r"<dd>([^<\n]*)", page)
    assert figures == ["2 of 2", "1", "3"]


def test_the_study_page_has_links_clips_downloads_version_and_hash(client, database):
    user = sign_in_new_user(client, database)
    add_study(database, owner=user)
    page = client.get(PAGES[0]).text
    for part in (
        "http://127.0.0.1:8000/study/test-study",
        "clip-3",
        "/api/v1/studies/test-study/responses.csv",
        "/api/v1/studies/test-study/agreement",
        "People can take part now.",
        'id="film-',
    ):
        assert part in page
    assert re.search(r'class="hash">[0-9a-f]{64}<', page)


def test_the_live_page_shows_both_kappas_without_scripts(client, database):
    user = sign_in_new_user(client, database)
    with database.write.begin() as db:
        rate_study(db, make_study(db, owner=db.merge(user), n_clips=2), [[1, 5], [1, 5]])
    page = client.get(PAGES[1]).text
    assert 'id="kappa-standard">1.000<' in page
    assert 'id="kappa-published">3.000<' in page
    assert "Too few clips for an interval" in page
    assert "counts every rater as a pair with themselves" in page


def test_a_live_page_without_ratings_says_so(client, database):
    add_study(database, owner=sign_in_new_user(client, database))
    assert "There are no ratings yet." in client.get(PAGES[1]).text


@pytest.mark.parametrize("path", [*PAGES, *(f"{page}/events" for page in PAGES)])
def test_a_researcher_cannot_see_another_s_study(client, database, path):
    add_study(database)
    sign_in_new_user(client, database, Role.researcher)
    assert client.get(path).status_code == 404


def test_a_viewer_looks_but_cannot_open_close_invite_or_retry(client, database):
    study = add_study(database, state=StudyState.draft)
    sign_in_new_user(client, database, Role.viewer)
    page = client.get(PAGES[0])
    assert page.status_code == 200
    assert "/open" not in page.text
    buttons = ("open", "close", "links", "clips/1/retry", "clips/1/first")
    for button in (*buttons, "filming/stop", "filming/rest"):
        assert client.post(f"{PAGES[0]}/{button}", data={"n": "3"}).status_code == 403
    assert state_of(database, study) == StudyState.draft
    with database.read.begin() as db:
        assert db.scalar(select(func.count()).select_from(Sitting)) == 0


def test_a_study_is_opened_closed_and_opened_again(client, database):
    user = sign_in_new_user(client, database, Role.researcher)
    study = add_study(database, owner=user, state=StudyState.draft)
    for button, state in (("open", "open"), ("close", "closed"), ("open", "open")):
        answer = client.post(f"{PAGES[0]}/{button}")
        assert (answer.status_code, answer.headers["location"]) == (303, PAGES[0])
        assert state_of(database, study) == state


def test_a_study_whose_films_are_not_ready_stays_a_draft(client, database):
    user = sign_in_new_user(client, database)
    with database.write.begin() as db:
        films = [make_clip(db, ClipState.queued)]
        owner = db.merge(user)
        study = make_study(db, owner=owner, n_clips=1, state=StudyState.draft, clips=films)
    answer = client.post(f"{PAGES[0]}/open")
    assert answer.status_code == 409
    assert "clip-1 (queued)" in answer.text
    assert state_of(database, study) == StudyState.draft


def test_personal_links_are_made_and_listed(client, database):
    add_study(database, owner=sign_in_new_user(client, database))
    answer = client.post(f"{PAGES[0]}/links", data={"n": "3"})
    assert answer.headers["location"] == f"{PAGES[0]}#people"
    page = client.get(PAGES[0]).text
    links = set(re.findall(r'href="http://127\.0\.0\.1:8000(/s/[^"]+)"', page))
    assert len(links) == 3
    assert page.count("Not started") == 3
    assert {client.get(link).status_code for link in links} == {200}


@pytest.mark.parametrize("n", ["0", "-1", "501", "many", ""])
def test_a_number_of_links_that_makes_no_sense_makes_none(client, database, n):
    add_study(database, owner=sign_in_new_user(client, database))
    assert client.post(f"{PAGES[0]}/links", data={"n": n}).status_code == 422
    with database.read.begin() as db:
        assert db.scalar(select(func.count()).select_from(Sitting)) == 0


def test_a_failed_film_shows_its_reason_and_is_queued_again_by_its_button(client, database):
    user = sign_in_new_user(client, database)
    with database.write.begin() as db:
        film = make_clip(db, ClipState.failed)
        film.reason = "The scene has no ego."
        make_study(db, owner=db.merge(user), n_clips=1, clips=[film])
    page = client.get(PAGES[0]).text
    assert "The scene has no ego." in page
    retry = re.search(r'action="([^"]+/retry)"', page).group(1)
    assert client.post(retry).status_code == 303
    with database.read.begin() as db:
        again = db.get_one(Clip, film.id)
        assert (again.state, again.attempt, again.reason) == (ClipState.queued, 2, "")
    assert client.post(retry).status_code == 409


def test_a_clip_of_another_study_cannot_be_retried_through_one_s_own(client, database):
    ada = sign_in_new_user(client, database, Role.researcher)
    add_study(database, owner=ada)
    with database.write.begin() as db:
        film = make_clip(db, ClipState.failed)
        make_study(db, slug="bobs", n_clips=1, clips=[film])
    assert client.post(f"{PAGES[0]}/clips/4/retry").status_code == 404
    with database.read.begin() as db:
        assert db.get_one(Clip, film.id).state == ClipState.failed


def test_the_document_is_downloaded_as_it_was_written(client, database):
    user = sign_in_new_user(client, database)
    with database.write.begin() as db:
        study = make_study(db, owner=db.merge(user))
        get_current_version(db, study).yaml = "slug: test-study  # my words\n"
    answer = client.get(f"{PAGES[0]}/document.yaml")
    assert answer.text == "slug: test-study  # my words\n"
    assert 'filename="test-study-v1.yaml"' in answer.headers["content-disposition"]


def test_the_page_of_the_api_is_open_and_loads_nothing_from_elsewhere(client):
    page = client.get("/api/docs")
    assert page.status_code == 200
    assert "/api/v1/studies/{slug}/agreement" in page.text
    assert not re.search(r'(src|href)="(https?:)?//', page.text)


def test_another_site_s_form_cannot_open_a_study(client, database):
    user = sign_in_new_user(client, database)
    study = add_study(database, owner=user, state=StudyState.draft)
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert client.post(f"{PAGES[0]}/open", headers=foreign).status_code == 403
    assert state_of(database, study) == StudyState.draft


def test_two_people_see_their_own_names(client, database):
    with database.write.begin() as db:
        people = [make_user(db, email=f"{name}@example.org") for name in ("ada", "bob")]
    for person in people:
        client.cookies.clear()
        sign_in_browser(client, database, person)
        assert person.email in client.get("/admin").text


def test_every_statistic_is_explained_to_everybody(client):
    index = client.get("/statistics").text
    for explanation in EXPLANATIONS:
        assert f'href="/statistics/{explanation.slug}"' in index
        page = client.get(f"/statistics/{explanation.slug}")
        assert page.status_code == 200
        assert "What it does not mean" in page.text


def test_a_statistic_that_is_not_there_is_a_404(client):
    assert client.get("/statistics/luck").status_code == 404


def test_a_researcher_stops_filming_a_draft_and_films_the_rest(client, database):
    user = sign_in_new_user(client, database)
    with database.write.begin() as db:
        clips = [make_clip(db, ClipState.ready), make_clip(db, ClipState.queued)]
        make_study(db, db.merge(user), n_clips=2, clips=clips, state=StudyState.draft)
    assert client.post(f"{PAGES[0]}/filming/stop").status_code == 303
    stopped = client.get(PAGES[0]).text
    assert "1 of 2 clips ready, 1 stopped" in stopped
    assert 'id="stop-filming"' not in stopped
    assert client.post(f"{PAGES[0]}/filming/rest").status_code == 303
    again = client.get(PAGES[0]).text
    assert "1 stopped" not in again
    assert 'id="stop-filming"' in again
    assert 'id="film-the-rest"' not in again


def test_a_waiting_clip_is_filmed_first_on_demand(client, database):
    user = sign_in_new_user(client, database)
    with database.write.begin() as db:
        clip = make_clip(db, ClipState.queued)
        make_study(db, db.merge(user), n_clips=1, clips=[clip], state=StudyState.draft)
    first = re.search(r'action="([^"]+/first)"', client.get(PAGES[0]).text).group(1)
    assert client.post(first).status_code == 303
    with database.read.begin() as db:
        assert db.get_one(Clip, clip.id).attempt == 2
