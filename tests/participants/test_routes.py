from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from sqlalchemy import func, select

from app.config import Settings
from app.participants.consent import agree
from app.participants.enrolment import create_links
from app.participants.models import Assignment, ClipCount, Rating, Sitting
from app.participants.queries import get_sitting
from app.participants.rating import record_rating
from app.studies.models import Study
from app.studies.queries import get_current_version
from tests.factories.platform import NOW, make_study


def count(database, table):
    with database.read.begin() as db:
        return db.scalar(select(func.count()).select_from(table))


def answers(database):
    with database.read.begin() as db:
        return list(db.scalars(select(Rating.answer).order_by(Rating.id)))


def set_state(database, study, state):
    with database.write.begin() as db:
        db.get(Study, study.id).state = state


@pytest.fixture
def link(database, study):
    """A personal link that nobody has used."""
    with database.write.begin() as db:
        (sitting,) = create_links(db, study, get_current_version(db, study), 1, NOW)
        return f"/s/{sitting.token}"


# The start page


def test_looking_at_the_start_page_stores_nothing(client, database, study):
    page = client.get("/study/test-study")
    assert page.status_code == 200
    assert "A test study" in page.text
    assert "set-cookie" not in page.headers
    assert count(database, Sitting) == 0


def test_start_leads_to_a_sitting_that_the_browser_remembers(newcomer, database):
    answer = newcomer.start()
    assert answer.status_code == 303
    assert newcomer.link.startswith("/s/")
    assert "Before you begin" in newcomer.look().text
    assert "Continue where you stopped" in newcomer.client.get("/study/test-study").text


def test_start_pressed_twice_is_one_sitting(client, database, study):
    page = client.get("/study/test-study").text
    key = page.split('name="key" value="')[1].split('"')[0]

    def press(_):
        client.cookies.clear()  # as in a double click: the cookie is not there yet
        return client.post("/study/test-study/start", data={"key": key})

    with ThreadPoolExecutor(4) as threads:
        places = {answer.headers["location"] for answer in threads.map(press, range(8))}
    assert len(places) == 1
    assert count(database, Sitting) == 1


def test_a_known_browser_that_presses_start_goes_on(person, database):
    assert person.client.post("/study/test-study/start").headers["location"] == person.link
    assert count(database, Sitting) == 1


def test_somebody_else_on_the_same_device_gets_a_sitting_of_their_own(person, database):
    answer = person.client.post("/study/test-study/start", data={"another": "true"})
    assert answer.headers["location"] != person.link
    assert count(database, Sitting) == 2


def test_a_program_may_start_without_a_key(client, database, study):
    assert client.post("/study/test-study/start").status_code == 303
    assert count(database, Sitting) == 1


def test_a_weak_key_is_refused(client, database, study):
    assert client.post("/study/test-study/start", data={"key": "1"}).status_code == 422
    assert count(database, Sitting) == 0


@pytest.mark.parametrize(("state", "status"), [("draft", 404), ("closed", 410)])
def test_a_study_that_is_not_open_says_so_kindly(client, database, study, state, status):
    set_state(database, study, state)
    page = client.get("/study/test-study")
    assert page.status_code == status
    assert "This study is" in page.text
    assert client.post("/study/test-study/start").status_code == 409
    assert count(database, Sitting) == 0


@pytest.mark.parametrize("slug", ["nowhere", "%00", "a%2Fb", "é"])
def test_an_unknown_study_is_a_404(client, study, slug):
    assert client.get(f"/study/{slug}").status_code == 404
    assert client.post(f"/study/{slug}/start").status_code == 404


# The personal link


def test_a_link_previewer_starts_nothing(client, database, link):
    assert "Start" in client.get(link).text
    with database.read.begin() as db:
        assert db.scalars(select(Sitting.started_at)).one() is None


def test_a_personal_link_starts_when_start_is_pressed(client, link):
    assert client.post(f"{link}/start").headers["location"] == link
    assert "Before you begin" in client.get(link).text


def test_a_personal_link_of_a_closed_study_cannot_be_started(client, database, study, link):
    set_state(database, study, "closed")
    assert client.get(link).status_code == 410
    assert client.post(f"{link}/start").status_code == 409
    with database.read.begin() as db:
        assert db.scalars(select(Sitting.started_at)).one() is None


@pytest.mark.parametrize("token", ["x" * 43, "1", "%00" * 30, "..%2F..%2Fetc", "é" * 24])
def test_a_guessed_token_is_a_404_wherever_it_is_tried(client, database, study, token):
    form = {"assignment_id": 1, "answer": 3, "decision": "agree", "agree": "true"}
    assert client.get(f"/s/{token}").status_code == 404
    for door in ("start", "consent", "ratings"):
        assert client.post(f"/s/{token}/{door}", data=form).status_code == 404
    assert count(database, Rating) == 0


