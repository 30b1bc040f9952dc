"""A clip's row and its job are both there or both absent."""

import pytest
from sqlalchemy import text

from app.clips.importing import import_scene
from app.clips.models import Clip, ClipState
from app.clips.render_request import (
    NotFailed,
    attempt_of,
    cancel_clip,
    content_key_of,
    film_first,
    job_key,
    request_clip,
    request_footage_clip,
    resume_clip,
    retry_clip,
)
from app.jobs import Urgency
from app.rendering.style import FilmStyle
from tests.factories.platform import NOW, make_clip, make_footage
from tests.factories.scenes import straight_road_scene


def queued_jobs(database) -> list[str]:
    schema = "" if database.url.get_backend_name() == "sqlite" else "dbos."
    query = (
        f"SELECT workflow_uuid FROM {schema}workflow_status "  # noqa: S608
        "WHERE status = 'ENQUEUED' ORDER BY priority, created_at, workflow_uuid"
    )
    with database.read.begin() as db:
        return list(db.scalars(text(query)))


def request(db, storage, jobs, style=None):
    record = import_scene(db, storage, straight_road_scene(), NOW)
    return request_clip(db, jobs, record, style or FilmStyle(), NOW)


def test_a_requested_clip_is_queued_with_its_job(database, storage, jobs):
    with database.write.begin() as db:
        clip = request(db, storage, jobs)
    assert clip.state == ClipState.queued
    assert queued_jobs(database) == [job_key(clip)]


def test_the_same_clip_twice_is_one_row_and_one_job(database, storage, jobs):
    with database.write.begin() as db:
        assert request(db, storage, jobs).id == request(db, storage, jobs).id
    assert len(queued_jobs(database)) == 1


def test_another_style_is_another_clip(database, storage, jobs):
    with database.write.begin() as db:
        request(db, storage, jobs)
        request(db, storage, jobs, FilmStyle(fps=25))
    assert len(queued_jobs(database)) == 2


def test_a_clip_of_footage_is_queued_once_too(database, jobs):
    with database.write.begin() as db:
        footage = make_footage(db)
        clips = [request_footage_clip(db, jobs, footage, FilmStyle(), NOW) for _ in range(2)]
    assert clips[0] is clips[1]
    assert (clips[0].footage_id, clips[0].scene_id) == (footage.id, None)
    assert queued_jobs(database) == [job_key(clips[0])]


def test_a_transaction_that_fails_leaves_neither_row_nor_job(database, storage, jobs):
    with pytest.raises(RuntimeError), database.write.begin() as db:
        request(db, storage, jobs)
        raise RuntimeError
    assert queued_jobs(database) == []
    with database.read.begin() as db:
        assert db.query(Clip).count() == 0


def test_a_failed_clip_is_tried_again_as_a_new_job(database, storage, jobs):
    with database.write.begin() as db:
        clip = request(db, storage, jobs)
        clip.state, clip.reason = ClipState.failed, "the disk was full"
        retry_clip(db, jobs, clip)
    assert (clip.state, clip.reason) == (ClipState.queued, "")
    assert len(queued_jobs(database)) == 2


@pytest.mark.parametrize("state", [ClipState.queued, ClipState.rendering, ClipState.ready])
def test_only_a_failed_clip_can_be_tried_again(database, jobs, state):
    with database.write.begin() as db:
        clip = make_clip(db, state)
        with pytest.raises(NotFailed, match=state):
            retry_clip(db, jobs, clip)


def test_a_cancelled_clip_has_no_job_any_more(database, storage, jobs):
    with database.write.begin() as db:
        clip = request(db, storage, jobs)
        cancel_clip(db, jobs, clip)
    assert clip.state == ClipState.cancelled
    assert queued_jobs(database) == []


@pytest.mark.parametrize("state", [ClipState.ready, ClipState.failed, ClipState.cancelled])
def test_what_is_over_is_not_cancelled(database, jobs, state):
    with database.write.begin() as db:
        clip = make_clip(db, state)
        cancel_clip(db, jobs, clip)
        assert clip.state == state


def test_asking_again_for_a_cancelled_clip_queues_it_anew(database, storage, jobs):
    with database.write.begin() as db:
        clip = request(db, storage, jobs)
        cancel_clip(db, jobs, clip)
        assert request(db, storage, jobs) is clip
    assert (clip.state, clip.attempt) == (ClipState.queued, 2)
    assert queued_jobs(database) == [job_key(clip)]


def test_only_a_cancelled_clip_is_resumed(database, jobs):
    with database.write.begin() as db:
        stopped, failed = make_clip(db, ClipState.cancelled), make_clip(db, ClipState.failed)
        for clip in (stopped, failed):
            resume_clip(db, jobs, clip)
    assert (stopped.state, failed.state) == (ClipState.queued, ClipState.failed)


def test_a_preview_stands_before_clips_that_waited_longer(database, storage, jobs):
    with database.write.begin() as db:
        earlier = request(db, storage, jobs)
        record = import_scene(db, storage, straight_road_scene(), NOW)
        preview = request_clip(db, jobs, record, FilmStyle(fps=25), NOW, Urgency.preview)
    assert queued_jobs(database) == [job_key(preview), job_key(earlier)]


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_a_clip_that_waits_can_be_put_first_and_is_still_queued_once(
    database, storage, jobs, is_cancelled
):
    with database.write.begin() as db:
        earlier = request(db, storage, jobs)
        clip = request(db, storage, jobs, FilmStyle(fps=25))
        if is_cancelled:
            cancel_clip(db, jobs, clip)
        film_first(db, jobs, clip)
    assert queued_jobs(database) == [job_key(clip), job_key(earlier)]


def test_a_jobs_key_tells_its_content_and_attempt(database):
    with database.write.begin() as db:
        clip = make_clip(db)
        clip.attempt = 7
        assert content_key_of(job_key(clip)) == clip.content_key
        assert attempt_of(job_key(clip)) == 7
