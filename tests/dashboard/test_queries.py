"""Reading what happened."""

import pytest
from sqlalchemy import event

from app.clips.models import ClipState, SceneRecord
from app.dashboard.queries import (
    StudyTotals,
    count_ratings_by_sitting,
    get_clip_of_study,
    list_newest_sittings,
    read_rating_table,
    read_study_now,
    read_totals,
)
from app.errors import NotFound
from app.participants.enrolment import create_links
from app.studies.models import StudyClip
from app.studies.queries import get_current_version, list_study_clips
from tests.factories.answers import answer_clips, rate_study, sit_down
from tests.factories.platform import NOW, make_clip, make_study


@pytest.fixture
def db(database):
    with database.write.begin() as db:
        yield db


def test_a_study_is_read_with_its_clips_counts_and_people(db):
    study = make_study(db, n_clips=3)
    rate_study(db, study, [[1, 2, 3], [1, 4]])
    create_links(db, study, get_current_version(db, study), 2, NOW)
    now = read_study_now(db, study.id)
    assert [clip.name for clip in now.clips] == ["clip-1", "clip-2", "clip-3"]
    assert now.counts().tolist() == [[2, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 0]]
    assert (now.n_started, now.n_in_progress, now.sittings.finished) == (2, 1, 1)
    assert (now.sittings.created, now.n_raters) == (2, 2)


def test_what_has_not_changed_is_the_very_same_state(db):
    study = make_study(db)
    (sitting,) = rate_study(db, study, [[1]])
    before = read_study_now(db, study.id)
    assert read_study_now(db, study.id, before) is before
    answer_clips(db, sitting, [5])
    after = read_study_now(db, study.id, before)
    assert after is not before
    assert after.n_ratings == before.n_ratings + 1


@pytest.mark.parametrize(
    ("window", "words"),
    [
        ({"start_s": 4.0, "duration_s": 10.0}, ", 4 to 14 s"),
        ({"start_s": None, "duration_s": 10.0}, ", first 10 s"),
        ({}, ""),
    ],
)
def test_a_clip_says_which_seconds_of_what_it_shows(db, window, words):
    clip = make_clip(db)
    clip.style = window
    study = make_study(db, n_clips=1, clips=[clip])
    name = db.get_one(SceneRecord, clip.scene_id).name
    assert read_study_now(db, study.id).clips[0].shows == name + words


def test_a_film_that_goes_on_is_a_change(db):
    clip = make_clip(db, ClipState.rendering)
    study = make_study(db, n_clips=1, clips=[clip])
    before = read_study_now(db, study.id)
    clip.frames_total, clip.frames_done = 300, 30
    db.flush()
    assert read_study_now(db, study.id, before).clips[0].frames_done == 30


def test_looking_asks_the_same_few_questions_however_many_ratings_there_are(db):
    study = make_study(db, n_clips=4)
    asked = []
    event.listen(db.connection(), "before_cursor_execute", lambda *call: asked.append(call[2]))

    def count_questions() -> int:
        before = read_study_now(db, study.id)
        asked.clear()
        read_study_now(db, study.id, before)
        return len(asked)

    with_none = count_questions()
    rate_study(db, study, [[1, 2, 3, 4]] * 5)
    assert count_questions() == with_none <= 4
    assert not any("FROM ratings" in question for question in asked)


def test_the_table_of_ratings_says_who_gave_which_clip_which_answer(db):
    study = make_study(db, n_clips=3)
    sittings = rate_study(db, study, [[5, 4, 3], [1]])
    rate_study(db, make_study(db, slug="other"), [[2, 2, 2]])
    table = read_rating_table(db, study, ("1", "2", "3", "4", "5"))
    assert table.clips == ("clip-1", "clip-2", "clip-3")
    assert table.raters == tuple(sitting.pseudonym for sitting in sittings)
    assert table.scores().tolist() == [[5, 1], [4, 0], [3, 0]]


def test_the_table_of_a_study_without_ratings_is_empty(db):
    assert read_rating_table(db, make_study(db), ("1", "2")).n_ratings == 0


def test_totals_are_of_each_study_alone(db):
    films = [make_clip(db, state) for state in (ClipState.ready, ClipState.failed)]
    filming = make_study(db, slug="filming", n_clips=2, clips=films)
    rated = make_study(db, slug="rated", n_clips=2)
    rate_study(db, rated, [[1, 2], [3]])
    totals = read_totals(db, [filming, rated])
    assert totals[filming.id] == StudyTotals(n_clips=2, n_ready=1, n_failed=1)
    assert totals[rated.id] == StudyTotals(n_clips=2, n_ready=2, n_finished=1, n_ratings=3)
    assert read_totals(db, []) == {}


def test_sittings_are_listed_newest_first_with_how_much_they_rated(db):
    study = make_study(db)
    first, second = rate_study(db, study, [[1, 2], [3]])
    third = sit_down(db, study)
    assert list_newest_sittings(db, study, 2) == [third, second]
    rated = count_ratings_by_sitting(db, study)
    assert (rated[first.id], rated[second.id], rated[third.id]) == (2, 1, 0)


def test_a_clip_of_another_study_is_not_found(db):
    study, other = make_study(db), make_study(db, slug="other")
    mine: StudyClip = list_study_clips(db, study)[0]
    assert get_clip_of_study(db, study, mine.id).id == mine.clip_id
    with pytest.raises(NotFound):
        get_clip_of_study(db, other, mine.id)