def test_the_page_for_a_guessed_token_is_kind(client, study):
    page = client.get("/s/" + "x" * 43).text
    assert "Please check that it was copied completely" in page


@pytest.mark.parametrize("form", ["start", "consent", "ratings"])
def test_loading_the_address_of_a_form_leads_back_to_the_step(person, form):
    answer = person.client.get(f"{person.link}/{form}")
    assert (answer.status_code, answer.headers["location"]) == (303, person.link)


def test_loading_the_address_of_start_leads_back_to_the_start_page(client, study):
    assert client.get("/study/test-study/start").headers["location"] == "/study/test-study"


# Consent


def test_consent_without_the_box_comes_back_with_what_is_missing(newcomer, database):
    newcomer.start()
    page = newcomer.client.post(f"{newcomer.link}/consent", data={"decision": "agree"})
    assert page.status_code == 422
    assert "Please tick the box" in page.text
    assert count(database, Assignment) == 0


def test_consent_sent_while_the_first_is_being_saved_is_answered_alike(newcomer, database):
    newcomer.start()
    token = newcomer.link.removeprefix("/s/")
    with ThreadPoolExecutor(1) as thread:
        with database.write.begin() as db:
            agree(db, get_sitting(db, token, lock=True), True, NOW)
            db.flush()
            second = thread.submit(newcomer.agree)
            with pytest.raises(TimeoutError):  # it waits: the first is not committed yet
                second.result(timeout=0.5)
        assert second.result(timeout=20).status_code == 303
    assert count(database, Assignment) == 3


def test_who_declines_is_thanked_and_forgotten_by_the_browser(newcomer, database):
    newcomer.start()
    assert "Max-Age=0" in newcomer.decline().headers["set-cookie"]
    assert "You have chosen not to take part." in newcomer.look().text
    assert count(database, Assignment) == 0
    assert ">Start<" in newcomer.client.get("/study/test-study").text


def test_a_decision_that_is_none_is_refused(newcomer):
    newcomer.start()
    answer = newcomer.client.post(f"{newcomer.link}/consent", data={"decision": "maybe"})
    assert answer.status_code == 422


def test_nobody_consents_in_a_closed_study(newcomer, database, study):
    newcomer.start()
    set_state(database, study, "closed")
    assert newcomer.agree().status_code == 409
    assert count(database, Assignment) == 0


# Rating


def test_a_person_rates_all_clips_and_gets_a_code(person, database):
    for number in (1, 2, 3):
        page = person.look().text
        assert f"Video {number}" in page
        assert f"Section {number + 1} of 4" in page
        assert person.rate(number).status_code == 303
    page = person.look().text
    assert "All your answers have been saved." in page
    with database.read.begin() as db:
        sitting = db.scalars(select(Sitting)).one()
        assert sitting.completion_code in page
        assert sitting.finished_at is not None
    assert answers(database) == [1, 2, 3]


def test_the_rating_page_has_the_commissioning_studys_words_in_order(person):
    page = unescape(person.look().text)
    words = [
        "Section 2 of 4",
        "Video 1",
        "<video controls muted playsinline",
        "If the video is not shown, use the following link:",
        "The vehicle at the center is the ego vehicle; others are surrounding vehicles. "
        "Please watch the video and answer the question below.",
        "How realistic is the surrounding vehicle's trajectory in this video?",
        "(A trajectory is realistic if it could plausibly happen in the real world, "
        "even if it is uncommon.)",
        "Very unrealistic",
        "Slightly unrealistic",
        "Neutral",
        "Slightly realistic",
        "Very realistic",
        "Continue",
    ]
    page = page[page.index("<body>") :]
    places = [page.index(part) for part in words]
    assert places == sorted(places)


def test_the_next_clip_comes_by_the_link_on_any_device(person, settings):
    from fastapi.testclient import TestClient

    from app.main import create_app

    person.rate(5)
    with TestClient(create_app(settings)) as another_device:
        assert "Section 3 of 4" in another_device.get(person.link).text


def test_a_resent_form_with_another_answer_keeps_the_first(person, database):
    first = person.waiting_for()
    assert person.rate(5, first).headers["location"] == person.link
    again = person.rate(1, first)
    assert (again.status_code, again.headers["location"]) == (303, person.link)
    assert answers(database) == [5]
    assert "Section 3 of 4" in person.look().text


