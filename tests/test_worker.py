"""A real worker process films what is queued, keeps reasons, and stops cleanly."""

import signal
import time

from sqlalchemy import select

from app.clips.importing import import_scene
from app.clips.models import Clip, ClipState
from app.clips.render_request import request_clip
from app.jobs import WorkerBeat
from app.rendering.style import FilmStyle
from app.worker import may_pass_next_time, reason_of
from tests.factories.platform import NOW
from tests.factories.scenes import straight_road_scene
from tests.factories.workers import (
    clip_states,
    queue_clips,
    running_worker,
    wait_until_settled,
)


def test_a_worker_films_what_is_queued_and_keeps_the_reason_of_what_it_cannot(
    settings, database, storage, jobs
):
    queue_clips(settings, database, 3)
    with database.write.begin() as db:
        record = import_scene(db, storage, straight_road_scene(), NOW)
        impossible = request_clip(db, jobs, record, FilmStyle(start_s=1000.0), NOW)
    with running_worker(settings) as process:
        states = wait_until_settled(database, timeout_s=40)
        assert states == [ClipState.ready] * 3 + [ClipState.failed]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    with database.read.begin() as db:
        reason = db.scalars(select(Clip.reason).where(Clip.id == impossible.id)).one()
        assert reason
        assert "Error" not in reason  # a sentence, not a traceback
        assert db.scalars(select(WorkerBeat)).all() == []


def test_a_worker_shows_that_it_lives(settings, database):
    with running_worker(settings):
        deadline = time.monotonic() + 20
        beats = []
        while not beats and time.monotonic() < deadline:
            time.sleep(0.1)
            with database.read.begin() as db:
                beats = db.scalars(select(WorkerBeat.seen_epoch_s)).all()
    assert len(beats) == 1
    assert clip_states(database) == []


def test_a_scene_that_cannot_be_filmed_is_not_tried_again():
    assert not may_pass_next_time(ValueError("the scene has no ego"))
    assert may_pass_next_time(OSError("no space left on device"))


def test_the_reason_is_a_sentence_or_names_the_error():
    assert reason_of(ValueError("the scene has no ego")) == "the scene has no ego"
    assert reason_of(OSError("disk full")) == "OSError: disk full"
