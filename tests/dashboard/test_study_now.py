"""A study at one moment."""

from dataclasses import replace

from app.clips.models import ClipState
from app.dashboard.study_now import ClipNow, StudyNow
from app.participants.queries import SittingCounts
from app.studies.models import StudyState

CLIP = ClipNow(1, 1, "calm", "a", "/clips/x.mp4", ClipState.ready, 9, 9, "", 10.0, (1, 0, 3))
NOW = StudyNow(
    slug="s",
    title="S",
    state=StudyState.open,
    version_id=1,
    scale=("no", "maybe", "yes"),
    sittings=SittingCounts(created=5, started=1, consented=2, finished=3, declined=4),
    clips=(CLIP, replace(CLIP, id=2, state=ClipState.queued, counts=(0, 0, 0))),
    n_raters=4,
)


def test_the_mean_of_a_clip_is_over_its_raters():
    assert CLIP.n_ratings == 4
    assert CLIP.mean == (1 * 1 + 3 * 3) / 4


def test_a_clip_that_nobody_rated_has_no_mean():
    assert NOW.clips[1].mean is None


def test_people_who_opened_their_link_have_started_and_are_in_progress_until_they_are_through():
    assert NOW.n_started == 1 + 2 + 3 + 4
    assert NOW.n_in_progress == 1 + 2


def test_the_counts_are_a_table_of_clips_and_answers():
    assert NOW.counts().tolist() == [[1, 0, 3], [0, 0, 0]]
    assert NOW.n_ratings == 4
    assert NOW.count_clips(ClipState.ready) == 1
    assert replace(NOW, clips=()).counts().shape == (0, 3)


def test_two_moments_are_equal_when_nothing_has_happened():
    assert replace(NOW) == NOW
    assert replace(NOW, clips=(replace(CLIP, counts=(1, 1, 3)), NOW.clips[1])) != NOW
    assert replace(NOW, state=StudyState.closed) != NOW
