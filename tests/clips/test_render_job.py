"""A clip is filmed, shows how far it is, and keeps the reason if it fails."""

import io

import av
import pytest
from PIL import Image
from sqlalchemy import select, update

from app.clips.footage import import_footage
from app.clips.importing import import_scene
from app.clips.models import Clip, ClipState
from app.clips.render_job import (
    NoLongerWanted,
    ProgressNotes,
    fail_clips_set_aside,
    mark_failed,
    queue_orphans,
    render_clip,
)
from app.clips.render_request import (
    cancel_clip,
    film_first,
    job_key,
    request_clip,
    request_footage_clip,
)
from app.db import open_database
from app.jobs import engine_jobs
from app.rendering.footage import inspect_footage
from app.rendering.style import FilmStyle
from app.storage import Storage
from tests.factories.footage import make_film
from tests.factories.platform import NOW, make_clip
from tests.factories.scenes import straight_road_scene

SMALL = FilmStyle(width_px=160, height_px=90, fps=10, duration_s=0.5, lead_in_s=0.0, fade_s=0.0)


@pytest.fixture
def clip(database, storage, jobs):
    with database.write.begin() as db:
        record = import_scene(db, storage, straight_road_scene(), NOW)
        return request_clip(db, jobs, record, SMALL, NOW)


def reload(database, clip_id) -> Clip:
    with database.read.begin() as db:
        return db.scalars(select(Clip).where(Clip.id == clip_id)).one()


def test_a_filmed_clip_is_ready_and_its_file_plays(database, storage, clip):
    render_clip(database, storage, clip.id)
    done = reload(database, clip.id)
    assert done.state == ClipState.ready
    with av.open(io.BytesIO(storage.get(done.file_key))) as video:
        assert sum(1 for _ in video.decode(video=0)) == done.frames_total == done.frames_done


def test_footage_is_filmed_again_in_the_clips_style(database, storage, jobs, tmp_path):
    path = make_film(tmp_path / "a.mp4", size_px=(320, 240))
    with database.write.begin() as db:
        footage = import_footage(db, storage, path, inspect_footage(path), NOW)
        clip = request_footage_clip(db, jobs, footage, SMALL, NOW)
    render_clip(database, storage, clip.id)
    done = reload(database, clip.id)
    assert (done.state, done.duration_s, done.frames_total) == (ClipState.ready, 0.5, 5)
    with av.open(io.BytesIO(storage.get(done.file_key))) as video:
        assert (video.streams.video[0].width, video.streams.video[0].height) == (160, 90)


def test_a_scenes_film_has_a_thumbnail_that_moves_and_one_that_does_not(database, storage, clip):
    render_clip(database, storage, clip.id)
    assert_has_thumbnails(storage, clip)


def test_footage_has_them_too(database, storage, jobs, tmp_path):
    path = make_film(tmp_path / "a.mp4", size_px=(320, 240))
    with database.write.begin() as db:
        footage = import_footage(db, storage, path, inspect_footage(path), NOW)
        clip = request_footage_clip(db, jobs, footage, SMALL, NOW)
    render_clip(database, storage, clip.id)
    assert_has_thumbnails(storage, clip)


def assert_has_thumbnails(storage, clip):
    small = Image.open(io.BytesIO(storage.get(f"clips/{clip.content_key}.webp")))
    assert (small.size, small.is_animated) == ((320, 180), True)
    still = Image.open(io.BytesIO(storage.get(f"clips/{clip.content_key}.png")))
    still.load()
    assert (still.size, getattr(still, "is_animated", False)) == ((320, 180), False)


def test_a_clip_is_not_ready_before_its_thumbnail_is_there(database, storage, clip):
    # A folder where the file should be: it cannot be written.
    (storage.folder / f"clips/{clip.content_key}.webp").mkdir(parents=True)
    with pytest.raises(OSError, match="webp"):
        render_clip(database, storage, clip.id)
    assert reload(database, clip.id).state == ClipState.rendering


def test_filming_twice_gives_the_same_file(database, storage, clip):
    render_clip(database, storage, clip.id)
    first = storage.get(clip.file_key)
    render_clip(database, storage, clip.id)
    assert storage.get(clip.file_key) == first
    assert reload(database, clip.id).state == ClipState.ready


