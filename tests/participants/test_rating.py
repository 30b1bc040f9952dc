from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from app.errors import NotFound
from app.participants.enrolment import StudyNotOpen
from app.participants.models import Assignment, ClipCount, Rating
from app.participants.queries import get_sitting
from app.participants.rating import AnswerOutsideScale, OutOfTurn, record_rating
from app.studies.lifecycle import close_study
from app.studies.models import Study, StudyClip
from tests.factories.platform import NOW, make_study

LATER = NOW + timedelta(seconds=30)


def assignments(db, sitting):
    query = select(Assignment).where(Assignment.sitting_id == sitting.id)
    return db.scalars(query.order_by(Assignment.position)).all()


def stored(db):
    """The number of ratings, and of ratings counted per clip."""
    counted = db.scalar(select(func.coalesce(func.sum(ClipCount.n), 0)))
    return db.scalar(select(func.count()).select_from(Rating)), counted


def counted(db):
    """(clip, answer, how often) as it is counted."""
    query = select(StudyClip.name, ClipCount.answer, ClipCount.n)
    return [tuple(row) for row in db.execute(query.join(StudyClip))]


def test_an_answer_is_saved_with_its_circumstances_and_counted(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        first = assignments(db, sitting)[0]
        assert record_rating(db, sitting, first.id, 4, LATER, watched_s=9.5, on_page_s=14.25)
    with database.read.begin() as db:
        rating = db.scalars(select(Rating)).one()
        assert (rating.answer, rating.answered_at) == (4, LATER)
        assert (rating.watched_s, rating.on_page_s) == (9.5, 14.25)
        assert counted(db) == [("clip-1", 4, 1)]


def test_a_clip_is_rated_once_and_the_first_answer_stays(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        first = assignments(db, sitting)[0]
        assert record_rating(db, sitting, first.id, 4, NOW)
        assert not record_rating(db, sitting, first.id, 1, LATER)
        assert db.scalars(select(Rating.answer)).all() == [4]
        assert stored(db) == (1, 1)


def test_two_people_with_the_same_answer_count_two(database, study, make_sitting):
    with database.write.begin() as db:
        for _ in range(2):
            sitting = make_sitting(db, study)
            record_rating(db, sitting, assignments(db, sitting)[0].id, 5, NOW)
        assert counted(db) == [("clip-1", 5, 2)]


def test_the_last_answer_finishes_the_sitting(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        for assignment in assignments(db, sitting):
            assert sitting.finished_at is None
            record_rating(db, sitting, assignment.id, 3, LATER)
        assert sitting.finished_at == LATER


def test_a_later_clip_is_out_of_turn(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        with pytest.raises(OutOfTurn):
            record_rating(db, sitting, assignments(db, sitting)[1].id, 3, NOW)
        assert stored(db) == (0, 0)


def test_a_clip_of_another_sitting_is_not_found(database, study, make_sitting):
    with database.write.begin() as db:
        mine, theirs = make_sitting(db, study), make_sitting(db, study)
        with pytest.raises(NotFound):
            record_rating(db, mine, assignments(db, theirs)[0].id, 3, NOW)
        assert stored(db) == (0, 0)


@pytest.mark.parametrize("answer", [None, 0, 6, -1, 999_999_999])
def test_an_answer_outside_the_scale_is_refused(database, study, make_sitting, answer):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        with pytest.raises(AnswerOutsideScale):
            record_rating(db, sitting, assignments(db, sitting)[0].id, answer, NOW)
        assert stored(db) == (0, 0)


def test_the_scale_is_the_documents(database, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, make_study(db, scale=["no", "yes"]))
        first = assignments(db, sitting)[0]
        with pytest.raises(AnswerOutsideScale):
            record_rating(db, sitting, first.id, 3, NOW)
        assert record_rating(db, sitting, first.id, 2, NOW)


def test_a_closed_study_takes_no_answer(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        db.get(Study, study.id).state = "closed"
        with pytest.raises(StudyNotOpen):
            record_rating(db, sitting, assignments(db, sitting)[0].id, 3, NOW)
        assert stored(db) == (0, 0)


def test_an_answer_resent_after_the_study_closed_is_answered_like_the_first(
    database, study, make_sitting
):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        first = assignments(db, sitting)[0]
        record_rating(db, sitting, first.id, 3, NOW)
        db.get(Study, study.id).state = "closed"
        assert not record_rating(db, sitting, first.id, 3, LATER)


@pytest.mark.parametrize("lock", [True, False], ids=["in turns", "by the unique key alone"])
def test_an_answer_sent_while_the_first_is_being_saved_is_not_counted(
    database, study, make_sitting, lock
):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        first = assignments(db, sitting)[0].id

    def post(answer):
        with database.write.begin() as db:
            return record_rating(db, get_sitting(db, sitting.token, lock=lock), first, answer, NOW)

    with ThreadPoolExecutor(1) as thread:
        with database.write.begin() as db:
            assert record_rating(db, get_sitting(db, sitting.token, lock=lock), first, 5, NOW)
            second = thread.submit(post, 1)
            with pytest.raises(TimeoutError):  # it waits: the first is not committed yet
                second.result(timeout=0.5)
        assert second.result(timeout=20) is False
    with database.read.begin() as db:
        assert db.scalars(select(Rating.answer)).all() == [5]
        assert stored(db) == (1, 1)


def test_who_closes_the_study_waits_for_the_answer_under_way(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        first = assignments(db, sitting)[0].id

    def close():
        with database.write.begin() as db:
            close_study(db, db.get(Study, study.id), LATER)
            return stored(db)

    with ThreadPoolExecutor(1) as thread:
        with database.write.begin() as db:
            record_rating(db, get_sitting(db, sitting.token, lock=True), first, 5, NOW)
            closing = thread.submit(close)
            with pytest.raises(TimeoutError):
                closing.result(timeout=0.5)
        assert closing.result(timeout=20) == (1, 1)


def test_parallel_people_are_all_counted(database, study, make_sitting):
    with database.write.begin() as db:
        sittings = [make_sitting(db, study) for _ in range(12)]
        firsts = [assignments(db, sitting)[0].id for sitting in sittings]

    def post(sitting, assignment_id):
        with database.write.begin() as db:
            mine = get_sitting(db, sitting.token, lock=True)
            return record_rating(db, mine, assignment_id, 4, NOW)

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(post, sittings, firsts))
    with database.read.begin() as db:
        assert counted(db) == [("clip-1", 4, 12)]
