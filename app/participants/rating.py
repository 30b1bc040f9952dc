"""Where an answer is saved: once per clip and sitting, whatever is clicked twice or resent."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from app.db import insert_into, insert_unless_there
from app.errors import Conflict, Invalid, NotFound
from app.participants.enrolment import require_open
from app.participants.models import Assignment, ClipCount, Rating, Sitting
from app.participants.queries import find_assignment, find_waiting_assignment
from app.studies.queries import document_of


class OutOfTurn(Conflict):
    """The clip is not the one this sitting is waiting for."""


class AnswerOutsideScale(Invalid):
    """No option of the scale was chosen."""


def record_rating(
    db: Session,
    sitting: Sitting,
    assignment_id: int,
    answer: int | None,
    now: datetime,
    watched_s: float | None = None,
    on_page_s: float | None = None,
) -> bool:
    """Save the answer to the clip this sitting is waiting for; False if it has one already.

    A double click or a resent form names a clip that is rated: the first answer stays, and
    the sender is answered like the first time. All refusals come before anything is written.
    """
    assignment = find_assignment(db, sitting, assignment_id)
    if assignment is None:
        raise NotFound("This sitting has no such clip.")
    if assignment.rating is not None:
        return False
    require_open(db, sitting.study)
    _require_turn(db, sitting, assignment)
    answer = _require_answer(sitting, answer)
    values = {
        "assignment_id": assignment.id,
        "answer": answer,
        "answered_at": now,
        "watched_s": watched_s,
        "on_page_s": on_page_s,
    }
    if not insert_unless_there(db, Rating, values, ["assignment_id"]):
        return False
    _add_to_count(db, assignment.study_clip_id, answer)
    if find_waiting_assignment(db, sitting) is None:
        sitting.finished_at = now
    return True


def _require_turn(db: Session, sitting: Sitting, assignment: Assignment) -> None:
    waiting = find_waiting_assignment(db, sitting)
    if waiting is not None and waiting.position < assignment.position:
        raise OutOfTurn(
            "That answer was for a later video and was not saved. Please go on with this one."
        )


def _require_answer(sitting: Sitting, answer: int | None) -> int:
    n_categories = len(document_of(sitting.version).scale)
    if answer is None or not 1 <= answer <= n_categories:
        raise AnswerOutsideScale("Please choose one of the options below.")
    return answer


def _add_to_count(db: Session, study_clip_id: int, answer: int) -> None:
    statement = insert_into(db, ClipCount).values(study_clip_id=study_clip_id, answer=answer, n=1)
    one_more = {"n": ClipCount.n + 1}
    db.execute(statement.on_conflict_do_update(index_elements=COUNT_KEY, set_=one_more))


COUNT_KEY = ["study_clip_id", "answer"]
