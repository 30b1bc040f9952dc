"""The pages are put together for who looks at them."""

from datetime import UTC, datetime

import pytest

from app.auth.models import Role
from app.config import Settings
from app.dashboard import composing
from app.dashboard.composing import compose_live_page, compose_study_list, compose_study_page
from app.participants.enrolment import create_links
from app.studies.queries import get_current_version
from tests.factories.answers import rate_study
from tests.factories.platform import make_study, make_user

SETTINGS = Settings(base_url="https://rate.example/")


@pytest.fixture
def db(database):
    with database.write.begin() as db:
        yield db


def test_the_list_has_for_a_researcher_their_own_studies_and_for_others_all(db):
    ada, bob = make_user(db), make_user(db)
    make_study(db, owner=ada, slug="adas")
    make_study(db, owner=bob, slug="bobs")

    def slugs(user):
        return [line.slug for line in compose_study_list(db, user).studies]

    assert slugs(ada) == ["adas"]
    assert slugs(make_user(db, role=Role.viewer)) == ["bobs", "adas"]
    assert slugs(make_user(db, role=Role.admin)) == ["bobs", "adas"]


def test_a_viewer_is_not_given_the_links_with_which_one_could_rate(db):
    study = make_study(db)
    create_links(db, study, get_current_version(db, study), 2, datetime.now(UTC))

    def links(role):
        page = compose_study_page(db, study, make_user(db, role=role), SETTINGS)
        return [line.link for line in page.sittings]

    assert links(Role.viewer) == ["", ""]
    assert all(link.startswith("https://rate.example/s/") for link in links(Role.admin))


def test_the_public_link_begins_with_the_base_address(db):
    page = compose_study_page(db, make_study(db), make_user(db, role=Role.admin), SETTINGS)
    assert page.study.public_link == "https://rate.example/study/test-study"
    assert page.sittings_note == ""


def test_a_long_list_of_sittings_says_that_it_is_cut(db, monkeypatch):
    monkeypatch.setattr(composing, "MOST_SITTINGS_LISTED", 2)
    study = make_study(db)
    rate_study(db, study, [[1], [2], [3]])
    page = compose_study_page(db, study, make_user(db, role=Role.admin), SETTINGS)
    assert len(page.sittings) == 2
    assert page.sittings_note == "The newest 2 of 3 sittings."


def test_the_live_page_has_a_line_for_each_clip(db):
    study = make_study(db, n_clips=2)
    rate_study(db, study, [[1, 5], [1, 5]])
    page = compose_live_page(db, study, make_user(db))
    assert page.live.agreement.kappa == "1.000"
    assert page.live.agreement.published == "3.000"
    assert [row.mean for row in page.rated_clips] == ["1.00", "5.00"]
