"""A person takes part in a real browser: with mouse, keyboard or thumb, and with mishaps."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from app.clips.models import Clip
from app.participants.enrolment import create_links
from app.participants.models import Rating, Sitting
from app.studies.lifecycle import close_study
from app.studies.models import StudyState
from app.studies.queries import get_current_version, get_study
from tests.factories.platform import NOW

START = "/study/browser-study"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
MAX_WEIGHT_BYTES = 60_000
MIN_TARGET_PX = 44


def begin(page):
    """Press Start and agree."""
    page.goto(START)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Agree and continue").click()
    expect_video(page, 1)


def expect_video(page, number):
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Video {number}")


def expect_keys(page, number):
    """The clip's page, with its script running: the hint about keys is shown by it."""
    expect_video(page, number)
    expect(page.locator(".rate__keys")).to_be_visible()


def expect_end(page):
    expect(page.get_by_role("heading", level=1)).to_have_text("You have finished")


def choose(page, label):
    page.locator("label.choice", has_text=re.compile(rf"^\s*{label}")).click()


def press_continue(page):
    page.get_by_role("button", name="Continue").click()


def is_playing(page):
    return page.locator("video").evaluate("video => !video.paused && !video.ended")


def wait_until(condition):
    """Polled from here: the page's own security policy forbids evaluating inside it."""
    deadline = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < deadline, "it did not happen within 15 s"
        time.sleep(0.05)


def watch(page):
    """Wait until the clip has played to its end."""
    wait_until(lambda: page.locator("video").evaluate("video => video.ended"))


def answers(live_server):
    with live_server.database.read.begin() as db:
        return list(db.scalars(select(Rating.answer).order_by(Rating.id)))


def sittings(live_server):
    with live_server.database.read.begin() as db:
        return list(db.scalars(select(Sitting)))


# The whole way


def test_with_the_mouse_a_person_watches_and_rates_every_clip(page, live_server):
    begin(page)
    for number, label in enumerate(("Very realistic", "Neutral", "Slightly unrealistic"), start=1):
        expect_video(page, number)
        assert page.title().startswith(f"Video {number} of 3")
        watch(page)
        choose(page, label)
        press_continue(page)
    expect_end(page)
    (sitting,) = sittings(live_server)
    assert page.get_by_label("Your completion code").input_value() == sitting.completion_code
    assert sitting.finished_at is not None
    assert answers(live_server) == [5, 3, 2]
    with live_server.database.read.begin() as db:
        (film_s,) = set(db.scalars(select(Clip.duration_s)))
        for rating in db.scalars(select(Rating)):
            assert rating.watched_s == pytest.approx(film_s, abs=0.1)
            assert rating.on_page_s > rating.watched_s


def test_with_the_keyboard_alone_a_person_rates_every_clip(page, live_server):
    page.goto(START)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Start")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/s/*")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox")).to_be_checked()
    page.keyboard.press("Enter")
    for number in (1, 2, 3):
        expect_keys(page, number)
        page.keyboard.press(str(6 - number))
        expect(page.locator(f"#answer-{6 - number}")).to_be_checked()
        page.keyboard.press("Enter")
    expect_end(page)
    assert answers(live_server) == [5, 4, 3]


def test_on_a_phone_a_thumb_rates_every_clip_with_the_clip_in_view(new_context, live_server):
    page = new_context(**PHONE).new_page()
    page.goto(START)
    page.get_by_role("button", name="Start").tap()
    page.locator("label.choice").tap()
    page.get_by_role("button", name="Agree and continue").tap()
    for number in (1, 2, 3):
        expect_video(page, number)
        for target in page.locator("label.choice, .button").all():
            assert target.bounding_box()["height"] >= MIN_TARGET_PX
        page.locator("label.choice").nth(number).tap()
        button = page.get_by_role("button", name="Continue")
        button.scroll_into_view_if_needed()
        expect(page.locator("video")).to_be_in_viewport(ratio=0.95)
        button.tap()
    expect_end(page)
    assert answers(live_server) == [2, 3, 4]


