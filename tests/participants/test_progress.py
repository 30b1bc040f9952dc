import pytest

from app.participants.consent import decline
from app.participants.enrolment import create_links
from app.participants.progress import (
    Begin,
    Declined,
    Finished,
    GiveConsent,
    RateClip,
    Waiting,
    next_step,
)
from app.participants.queries import get_sitting
from app.participants.rating import record_rating
from app.studies.queries import get_current_version
from tests.factories.platform import NOW


def rate(db, sitting, n):
    for _ in range(n):
        record_rating(db, sitting, next_step(db, sitting).assignment.id, 3, NOW)


def test_an_unused_link_begins(database, study):
    with database.write.begin() as db:
        (link,) = create_links(db, study, get_current_version(db, study), 1, NOW)
        assert isinstance(next_step(db, get_sitting(db, link.token)), Begin)


def test_who_has_started_is_asked_for_consent(database, study, make_sitting):
    with database.write.begin() as db:
        assert next_step(db, make_sitting(db, study, consented=False)) == GiveConsent()


@pytest.mark.parametrize("n_rated", [0, 1, 2])
def test_the_next_clip_is_the_first_without_a_rating(database, study, make_sitting, n_rated):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        rate(db, sitting, n_rated)
        step = next_step(db, sitting)
        assert isinstance(step, RateClip)
        assert (step.assignment.position, step.n_clips) == (n_rated + 1, 3)
        assert step.assignment.study_clip.clip.url.endswith(".mp4")


def test_who_has_rated_all_is_finished_even_when_the_study_closes(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        rate(db, sitting, 3)
        sitting.study.state = "closed"
        assert next_step(db, sitting) == Finished(3)


def test_who_declined_stays_declined(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study, consented=False)
        decline(db, sitting, NOW)
        assert next_step(db, sitting) == Declined()


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_who_is_under_way_waits_while_the_study_is_not_open(database, study, make_sitting, state):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        sitting.study.state = state
        assert next_step(db, sitting) == Waiting()
