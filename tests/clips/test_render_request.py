"""A clip's row and its job are both there or both absent."""

import pytest
from sqlalchemy import text

from app.clips.importing import import_scene
from app.clips.models import Clip, ClipState
from app.clips.render_request import (
    NotFailed,
    job_key,
    request_clip,
    request_footage_clip,
    retry_clip,
)
from app.rendering.style import FilmStyle
from tests.factories.platform import NOW, make_clip, make_footage
from tests.factories.scenes import straight_road_scene


def queued_jobs(database) -> list[str]:
    schema = "" if database.url.get_backend_name() == "sqlite" else "dbos."
    query = f"SELECT workflow_uuid FROM {schema}workflow_status ORDER BY 1"  # noqa: S608
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
