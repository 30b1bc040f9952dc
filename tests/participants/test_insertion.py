from sqlalchemy import select

from app.participants.insertion import add_to_count, insert_unless_there
from app.participants.models import ClipCount, Rating
from app.studies.queries import list_study_clips
from tests.factories.platform import NOW


def test_a_row_that_is_there_is_left_alone(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        assignment_id = _first_assignment(db, sitting)
        values = {"assignment_id": assignment_id, "answer": 2, "answered_at": NOW}
        assert insert_unless_there(db, Rating, values, unique=Rating.assignment_id)
        assert not insert_unless_there(
            db, Rating, values | {"answer": 5}, unique=Rating.assignment_id
        )
        assert db.scalars(select(Rating.answer)).all() == [2]


def test_counts_begin_at_one_and_grow(database, study):
    with database.write.begin() as db:
        clip = list_study_clips(db, study)[0]
        for answer in (4, 4, 2):
            add_to_count(db, clip.id, answer)
        counts = db.execute(select(ClipCount.answer, ClipCount.n).order_by(ClipCount.answer)).all()
        assert [tuple(row) for row in counts] == [(2, 1), (4, 2)]


def _first_assignment(db, sitting):
    from app.participants.queries import find_waiting_assignment

    return find_waiting_assignment(db, sitting).id
