"""Filming is stopped and taken up again, and what nobody needs is not filmed."""

import pytest
from sqlalchemy import select

from app.clips.models import Clip, ClipState
from app.studies.creation import create_study
from app.studies.filming import FilmingNotStoppable, cancel_unused, film_the_rest, stop_filming
from app.studies.models import StudyState
from tests.factories.platform import NOW, make_clip, make_study, make_user

DOCUMENT = """
slug: films
title: Films
video: {width_px: 160, height_px: 90, fps: 10, duration_s: 1.0}
clips:
  - {name: a, scene: {simulate: highway, model: attentive, seed: 1}}
  - {name: b, scene: {simulate: highway, model: attentive, seed: SEED}}
"""


def states(clips) -> list[ClipState]:
    return [clip.state for clip in clips]


def test_stopping_keeps_what_is_ready_and_the_rest_is_filmed_on_demand(database, jobs):
    with database.write.begin() as db:
        clips = [make_clip(db, s) for s in (ClipState.ready, ClipState.rendering, ClipState.queued)]
        study = make_study(db, clips=clips, state=StudyState.draft)
        stop_filming(db, jobs, study)
        assert states(clips) == [ClipState.ready, ClipState.cancelled, ClipState.cancelled]
        film_the_rest(db, jobs, study)
        assert states(clips) == [ClipState.ready, ClipState.queued, ClipState.queued]


def test_a_clip_that_another_study_waits_for_is_still_filmed(database, jobs):
    with database.write.begin() as db:
        shared, own = (make_clip(db, ClipState.queued) for _ in range(2))
        study = make_study(db, n_clips=2, clips=[shared, own], state=StudyState.draft)
        make_study(db, n_clips=1, slug="other", clips=[shared], state=StudyState.draft)
        stop_filming(db, jobs, study)
        assert states([shared, own]) == [ClipState.queued, ClipState.cancelled]


@pytest.mark.parametrize("state", [StudyState.open, StudyState.closed])
def test_filming_is_only_stopped_for_a_draft(database, jobs, state):
    with database.write.begin() as db:
        study = make_study(db, state=state)
        with pytest.raises(FilmingNotStoppable, match=state):
            stop_filming(db, jobs, study)


def test_clips_in_no_study_are_not_filmed(database, jobs):
    with database.write.begin() as db:
        used, unused = (make_clip(db, ClipState.queued) for _ in range(2))
        make_study(db, n_clips=1, clips=[used], state=StudyState.draft)
        cancel_unused(db, jobs, [used.id, unused.id])
        assert states([used, unused]) == [ClipState.queued, ClipState.cancelled]


def test_a_new_version_of_a_draft_stops_the_clips_that_it_leaves_out(database, storage, jobs):
    with database.write.begin() as db:
        owner = make_user(db)
        for seed in ("2", "3"):
            text = DOCUMENT.replace("SEED", seed)
            create_study(db, storage, jobs, text, None, owner, NOW)
        kept, left_out, new = db.scalars(select(Clip).order_by(Clip.id))
        assert states([kept, left_out, new]) == [
            ClipState.queued,
            ClipState.cancelled,
            ClipState.queued,
        ]
        create_study(db, storage, jobs, DOCUMENT.replace("SEED", "2"), None, owner, NOW)
        assert states([kept, left_out, new]) == [
            ClipState.queued,
            ClipState.queued,
            ClipState.cancelled,
        ]
