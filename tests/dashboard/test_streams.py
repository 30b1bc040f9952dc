"""Events carry what has changed, drawn from the page's own templates."""

import json

from app.auth.models import Role
from app.clips.models import ClipState
from app.config import Settings
from app.dashboard.composing import read_facts
from app.dashboard.queries import read_study_now
from app.dashboard.streams import LivePartsWriter, StudyPartsWriter, only_new, write_json
from tests.factories.answers import answer_clips, rate_study, sit_down
from tests.factories.platform import make_clip, make_study, make_user


def test_only_new_lines_are_sent_and_remembered():
    seen = set()
    assert only_new(["a", "b"], seen) == ["a", "b"]
    assert only_new(["a", "c"], seen) == ["c"]
    assert only_new(["b", "c"], seen) == ["b"]


def test_the_live_page_is_sent_whole_at_first_and_then_the_clip_that_was_rated(database):
    write = LivePartsWriter()
    with database.write.begin() as db:
        study = make_study(db, n_clips=2)
        rate_study(db, study, [[1, 5], [1, 5]])
        first = write(read_study_now(db, study.id))
        assert first.count("<tr id=") == 2
        answer_clips(db, sit_down(db, study), [3])
        second = write(read_study_now(db, study.id))
    assert second.count("<tr id=") == 1
    assert 'id="kappas"' in second
    assert 'id="kappa-standard">1.000' in first
    assert 'id="kappa-standard">1.000' not in second


def test_the_study_page_is_sent_the_film_that_went_on(database):
    with database.write.begin() as db:
        films = [make_clip(db, state) for state in (ClipState.ready, ClipState.rendering)]
        study = make_study(db, n_clips=2, clips=films)
        facts = read_facts(db, study, make_user(db, role=Role.admin), Settings())
        write = StudyPartsWriter(facts)
        write(read_study_now(db, study.id))
        films[1].frames_total, films[1].frames_done = 300, 120
        db.flush()
        sent = write(read_study_now(db, study.id))
    assert sent.count("<tr id=") == 1
    assert "120 of 300 frames" in sent


def test_programs_get_json(database):
    with database.write.begin() as db:
        study = make_study(db, n_clips=2)
        rate_study(db, study, [[1, 5], [1, 5]])
        sent = json.loads(write_json(read_study_now(db, study.id)))
    assert sent["agreement"]["standard"]["kappa"] == 1.0
    assert sent["clips"][1]["counts"] == [0, 0, 0, 0, 2]
