"""The counts are checked against the ratings, and made anew from them."""

import pytest
from sqlalchemy import select

from app.participants.consent import agree
from app.participants.count_check import WrongCount, list_wrong_counts, rebuild_counts
from app.participants.enrolment import enrol, start_sitting
from app.participants.models import Assignment, ClipCount, Rating
from app.participants.rating import record_rating
from app.studies.queries import get_current_version
from tests.factories.platform import NOW, make_study


@pytest.fixture
def rated(database):
    """One sitting that has given the answers 1, 2 and 3 to the three clips."""
    with database.write.begin() as db:
        study = make_study(db)
        sitting = enrol(db, study, get_current_version(db, study), NOW)
        start_sitting(db, sitting, NOW)
        agree(db, sitting, True, NOW)
        db.flush()
        assignments = db.scalars(
            select(Assignment)
            .where(Assignment.sitting_id == sitting.id)
            .order_by(Assignment.position)
        ).all()
        for answer, assignment in enumerate(assignments, start=1):
            record_rating(db, sitting, assignment.id, answer, NOW)
    return database


def test_counts_kept_with_the_ratings_are_right(rated):
    with rated.read.begin() as db:
        assert list_wrong_counts(db) == []


def test_a_count_too_many_and_a_count_that_is_missing_are_both_found(rated):
    with rated.write.begin() as db:
        first, second, _third = db.scalars(select(ClipCount).order_by(ClipCount.answer))
        first.n += 2
        db.delete(second)
    with rated.read.begin() as db:
        assert list_wrong_counts(db) == [
            WrongCount("test-study", "clip-1", 1, 2),
            WrongCount("test-study", "clip-2", 2, -1),
        ]


def test_a_rating_that_vanished_past_the_counts_is_found(rated):
    with rated.write.begin() as db:
        db.delete(db.scalars(select(Rating).where(Rating.answer == 3)).one())
    with rated.read.begin() as db:
        assert [(c.clip, c.surplus) for c in list_wrong_counts(db)] == [("clip-3", 1)]


def test_counting_again_makes_every_count_right(rated):
    with rated.write.begin() as db:
        for count in db.scalars(select(ClipCount)):
            count.n = 99
        db.flush()
        rebuild_counts(db)
    with rated.read.begin() as db:
        assert list_wrong_counts(db) == []
        assert sorted(db.scalars(select(ClipCount.n))) == [1, 1, 1]