def test_a_ready_clip_stays_ready_when_its_job_runs_again(database, storage, clip):
    render_clip(database, storage, clip.id)
    full = Storage(storage.folder / "full")  # the second run could not even read the scene
    full.put(clip.file_key, storage.get(clip.file_key))
    render_clip(database, full, clip.id)
    assert reload(database, clip.id).state == ClipState.ready


@pytest.fixture
def filming(database, clip):
    """The clip while a worker films it."""
    with database.write.begin() as db:
        db.get_one(Clip, clip.id).state = ClipState.rendering
    return clip


def test_progress_is_written_while_the_camera_runs(database, filming):
    ProgressNotes(database, filming.id).note(3, 12)
    halfway = reload(database, filming.id)
    assert (halfway.frames_done, halfway.frames_total) == (3, 12)


def test_progress_is_not_written_for_every_frame(database, filming):
    progress = ProgressNotes(database, filming.id)
    for done in range(1, 10):
        progress.note(done, 12)
    assert reload(database, filming.id).frames_done == 1


def test_a_failed_clip_keeps_its_reason(database, clip):
    with database.write.begin() as db:
        mark_failed(db, clip.id, 1, "the scene has no ego")
    assert reload(database, clip.id).reason == "the scene has no ego"


def test_a_clip_that_got_ready_meanwhile_does_not_fail(database, storage, clip):
    render_clip(database, storage, clip.id)
    with database.write.begin() as db:
        mark_failed(db, clip.id, 1, "too late")
    assert reload(database, clip.id).state == ClipState.ready


def test_a_clip_that_kills_its_workers_is_set_aside_with_the_reason(database):
    with database.write.begin() as db:
        deadly, harmless = make_clip(db, ClipState.rendering), make_clip(db, ClipState.queued)
        fail_clips_set_aside(db, frozenset({job_key(deadly)}))
    assert (deadly.state, harmless.state) == (ClipState.failed, ClipState.queued)
    assert "every time" in deadly.reason


def test_what_came_out_and_how_long_it_took_is_kept(database, storage, clip):
    render_clip(database, storage, clip.id)
    done = reload(database, clip.id)
    assert (done.width_px, done.height_px, done.fps, done.frames_total) == (160, 90, 10, 5)
    assert 0 < done.filming_s < 60


def test_a_cancelled_clip_is_not_filmed_when_its_turn_comes(database, storage, jobs, clip):
    with database.write.begin() as db:
        cancel_clip(db, jobs, db.merge(clip))
    render_clip(database, storage, clip.id)
    assert reload(database, clip.id).state == ClipState.cancelled
    assert not storage.exists(clip.file_key)


def test_filming_stops_between_two_pictures_when_the_clip_is_cancelled(database, jobs, filming):
    progress = ProgressNotes(database, filming.id)
    progress.note(1, 12)
    with database.write.begin() as db:
        cancel_clip(db, jobs, db.get_one(Clip, filming.id))
    progress.next_s = 0.0
    with pytest.raises(NoLongerWanted):
        progress.note(2, 12)
    stopped = reload(database, filming.id)
    assert (stopped.state, stopped.frames_done) == (ClipState.cancelled, 0)


def test_the_job_of_an_earlier_attempt_leaves_the_clip_to_the_new_one(
    database, storage, jobs, clip
):
    with database.write.begin() as db:
        film_first(db, jobs, db.get_one(Clip, clip.id))
    render_clip(database, storage, clip.id, attempt=1)
    assert reload(database, clip.id).state == ClipState.queued
    with database.write.begin() as db:
        mark_failed(db, clip.id, 1, "of no interest any more")
    render_clip(database, storage, clip.id, attempt=2)
    assert reload(database, clip.id).state == ClipState.ready


def test_a_database_that_does_not_answer_costs_a_note_and_not_the_film(database, filming):
    closed = open_database("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    ProgressNotes(closed, filming.id).note(1, 12)
    closed.close()
    assert reload(database, filming.id).state == ClipState.rendering


def test_a_clip_whose_job_ended_without_a_film_is_queued_again(database, jobs, clip):
    with database.write.begin() as db:
        queue_orphans(db, jobs)  # its job still waits: nothing is to be done
        assert db.get_one(Clip, clip.id).attempt == 1
        engine = engine_jobs(db)
        db.execute(update(engine).values(status="ERROR"))
        queue_orphans(db, jobs)
        queue_orphans(db, jobs)
    again = reload(database, clip.id)
    assert (again.state, again.attempt) == (ClipState.queued, 2)
