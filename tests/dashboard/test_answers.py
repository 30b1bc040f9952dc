"""What the API answers is what the command line prints."""

import json

import numpy as np

from app.agreement.report import agreement_report
from app.agreement.summary import summarise
from app.dashboard.answers import agreement_answer, study_event
from app.dashboard.queries import read_study_now
from tests.factories.answers import rate_study
from tests.factories.platform import make_study


def test_the_answer_is_the_report_field_by_field_in_its_order():
    summary = summarise(np.array([[2, 0, 1], [0, 3, 0], [1, 0, 2]]), 3)
    answer = json.loads(agreement_answer(summary).model_dump_json())
    assert json.dumps(answer) == json.dumps(agreement_report(summary))


def test_what_is_undefined_is_null_with_its_reason():
    answer = agreement_answer(summarise(np.zeros((3, 5), dtype=np.int64), 0))
    assert (answer.status, answer.standard.kappa, answer.published.kappa) == (
        "NO_RATINGS",
        None,
        None,
    )
    assert answer.warnings == ["There are no ratings yet."]


def test_an_event_has_people_clips_and_agreement(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=2)
        rate_study(db, study, [[1, 5], [2]])
        event = study_event(read_study_now(db, study.id))
    assert (event.sittings.started, event.sittings.in_progress, event.sittings.finished) == (
        2,
        1,
        1,
    )
    assert event.clips[0].counts == [1, 1, 0, 0, 0]
    assert event.clips[0].mean == 1.5
    assert event.agreement.n_ratings == event.n_ratings == 3
