"""A study opens when every clip has its film, and can be closed and opened again."""

from datetime import timedelta

import pytest

from app.clips.models import ClipState
from app.errors import Conflict
from app.studies.lifecycle import (
    ClipsDiffer,
    ClipsNotReady,
    NeverOpened,
    close_study,
    open_study,
)
from app.studies.models import StudyState
from app.studies.queries import get_study
from tests.factories.platform import NOW, make_clip, make_study

LATER = NOW + timedelta(hours=1)


def test_a_draft_whose_clips_are_ready_opens(database):
    with database.write.begin() as db:
        open_study(db, make_study(db, state=StudyState.draft), LATER)
    with database.read.begin() as db:
        study = get_study(db, "test-study")
        assert (study.state, study.opened_at, study.closed_at) == (StudyState.open, LATER, None)


def test_a_study_does_not_open_before_its_clips_are_ready(database):
    states = [ClipState.ready, ClipState.queued, ClipState.rendering, ClipState.failed]
    with database.write.begin() as db:
        clips = [make_clip(db, state) for state in states]
        make_study(db, n_clips=4, state=StudyState.draft, clips=clips)
    with pytest.raises(ClipsNotReady) as caught, database.write.begin() as db:
        open_study(db, get_study(db, "test-study"), LATER)
    assert str(caught.value) == (
        "3 of 4 clips of the study 'test-study' are not ready: "
        "clip-2 (queued), clip-3 (rendering), clip-4 (failed)."
    )
    with database.read.begin() as db:
        assert get_study(db, "test-study").state == StudyState.draft


def test_of_many_clips_that_are_not_ready_a_few_are_named(database):
    with database.write.begin() as db:
        clips = [make_clip(db, ClipState.queued) for _ in range(8)]
        study = make_study(db, n_clips=8, state=StudyState.draft, clips=clips)
        with pytest.raises(ClipsNotReady, match=r"^8 of 8 .* clip-5 \(queued\) and 3 more\.$"):
            open_study(db, study, NOW)


def test_opening_an_open_study_changes_nothing(database):
    with database.write.begin() as db:
        study = make_study(db, state=StudyState.draft)
        open_study(db, study, NOW)
        open_study(db, study, LATER)
        assert study.opened_at == NOW


def test_closing_a_closed_study_changes_nothing(database):
    with database.write.begin() as db:
        study = make_study(db)
        close_study(db, study, NOW)
        close_study(db, study, LATER)
        assert (study.state, study.closed_at) == (StudyState.closed, NOW)


def test_a_draft_cannot_be_closed(database):
    with database.write.begin() as db:
        study = make_study(db, state=StudyState.draft)
        with pytest.raises(NeverOpened, match="is a draft") as caught:
            close_study(db, study, NOW)
        assert isinstance(caught.value, Conflict)
        assert study.state == StudyState.draft


def test_a_closed_study_opens_again_and_remembers_its_first_opening(database):
    with database.write.begin() as db:
        study = make_study(db, state=StudyState.draft)
        open_study(db, study, NOW)
        close_study(db, study, LATER)
        open_study(db, study, LATER)
        assert (study.state, study.opened_at, study.closed_at) == (StudyState.open, NOW, None)


def test_who_opens_sees_what_another_has_just_closed(database):
    with database.write.begin() as db:
        make_study(db)
    with database.read.begin() as db:
        stale = get_study(db, "test-study")
    with database.write.begin() as db:
        close_study(db, get_study(db, "test-study"), NOW)
    with database.write.begin() as db:
        study = db.merge(stale, load=False)
        open_study(db, study, LATER)
        assert study.state == StudyState.open
    with database.read.begin() as db:
        assert get_study(db, "test-study").state == StudyState.open


def test_a_study_whose_clips_could_be_told_apart_does_not_open(database):
    with database.write.begin() as db:
        clips = [make_clip(db) for _ in range(3)]
        clips[1].duration_s = 9.0
        make_study(db, clips=clips, state=StudyState.draft)
    with pytest.raises(ClipsDiffer) as caught, database.write.begin() as db:
        open_study(db, get_study(db, "test-study"), LATER)
    assert str(caught.value) == (
        "1 of 3 clips of the study 'test-study' do not look like the others: "
        "clip-2 (duration_s is 9.0, not 10.0)."
    )
    with database.read.begin() as db:
        assert get_study(db, "test-study").state == StudyState.draft
