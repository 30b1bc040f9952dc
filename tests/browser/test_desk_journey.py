"""A researcher signs in by a link, watches a study live, and the pages are fit for everybody."""

import time
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from app.auth.accounts import add_user
from app.auth.models import Role, User
from app.auth.queries import find_user
from app.auth.signing_in import make_sign_in_link
from app.clips.models import Clip, ClipState
from app.studies.models import StudyClip
from app.studies.queries import get_study
from tests.factories.answers import answer_clips, rate_study, sit_down

STUDY = "/admin/studies/browser-study"
PAGES = ["/admin", STUDY, f"{STUDY}/live", "/statistics", "/statistics/kappa", "/api/docs"]


@pytest.fixture
def sign_in(live_server):
    """Lets a page in by a fresh one-time link."""

    def sign_in(page) -> None:
        with live_server.database.write.begin() as db:
            user = db.scalars(select(User)).one()
            token = make_sign_in_link(db, user, datetime.now(UTC), minutes=5)
        page.goto(f"/admin/sign-in/{token}")
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/admin")

    return sign_in


def rate(live_server, people) -> None:
    with live_server.database.write.begin() as db:
        rate_study(db, get_study(db, "browser-study"), people)


def test_both_kappas_move_without_reload_when_somebody_rates(page, live_server, sign_in):
    sign_in(page)
    page.get_by_role("link", name="How realistic does this traffic look?", exact=True).click()
    page.get_by_role("link", name="Live page").click()
    standard, published = page.locator("#kappa-standard"), page.locator("#kappa-published")
    expect(page.get_by_role("status")).to_have_text("Live")
    expect(standard).to_have_text("–")
    expect(page.get_by_text("There are no ratings yet.").first).to_be_visible()
    page.evaluate("window.neverReloaded = true")

    rate(live_server, [[1, 5, 3], [1, 5, 3]])
    expect(standard).to_have_text("1.000")
    expect(published).to_have_text("4.000")
    with live_server.database.write.begin() as db:
        answer_clips(db, sit_down(db, get_study(db, "browser-study")), [4])
    committed_s = time.monotonic()
    expect(page.locator("#n-ratings")).to_have_text("7")
    seen_after_s = time.monotonic() - committed_s
    expect(standard).not_to_have_text("1.000")
    expect(page.get_by_role("img", name="2 × 1, 0 × 2, 0 × 3, 1 × 4, 0 × 5")).to_be_visible()
    assert page.evaluate("window.neverReloaded")
    assert seen_after_s < 5.0  # bench/bench_live.py measures it; here only that it is soon


def test_the_study_page_follows_a_film_and_plays_it(page, live_server, sign_in):
    sign_in(page)
    page.goto(STUDY)
    expect(page.get_by_text("3 clips, all ready")).to_be_visible()
    with live_server.database.write.begin() as db:
        clip = db.scalars(select(Clip).order_by(Clip.id)).first()
        clip.state, clip.frames_done, clip.frames_total = ClipState.rendering, 6, 15
    expect(page.get_by_text("6 of 15 frames")).to_be_visible()
    expect(page.get_by_text("2 of 3 clips ready")).to_be_visible()

    page.get_by_role("link", name="Watch wild-1").click()
    video = page.locator("#preview-video")
    page.wait_for_function("() => document.getElementById('preview-video').currentTime > 0.2")
    page.keyboard.press("Escape")
    expect(video).to_be_hidden()


def test_links_are_made_listed_and_copied(new_context, live_server, sign_in):
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    sign_in(page)
    page.goto(STUDY)
    page.get_by_label("Personal links").fill("2")
    page.get_by_role("button", name="Make links").click()
    expect(page.get_by_role("link", name="Link of P-")).to_have_count(2)
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{live_server.url}/study/browser-study"


def test_closing_and_opening_again_changes_what_participants_meet(page, live_server, sign_in):
    sign_in(page)
    page.goto(STUDY)
    page.get_by_role("button", name="Close study").click()
    expect(page.get_by_text("Nobody can take part any more.")).to_be_visible()
    page.get_by_role("button", name="Open again").click()
    expect(page.get_by_text("People can take part now.")).to_be_visible()