def test_a_post_sent_while_the_first_is_being_saved_is_answered_alike(person, database):
    first, token = int(person.waiting_for()), person.link.removeprefix("/s/")
    with ThreadPoolExecutor(1) as thread:
        with database.write.begin() as db:
            record_rating(db, get_sitting(db, token, lock=True), first, 5, NOW)
            second = thread.submit(person.rate, 1, first)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.5)
        reply = second.result(timeout=20)
    assert (reply.status_code, reply.headers["location"]) == (303, person.link)
    assert answers(database) == [5]


def test_many_posts_at_once_are_answered_alike_and_leave_one_rating(person, database):
    first = person.waiting_for()
    with ThreadPoolExecutor(5) as threads:
        sent = list(threads.map(lambda answer: person.rate(answer, first), [1, 2, 3, 4, 5] * 2))
    assert {(reply.status_code, reply.headers["location"]) for reply in sent} == {
        (303, person.link)
    }
    assert len(answers(database)) == 1
    with database.read.begin() as db:
        assert db.scalars(select(ClipCount.n)).all() == [1]


@pytest.mark.parametrize("answer", ["", "0", "6", "-1", "3.5", "five", "٣", "9" * 400])
def test_an_answer_outside_the_scale_comes_back_with_the_clip(person, database, answer):
    page = person.rate(answer)
    assert page.status_code == 422
    assert "Please choose one of the options below." in page.text
    assert "Section 2 of 4" in page.text
    assert answers(database) == []


def test_a_missing_answer_comes_back_with_the_clip(person, database):
    form = {"assignment_id": person.waiting_for()}
    page = person.client.post(f"{person.link}/ratings", data=form)
    assert page.status_code == 422
    assert 'name="assignment_id"' in page.text
    assert answers(database) == []


def test_a_later_clip_is_a_409_that_shows_the_clip_to_rate(person, database):
    later = int(person.waiting_for()) + 1
    page = person.rate(3, later)
    assert page.status_code == 409
    assert "That answer was for a later video" in page.text
    assert "Section 2 of 4" in page.text
    assert answers(database) == []


def test_a_clip_that_is_not_this_sittings_is_a_404(person, database):
    theirs = person.waiting_for()
    person.client.cookies.clear()
    person.start()
    person.agree()
    assert person.rate(3, theirs).status_code == 404
    assert person.rate(3, 2**31 - 1).status_code == 404
    assert person.rate(3, 2**31).status_code == 422
    assert answers(database) == []


def test_a_closed_study_is_a_409_and_the_link_says_that_it_is_closed(person, database, study):
    waiting = person.waiting_for()
    set_state(database, study, "closed")
    page = person.rate(3, waiting)
    assert page.status_code == 409
    assert "This study is closed" in page.text
    assert person.look().status_code == 410
    assert answers(database) == []


@pytest.mark.parametrize("value", ["", "nan", "inf", "-3", "much", "1e400"])
def test_a_measurement_that_cannot_be_true_never_costs_an_answer(person, database, value):
    assert person.rate(4, watched_s=value, on_page_s="12.5").status_code == 303
    with database.read.begin() as db:
        rating = db.scalars(select(Rating)).one()
        assert (rating.watched_s, rating.on_page_s) == (None, 12.5)


def test_a_rating_before_consent_is_not_possible(newcomer, database):
    newcomer.start()
    assert newcomer.rate(3, 1).status_code == 404
    assert answers(database) == []


def test_a_participants_page_is_never_kept_by_a_cache(person):
    assert person.look().headers["cache-control"] == "no-store"


def test_a_researchers_text_cannot_become_html(client, database):
    with database.write.begin() as db:
        make_study(db, slug="sharp", title="<script>alert(1)</script>")
    page = client.get("/study/sharp").text
    assert "<script>alert" not in page


def test_the_studys_texts_are_in_its_language_and_the_platforms_in_english(client, database):
    with database.write.begin() as db:
        make_study(db, slug="deutsch", language="de")
    page = client.get("/study/deutsch").text
    assert '<html lang="en">' in page
    assert '<h1 lang="de">' in page
    assert '<p class="prose" lang="de">' in page
    assert '<button class="button button--wide"' in page  # the platform's own words are English


def test_cookies_are_secure_where_the_setting_says_so(settings: Settings, study):
    from fastapi.testclient import TestClient

    from app.main import create_app

    with TestClient(
        create_app(settings.model_copy(update={"secure_cookies": True})), follow_redirects=False
    ) as client:
        assert "Secure" in client.post("/study/test-study/start").headers["set-cookie"]
