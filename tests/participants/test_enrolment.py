from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from app.participants.enrolment import StudyNotOpen, create_links, enrol, start_sitting
from app.participants.models import Sitting
from app.participants.queries import get_sitting
from app.studies.models import StudyState, StudyVersion
from app.studies.queries import get_current_version
from tests.factories.platform import NOW, make_document, make_study

KEY = "k" * 40


def test_a_new_sitting_has_a_long_random_link_and_a_name_that_says_nothing(database, study):
    with database.write.begin() as db:
        version = get_current_version(db, study)
        first, second = (enrol(db, study, version, NOW) for _ in range(2))
    assert len(first.token) >= 32
    assert first.token != second.token
    assert first.pseudonym != second.pseudonym
    assert first.pseudonym.startswith("P-")
    assert not set("01ILOU") & set(first.pseudonym[2:] + first.completion_code)
    assert first.started_at == NOW


def test_the_same_key_leads_to_the_same_sitting(database, study):
    with database.write.begin() as db:
        version = get_current_version(db, study)
        first = enrol(db, study, version, NOW, KEY)
        again = enrol(db, study, version, NOW + timedelta(seconds=1), KEY)
        assert again.id == first.id
        assert db.scalar(select(func.count()).select_from(Sitting)) == 1


def test_the_same_key_sent_while_the_first_is_being_saved_leads_to_the_same_sitting(
    database, study
):
    def press():
        with database.write.begin() as db:
            return enrol(db, study, get_current_version(db, study), NOW, KEY).token

    with ThreadPoolExecutor(1) as thread:
        with database.write.begin() as db:
            first = enrol(db, study, get_current_version(db, study), NOW, KEY).token
            second = thread.submit(press)
            with pytest.raises(TimeoutError):  # it waits: the first is not committed yet
                second.result(timeout=0.5)
        assert second.result(timeout=20) == first
    with database.read.begin() as db:
        assert db.scalar(select(func.count()).select_from(Sitting)) == 1


def test_the_link_cannot_be_read_off_the_key(database, study):
    with database.write.begin() as db:
        assert KEY not in enrol(db, study, get_current_version(db, study), NOW, KEY).token


def test_the_same_key_in_another_study_is_another_sitting(database, study):
    with database.write.begin() as db:
        other = make_study(db, slug="other-study")
        here = enrol(db, study, get_current_version(db, study), NOW, KEY)
        there = enrol(db, other, get_current_version(db, other), NOW, KEY)
        assert here.id != there.id


def test_the_completion_code_of_the_document_is_everybodys(database):
    with database.write.begin() as db:
        study = make_study(db, completion_code="C1ABCDEF")
        assert enrol(db, study, get_current_version(db, study), NOW).completion_code == "C1ABCDEF"


@pytest.mark.parametrize("state", [StudyState.draft, StudyState.closed])
def test_nobody_enrols_in_a_study_that_is_not_open(database, state):
    with database.write.begin() as db:
        study = make_study(db, state=state)
        with pytest.raises(StudyNotOpen):
            enrol(db, study, get_current_version(db, study), NOW)
        assert db.scalar(select(func.count()).select_from(Sitting)) == 0


def test_links_are_different_and_wait_for_start(database, study):
    with database.write.begin() as db:
        sittings = create_links(db, study, get_current_version(db, study), 600, NOW)
    assert len({sitting.token for sitting in sittings}) == 600
    assert len({sitting.pseudonym for sitting in sittings}) == 600
    assert all(sitting.started_at is None for sitting in sittings)


def test_pseudonyms_do_not_tell_who_came_first(database, study):
    with database.write.begin() as db:
        sittings = create_links(db, study, get_current_version(db, study), 50, NOW)
    names = [sitting.pseudonym for sitting in sorted(sittings, key=lambda sitting: sitting.id)]
    assert names != sorted(names)


def test_a_personal_link_starts_with_the_newest_wording(database, study):
    with database.write.begin() as db:
        (link,) = create_links(db, study, get_current_version(db, study), 1, NOW)
        newer = make_document(title="A better title")
        db.add(
            StudyVersion(
                study_id=study.id,
                number=2,
                yaml="",
                document=newer.model_dump(mode="json"),
                document_hash=newer.document_hash(),
                created_at=NOW,
            )
        )
    with database.write.begin() as db:
        start_sitting(db, get_sitting(db, link.token, lock=True), NOW)
    with database.read.begin() as db:
        sitting = get_sitting(db, link.token)
        assert sitting.version.number == 2
        assert sitting.started_at == NOW


def test_start_pressed_again_changes_nothing(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study, consented=False)
        start_sitting(db, sitting, NOW + timedelta(hours=1))
        assert sitting.started_at == NOW
