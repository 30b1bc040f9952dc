from datetime import timedelta

import pytest
from sqlalchemy import select

from app.participants.consent import NotTicked, agree, decline
from app.participants.enrolment import StudyNotOpen, create_links
from app.participants.models import Assignment
from app.studies.design import clip_order
from app.studies.document import Order
from app.studies.models import Study
from app.studies.queries import get_current_version, list_study_clips
from tests.factories.platform import NOW, make_study

LATER = NOW + timedelta(minutes=1)


def order_of(db, sitting):
    query = select(Assignment).where(Assignment.sitting_id == sitting.id)
    return [row.study_clip_id for row in db.scalars(query.order_by(Assignment.position))]


def test_consent_draws_every_clip_in_the_order_of_the_sittings_seed(database, make_sitting):
    with database.write.begin() as db:
        study = make_study(db, n_clips=8, order="random")
        sitting = make_sitting(db, study)
        clips = list_study_clips(db, study)
        expected = [clips[i].id for i in clip_order(Order.random, 8, sitting.seed)]
        assert order_of(db, sitting) == expected


def test_a_second_consent_draws_nothing_new(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study)
        agree(db, sitting, True, LATER)
        assert sitting.consented_at == NOW
        assert len(order_of(db, sitting)) == 3


def test_the_box_must_be_ticked(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study, consented=False)
        with pytest.raises(NotTicked):
            agree(db, sitting, False, NOW)
        assert sitting.consented_at is None
        assert order_of(db, sitting) == []


def test_the_first_decision_stays(database, study, make_sitting):
    with database.write.begin() as db:
        declined = make_sitting(db, study, consented=False)
        decline(db, declined, NOW)
        agree(db, declined, True, LATER)
        agreed = make_sitting(db, study)
        decline(db, agreed, LATER)
        assert (declined.consented_at, declined.declined_at) == (None, NOW)
        assert (agreed.consented_at, agreed.declined_at) == (NOW, None)


def test_agreeing_starts_a_link_that_was_not_started(database, study):
    with database.write.begin() as db:
        (sitting,) = create_links(db, study, get_current_version(db, study), 1, NOW)
        sitting.study = study
        agree(db, sitting, True, LATER)
        assert sitting.started_at == LATER


def test_nobody_consents_in_a_closed_study(database, study, make_sitting):
    with database.write.begin() as db:
        sitting = make_sitting(db, study, consented=False)
        db.merge(study).state = "closed"
        db.flush()
        assert db.get(Study, study.id).state == "closed"
        with pytest.raises(StudyNotOpen):
            agree(db, sitting, True, NOW)
