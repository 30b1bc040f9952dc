import pytest

from app.participants.consent import decline
from app.participants.enrolment import create_links
from app.participants.progress import next_step
from app.participants.queries import (
    SittingCounts,
    UnknownSitting,
    count_raters,
    count_sittings,
    find_sitting,
    get_sitting,
)
from app.participants.rating import record_rating
from app.studies.queries import get_current_version
from tests.factories.platform import NOW, make_study


def rate(db, sitting, n, answer=3):
    for _ in range(n):
        record_rating(db, sitting, next_step(db, sitting).assignment.id, answer, NOW)


@pytest.mark.parametrize("token", ["", "short", "x" * 43, "a" * 500, "\x00" * 30, "é" * 30, "%"])
def test_a_guessed_token_finds_nobody(database, study, token):
    with database.read.begin() as db:
        assert find_sitting(db, token) is None
        with pytest.raises(UnknownSitting):
            get_sitting(db, token)


def test_a_sitting_comes_with_its_study_and_version(database, study, make_sitting):
    with database.write.begin() as db:
        token = make_sitting(db, study).token
    with database.read.begin() as db:
        sitting = get_sitting(db, token)
        assert (sitting.study.slug, sitting.version.number) == ("test-study", 1)


def test_every_sitting_is_counted_once_in_its_state(database, study, make_sitting):
    with database.write.begin() as db:
        other = make_study(db, slug="other-study")
        make_sitting(db, other)
        create_links(db, study, get_current_version(db, study), 2, NOW)
        make_sitting(db, study, consented=False)
        decline(db, make_sitting(db, study, consented=False), NOW)
        rate(db, make_sitting(db, study), 1)
        rate(db, make_sitting(db, study), 3)
        counts = count_sittings(db, study)
        assert counts == SittingCounts(created=2, started=1, consented=1, finished=1, declined=1)
        assert counts.total == 6
        assert count_raters(db, study) == 2


def test_a_study_without_sittings_counts_nobody(database, study):
    with database.read.begin() as db:
        assert count_sittings(db, study).total == 0
        assert count_raters(db, study) == 0


def test_a_rater_is_counted_once_however_much_they_rate(database, study, make_sitting):
    with database.write.begin() as db:
        rate(db, make_sitting(db, make_study(db, slug="other-study")), 1)
        people = [make_sitting(db, study) for _ in range(3)]
        for n_rated, n_raters in ((0, 0), (1, 3), (1, 3), (1, 3)):
            for person in people:
                rate(db, person, n_rated)
            assert count_raters(db, study) == n_raters
