"""How far the films are is told in pictures; how long the rest takes, from what was measured."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.clips.models import ClipState
from app.dashboard.filming_progress import filming_progress, rounded
from app.dashboard.study_now import ClipNow, StudyNow
from app.participants.queries import SittingCounts
from app.studies.models import StudyState
from tests.factories.platform import NOW

READY = ClipNow(1, 1, "a", "x", "/clips/x.mp4", ClipState.ready, 300, 300, "", 10.0, (), 3.0, NOW)
QUEUED = replace(
    READY, state=ClipState.queued, frames_done=0, frames_total=0, filming_s=None, ready_at=None
)
RENDERING = replace(QUEUED, state=ClipState.rendering, frames_done=100, frames_total=300)


def progress(*clips: ClipNow):
    counts = SittingCounts(0, 0, 0, 0, 0)
    return filming_progress(
        StudyNow("s", "S", StudyState.draft, 1, ("bad", "good"), counts, clips, 0)
    )


def test_a_clip_in_work_counts_with_the_pictures_that_are_done():
    now = progress(READY, RENDERING, QUEUED)
    assert (now.n_ready, now.n_clips) == (1, 3)
    assert (now.frames_done, now.frames_total) == (400, 900)


def test_the_rest_takes_as_long_as_the_last_clips_took():
    # 200 pictures of the clip in work and 300 of the one that waits, at 0.01 s each.
    assert progress(READY, RENDERING, QUEUED).left_s == pytest.approx(5.0)


def test_films_made_side_by_side_take_half_as_long():
    assert progress(READY, READY, RENDERING).left_s == pytest.approx(1.0)


def test_a_night_without_filming_is_not_counted():
    next_day = replace(READY, ready_at=NOW + timedelta(days=1))
    assert progress(READY, next_day, RENDERING).left_s == pytest.approx(2.0)


def test_only_the_last_ten_clips_tell_the_speed():
    slow = [replace(READY, filming_s=300.0)] * 5
    later = [replace(READY, ready_at=NOW + timedelta(minutes=n)) for n in range(1, 11)]
    assert progress(*slow, *later, RENDERING).left_s == pytest.approx(2.0)


@pytest.mark.parametrize("clips", [[RENDERING, QUEUED], [READY]])
def test_nothing_is_guessed_before_something_was_measured_or_when_all_is_done(clips):
    now = progress(*clips)
    assert now.left_s is None
    assert now.words == f"{now.n_ready} of {now.n_clips} clips"


def test_it_is_put_into_words():
    assert progress(READY, RENDERING, QUEUED).words == "1 of 3 clips, about 5 s left"


@pytest.mark.parametrize(
    ("time_s", "told"),
    [(0.2, "5 s"), (36.0, "40 s"), (61.0, "2 min"), (3599.0, "60 min"), (5400.0, "1.5 h")],
)
def test_a_time_is_told_as_roughly_as_it_is_known(time_s, told):
    assert rounded(time_s) == told