def test_without_scripts_a_person_rates_every_clip(new_context, live_server):
    page = new_context(java_script_enabled=False, **DESKTOP).new_page()
    begin(page)
    assert page.locator("video[controls]").count() == 1
    for number in (1, 2, 3):
        expect_video(page, number)
        choose(page, "Slightly realistic")
        press_continue(page)
    expect_end(page)
    assert answers(live_server) == [4, 4, 4]
    with live_server.database.read.begin() as db:
        assert set(db.scalars(select(Rating.watched_s))) == {None}


# Mishaps


def test_a_reload_in_the_middle_shows_the_same_clip(page, live_server):
    begin(page)
    choose(page, "Neutral")
    press_continue(page)
    expect_video(page, 2)
    choose(page, "Very realistic")
    page.reload()
    expect_video(page, 2)
    assert page.locator("input[name=answer]:checked").count() == 0
    assert answers(live_server) == [3]


def test_going_back_shows_the_clip_that_is_waited_for(page, live_server):
    begin(page)
    choose(page, "Neutral")
    press_continue(page)
    expect_video(page, 2)
    page.go_back()
    expect_video(page, 2)
    choose(page, "Very realistic")
    press_continue(page)
    expect_video(page, 3)
    assert answers(live_server) == [3, 5]


def test_an_answer_from_a_tab_that_was_left_open_changes_nothing(page, live_server):
    begin(page)
    second_tab = page.context.new_page()
    second_tab.goto(page.url)
    choose(page, "Very realistic")
    press_continue(page)
    expect_video(page, 2)
    choose(second_tab, "Very unrealistic")
    press_continue(second_tab)
    expect_video(second_tab, 2)
    assert answers(live_server) == [5]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_double_clicks_start_one_sitting_and_save_one_rating(new_context, live_server, scripts):
    page = new_context(java_script_enabled=scripts, **DESKTOP).new_page()
    page.goto(START)
    page.get_by_role("button", name="Start").dblclick()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Agree and continue").dblclick()
    expect_video(page, 1)
    choose(page, "Neutral")
    page.get_by_role("button", name="Continue").dblclick()
    expect_video(page, 2)
    assert len(sittings(live_server)) == 1
    assert answers(live_server) == [3]


def test_continue_without_a_choice_stays_on_the_page(page, live_server):
    begin(page)
    press_continue(page)
    expect_video(page, 1)
    assert page.locator("input:invalid").count() > 0
    assert answers(live_server) == []


def test_who_comes_back_to_the_public_link_goes_on_where_they_stopped(page, live_server):
    begin(page)
    choose(page, "Neutral")
    press_continue(page)
    expect_video(page, 2)
    page.goto(START)
    page.get_by_role("link", name="Continue where you stopped").click()
    expect_video(page, 2)
    assert len(sittings(live_server)) == 1


def test_who_does_not_agree_is_thanked(page, live_server):
    page.goto(START)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="I do not agree").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("That is perfectly fine")
    assert sittings(live_server)[0].declined_at is not None


# The player


def test_space_plays_and_pauses(page):
    begin(page)
    expect_keys(page, 1)
    watch(page)
    page.keyboard.press("Space")
    wait_until(lambda: is_playing(page))
    page.keyboard.press("Space")
    wait_until(lambda: not is_playing(page))


def test_keys_act_at_the_question_and_can_be_turned_off(page):
    begin(page)
    expect_keys(page, 1)
    chosen = page.locator("input[name=answer]:checked")
    switch = page.get_by_role("button", name="Turn these keys off")
    switch.focus()
    page.keyboard.press("5")
    expect(chosen).to_have_count(0)
    switch.click()
    page.reload()
    expect(page.get_by_role("button", name="Turn these keys on")).to_be_visible()
    page.keyboard.press("5")
    expect(chosen).to_have_count(0)
    page.get_by_role("button", name="Turn these keys on").click()
    page.locator("video").focus()
    page.keyboard.press("5")
    expect(page.locator("#answer-5")).to_be_checked()