def test_without_scripts_the_live_page_shows_the_state_at_load(new_context, live_server, sign_in):
    rate(live_server, [[1, 5, 3], [1, 5, 3]])
    page = new_context(java_script_enabled=False).new_page()
    sign_in(page)
    page.goto(f"{STUDY}/live")
    expect(page.locator("#kappa-standard")).to_have_text("1.000")
    expect(page.get_by_role("status")).to_have_text("As it was when the page was loaded")


def test_signing_out_ends_it(page, sign_in):
    sign_in(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/admin/login")
    page.goto(f"{STUDY}/live")
    page.wait_for_url(f"**/admin/login?next={STUDY}/live")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(new_context, live_server, sign_in, assert_accessible, scheme):
    rate(live_server, [[1, 5, 3], [1, 4, 3], [2]])
    page = new_context(color_scheme=scheme).new_page()
    page.goto("/admin/login")
    assert_accessible(page)
    sign_in(page)
    for path in PAGES:
        page.goto(path)
        assert_accessible(page)


@pytest.mark.parametrize("width_px", [320, 390])
def test_no_page_scrolls_sideways_on_a_phone(new_context, live_server, sign_in, width_px):
    rate(live_server, [[1, 5, 3], [1, 4, 3]])
    page = new_context(viewport={"width": width_px, "height": 700}).new_page()
    sign_in(page)
    for path in ["/admin/login", *PAGES]:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width_px, path


@pytest.mark.parametrize("width_px", [320, 390])
def test_the_live_table_fits_a_phone(new_context, live_server, sign_in, width_px):
    rate(live_server, [[1, 5, 3], [1, 4, 3]])
    with live_server.database.write.begin() as db:
        for place in db.scalars(select(StudyClip)):
            place.name = f"inattentive-{place.position:02}"
    page = new_context(viewport={"width": width_px, "height": 700}).new_page()
    sign_in(page)
    page.goto(f"{STUDY}/live")
    cut_px = "box => box.scrollWidth - box.clientWidth"
    assert page.get_by_role("region", name="Table of clips").evaluate(cut_px) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_goes_wrong_is_told_accessibly(
    new_context, live_server, sign_in, assert_accessible, scheme
):
    with live_server.database.write.begin() as db:
        user = db.scalars(select(User)).one()
        token = make_sign_in_link(db, user, datetime.now(UTC), minutes=5)
        clip = db.scalars(select(Clip).order_by(Clip.id)).first()
        clip.state, clip.reason = ClipState.failed, "The scene ends before the film."
    page = new_context(color_scheme=scheme).new_page()
    page.goto("/admin/login")
    page.get_by_label("E-mail").fill("owner@example.org")
    page.get_by_label("Password").fill("a wrong password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page)
    page.goto(f"/admin/sign-in/{token}")
    expect(page.get_by_role("heading", name="Welcome")).to_be_visible()
    assert_accessible(page)
    sign_in(page)
    page.goto(STUDY)
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert_accessible(page)
    page.goto(f"{STUDY}-that-nobody-made")
    expect(page.get_by_role("link", name="To the studies")).to_be_visible()
    assert_accessible(page)


def test_a_desk_without_studies_is_accessible(new_context, live_server, assert_accessible):
    with live_server.database.write.begin() as db:
        add_user(db, "new@example.org", Role.researcher, None, datetime.now(UTC))
        newcomer = find_user(db, "new@example.org")
        token = make_sign_in_link(db, newcomer, datetime.now(UTC), minutes=5)
    page = new_context(color_scheme="dark").new_page()
    page.goto(f"/admin/sign-in/{token}")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="No study yet")).to_be_visible()
    assert_accessible(page)


def test_the_desk_asks_no_other_host(page, live_server, sign_in):
    hosts = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    sign_in(page)
    for path in PAGES:
        page.goto(path)
    assert hosts == {live_server.url.removeprefix("http://")}
