"""A researcher brings files in with a real browser, sees what was found and cuts another scene."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from app.auth.models import User
from app.auth.signing_in import make_sign_in_link
from tests.factories.footage import make_film
from tests.factories.recordings import FILES, INTERACTION, SUMO, long_recording


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


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "cars.csv"
    path.write_bytes(long_recording())
    return path


def send(page, *paths) -> None:
    page.set_input_files("#files", [str(path) for path in paths])
    page.get_by_role("button", name="Upload").click()


def bring_in(page, *paths) -> None:
    page.goto("/admin/scenes")
    send(page, *paths)
    page.wait_for_url("**/admin/uploads/*")


def test_a_recording_with_its_map_is_brought_in_and_shown(page, sign_in):
    sign_in(page)
    page.get_by_role("link", name="Scenes").click()
    expect(page.get_by_text("these formats are known")).to_be_visible()
    send(page, *(FILES / name for name in SUMO))
    page.wait_for_url("**/admin/uploads/*")
    expect(page.get_by_role("heading", name="street", exact=True)).to_be_visible()
    expect(page.get_by_text("6 lanes")).to_be_visible()
    still = page.get_by_role("img", name="as raters will see it")
    assert still.evaluate("picture => picture.naturalWidth") == 960
    expect(page.locator(".plan__lane")).to_have_count(4)  # the others are far away
    bring_in(page, *(FILES / name for name in INTERACTION))
    expect(page.get_by_text("4 lanes")).to_be_visible()
    page.get_by_role("link", name="Scenes").first.click()
    expect(page.get_by_role("heading", name="vehicle_tracks_000")).to_be_visible()


def test_a_broken_file_gets_its_sentence_and_stays_chosen(page, sign_in, tmp_path, recording):
    broken = tmp_path / "broken.csv"
    broken.write_text("id,t,x,y\n1,0,abc,0\n")
    sign_in(page)
    page.goto("/admin/scenes")
    page.get_by_text("Say more about the files").click()
    page.get_by_label("Terms of use").fill("CC BY 4.0")
    send(page, broken)
    told = page.get_by_role("alert")
    expect(told).to_have_text("broken.csv: line 2: column 'x': 'abc' is not a number.")
    expect(told).to_be_focused()
    expect(page.get_by_text("broken.csv", exact=True)).to_be_visible()
    expect(page.get_by_label("Terms of use")).to_have_value("CC BY 4.0")
    page.get_by_role("button", name="Do not send broken.csv").click()
    expect(page.locator("#chosen li")).to_have_count(0)
    send(page, recording)
    page.wait_for_url("**/admin/uploads/*")


def test_another_ego_and_window_make_another_scene(page, sign_in, recording):
    sign_in(page)
    bring_in(page, recording)
    expect(page.get_by_text("Ego 2").first).to_be_visible()
    page.locator("[data-track='3'] .plan__name").click()
    ego = page.get_by_label("Ego: whom the camera follows")
    expect(ego).to_have_value("3")
    page.get_by_label("Start, s").fill("4")
    page.get_by_label("Length, s").fill("6.5")
    page.get_by_label("Situation").select_option("highway")
    page.get_by_label("Name").fill("the last of three")
    page.get_by_role("button", name="Cut this scene").click()
    page.wait_for_url("**?scene=*")
    expect(page.locator("figcaption").get_by_text("Ego 3 · 4 to 10.5 s")).to_be_visible()
    expect(page.locator(".cut")).to_have_count(2)
    line = page.get_by_label("For a study document: Ego 3").input_value()
    assert re.fullmatch(r'scene: \{uploaded: "[0-9a-f]{16}"\}', line)
    page.get_by_role("button", name="Cut this: ego 1").click()
    expect(page.locator(".cut")).to_have_count(3)


def test_a_film_is_brought_in_and_plays(page, sign_in, tmp_path):
    make_film(tmp_path / "film.mp4")
    sign_in(page)
    bring_in(page, tmp_path / "film.mp4")
    expect(page.get_by_text("320 × 180 pixels")).to_be_visible()
    page.locator("video").evaluate("video => video.play()")
    page.wait_for_function("() => document.querySelector('video').currentTime > 0.2")


def test_what_is_no_longer_wanted_is_removed_after_a_second_word(page, sign_in, recording):
    sign_in(page)
    bring_in(page, recording)
    page.get_by_text("Remove …").click()
    page.get_by_role("button", name="Remove for good").click()
    page.wait_for_url("**/admin/scenes")
    expect(page.get_by_text("these formats are known")).to_be_visible()


def test_everything_works_without_scripts(new_context, sign_in, recording):
    page = new_context(java_script_enabled=False).new_page()
    sign_in(page)
    bring_in(page, recording)
    page.get_by_label("Length, s").fill("5")
    page.get_by_role("button", name="Cut this scene").click()
    page.wait_for_url("**?scene=*")
    expect(page.locator(".cut")).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_accessible(
    new_context, sign_in, assert_accessible, recording, tmp_path, scheme
):
    # Without motion: a colour on its way from one state to the next has a contrast of its own.
    page = new_context(color_scheme=scheme, reduced_motion="reduce").new_page()
    sign_in(page)
    page.goto("/admin/scenes")
    page.get_by_text("Say more about the files").click()
    (tmp_path / "broken.csv").write_text("id,t,x,y\n1,0,abc,0\n")
    send(page, tmp_path / "broken.csv")
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page)
    bring_in(page, recording)
    page.get_by_text("Who plays which part").click()
    assert_accessible(page)
    page.get_by_text("Remove …").click()
    assert_accessible(page)
    make_film(tmp_path / "film.mp4")
    bring_in(page, tmp_path / "film.mp4")
    assert_accessible(page)
    page.goto("/admin/scenes")
    assert_accessible(page)


@pytest.mark.parametrize("width_px", [320, 390])
def test_nothing_scrolls_sideways_on_a_phone(new_context, sign_in, recording, width_px):
    page = new_context(viewport={"width": width_px, "height": 700}).new_page()
    sign_in(page)
    page.goto("/admin/scenes")
    assert page.evaluate("document.documentElement.scrollWidth") <= width_px
    bring_in(page, recording)
    assert page.evaluate("document.documentElement.scrollWidth") <= width_px
    page.goto("/admin/scenes")
    assert page.evaluate("document.documentElement.scrollWidth") <= width_px