def test_where_motion_is_unwelcome_the_clip_waits_for_the_play_button(new_context):
    page = new_context(reduced_motion="reduce", **DESKTOP).new_page()
    begin(page)
    page.wait_for_timeout(300)
    assert not is_playing(page)
    page.get_by_role("button", name="Play", exact=True).click()
    watch(page)
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_the_completion_code_is_copied_by_a_button(new_context):
    context = new_context(permissions=["clipboard-read", "clipboard-write"], **DESKTOP)
    page = context.new_page()
    begin(page)
    for number in (1, 2, 3):
        expect_keys(page, number)
        page.keyboard.press("3")
        page.keyboard.press("Enter")
    expect_end(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_have_text("Copied")
    code = page.get_by_label("Your completion code").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == code


# What every page owes to everybody


def test_the_rating_page_is_light_and_asks_no_other_host(page, new_context, live_server):
    begin(page)
    fresh = new_context(**DESKTOP).new_page()  # nothing in its cache, nothing still under way
    answered = []
    fresh.on("requestfinished", lambda request: answered.append(request))
    fresh.goto(page.url, wait_until="networkidle")
    watch(fresh)
    assert all(request.url.startswith(live_server.url) for request in answered)
    light = [request for request in answered if not request.url.endswith(".mp4")]
    weight_bytes = sum(len(request.response().body()) for request in light)
    icon = fresh.locator("link[rel=icon]").get_attribute("href")
    weight_bytes += len(fresh.request.get(icon).body())  # browsers load it beside the page
    assert len(light) >= 6  # the page, three style sheets, two scripts
    assert weight_bytes < MAX_WEIGHT_BYTES


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_barrier_or_scrolls_sideways(
    new_context, live_server, assert_accessible, scheme
):
    page = new_context(color_scheme=scheme, viewport={"width": 320, "height": 640}).new_page()

    def check(expected_heading):
        expect(page.get_by_role("heading", level=1)).to_have_text(expected_heading)
        assert_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    page.goto(START)
    check("How realistic does this traffic look?")
    page.get_by_role("button", name="Start").click()
    check("Before you begin")
    page.goto(START)
    check("Welcome back")
    page.get_by_role("link", name="Continue").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Agree and continue").click()
    check("Video 1")
    page.locator("form.rate__answer").evaluate("form => { form.noValidate = true; }")
    press_continue(page)
    expect(page.get_by_role("alert")).to_contain_text("Please choose one of the options")
    check("Video 1")
    page.set_viewport_size({"width": 1280, "height": 800})
    check("Video 1")
    page.set_viewport_size({"width": 320, "height": 640})
    for number in (1, 2, 3):
        expect_video(page, number)
        choose(page, "Neutral")
        press_continue(page)
    check("You have finished")
    page.goto("/s/" + "x" * 43)
    check("This link is not known here")
    page.context.clear_cookies()
    page.goto(START)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="I do not agree").click()
    check("That is perfectly fine")
    close(live_server)
    page.goto(START)
    check("This study is closed")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_missing_consent_and_a_study_not_yet_open_are_told_accessibly(
    new_context, live_server, assert_accessible, scheme
):
    page = new_context(color_scheme=scheme, **DESKTOP).new_page()
    page.goto(START)
    page.get_by_role("button", name="Start").click()
    page.locator("form").evaluate("form => { form.noValidate = true; }")
    page.get_by_role("button", name="Agree and continue").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page)
    with live_server.database.write.begin() as db:
        get_study(db, "browser-study").state = StudyState.draft
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("This study is not open yet")
    assert_accessible(page)


def test_a_personal_link_begins_with_the_start_page(page, live_server, assert_accessible):
    with live_server.database.write.begin() as db:
        study = get_study(db, "browser-study")
        (link,) = create_links(db, study, get_current_version(db, study), 1, NOW)
    page.goto(f"/s/{link.token}")
    assert_accessible(page)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Before you begin")
    assert len(sittings(live_server)) == 1


def close(live_server):
    with live_server.database.write.begin() as db:
        close_study(db, get_study(db, "browser-study"), NOW)
