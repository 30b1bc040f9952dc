"""The terminal shows how far a study's films are, and ends when nothing is left to film."""

import io

from rich.console import Console

from app.cli.context import Parts
from app.cli.filming import is_somebody_filming, watch_filming, why_failed
from app.clips.models import ClipState
from app.jobs import beat
from app.studies.models import StudyState
from tests.factories.platform import make_clip, make_study
from tests.factories.workers import queue_clips, running_worker


def test_the_bar_ends_when_every_clip_is_filmed(settings, database, storage, jobs):
    clips = queue_clips(settings, database, 3)
    with database.write.begin() as db:
        study = make_study(db, clips=[db.merge(clip) for clip in clips], state=StudyState.draft)
    screen = io.StringIO()
    with running_worker(settings):
        parts = Parts(settings, database, storage, jobs)
        now = watch_filming(parts, study.id, Console(file=screen, width=120))
    assert now.count_clips(ClipState.ready) == 3
    assert why_failed(now) == ""
    assert "3 of 3 clips" in screen.getvalue()


def test_a_failed_clip_is_told_with_its_reason(settings, database, storage, jobs):
    with database.write.begin() as db:
        clips = [make_clip(db), make_clip(db, ClipState.failed)]
        clips[1].reason = "the scene has no ego"
        study = make_study(db, n_clips=2, clips=clips, state=StudyState.draft)
    parts = Parts(settings, database, storage, jobs)
    now = watch_filming(parts, study.id, Console(file=io.StringIO()))
    assert why_failed(now) == "clip clip-2 could not be filmed: the scene has no ego"


def test_whether_somebody_films_is_known_by_the_workers_beat(settings, database, storage, jobs):
    parts = Parts(settings, database, storage, jobs)
    assert not is_somebody_filming(parts)
    with database.write.begin() as db:
        beat(db, "w")
    assert is_somebody_filming(parts)
