"""A real worker process films what is queued, keeps reasons, and stops cleanly."""

import signal
import subprocess
import sys
import time

from sqlalchemy import select

from app.clips.importing import import_scene
from app.clips.models import Clip, ClipState
from app.clips.render_request import cancel_clip, request_clip
from app.config import ROOT
from app.jobs import Urgency, WorkerBeat, engine_jobs, list_silent_workers
from app.rendering import encoder
from app.rendering.style import FilmStyle
from app.worker import may_pass_next_time, reason_of
from tests.factories.platform import NOW
from tests.factories.scenes import straight_road_scene
from tests.factories.waiting import wait_until
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


def test_a_preview_overtakes_a_thousand_queued_clips(settings, database):
    one_at_a_time = settings.model_copy(update={"worker_concurrency": 1})
    queue_clips(one_at_a_time, database, 1000)
    (preview,) = queue_clips(one_at_a_time, database, 1, first=1000, urgency=Urgency.preview)
    with running_worker(one_at_a_time):
        wait_until(lambda: clip_states(database).count(ClipState.ready) >= 1)
    with database.read.begin() as db:
        first = select(Clip.id).where(Clip.ready_at.is_not(None)).order_by(Clip.ready_at).limit(1)
        assert db.scalar(first) == preview.id


def test_a_clip_in_work_stops_soon_after_it_was_cancelled(settings, database, jobs):
    (clip,) = queue_clips(settings, database, 1, width_px=1920, seconds=60.0)
    with running_worker(settings) as process:
        wait_until(lambda: clip_states(database) == [ClipState.rendering])
        with database.write.begin() as db:
            cancel_clip(db, jobs, db.get_one(Clip, clip.id))
        wait_until(lambda: not jobs_in_work(database), timeout_s=5)
        assert process.poll() is None
    assert clip_states(database) == [ClipState.cancelled]


def test_a_worker_that_is_told_to_stop_finishes_the_clip_in_work(settings, database):
    queue_clips(settings, database, 1, width_px=960, seconds=5.0)
    with running_worker(settings) as process:
        wait_until(lambda: clip_states(database) == [ClipState.rendering])
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    assert clip_states(database) == [ClipState.ready]


def test_a_worker_without_time_to_finish_hands_the_clip_back_at_once(settings, database):
    hurried = settings.model_copy(update={"worker_stop_s": 1.0})
    queue_clips(hurried, database, 1, width_px=1920, seconds=60.0)
    with running_worker(hurried) as process:
        wait_until(lambda: clip_states(database) == [ClipState.rendering])
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0
    with database.read.begin() as db:
        (lost,) = list_silent_workers(db, settings.worker_lost_s)
    with running_worker(hurried):  # the first beat of another gives the clip to whoever is free
        wait_until(lambda: jobs_in_work(database) not in ([], [lost]), timeout_s=20)


def jobs_in_work(database) -> list[str]:
    """Names of the workers that have begun a job."""
    with database.read.begin() as db:
        jobs = engine_jobs(db)
        return list(db.scalars(select(jobs.c.executor_id).where(jobs.c.status == "PENDING")))


def test_a_worker_computes_on_one_thread_for_each_clip():
    look = (
        "import os, sys; sys.argv = ['roadrater', '--help']\n"
        "import app.cli.main as door\n"
        "try:\n    door.main()\n"
        "except SystemExit:\n"
        "    print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'],"
        " os.environ['MKL_NUM_THREADS'])\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", look], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert answer.stdout.splitlines()[-1] == "1 1 1"
    assert "threads=1" in encoder.CODEC_OPTIONS["x264-params"]
