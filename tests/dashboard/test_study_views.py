"""A study, its films and its people in words."""

from dataclasses import replace

from app.clips.models import ClipState
from app.dashboard.queries import StudyTotals
from app.dashboard.study_now import ClipNow, StudyNow
from app.dashboard.study_views import (
    StudyFacts,
    filmed_clip,
    sitting_line,
    study_line,
    study_view,
)
from app.participants.models import Sitting
from app.participants.queries import SittingCounts
from app.studies.models import StudyState
from tests.factories.platform import NOW, make_study, make_user

CLIP = ClipNow(7, 1, "calm", "a", "/clips/x.mp4", ClipState.ready, 300, 300, "", 10.0, (0, 0))
DRAFT = StudyNow(
    slug="s",
    title="S",
    state=StudyState.draft,
    version_id=1,
    scale=("no", "yes"),
    sittings=SittingCounts(0, 0, 0, 0, 0),
    clips=(CLIP, replace(CLIP, id=8, state=ClipState.failed, reason="No ego.")),
    n_raters=0,
)
FACTS = StudyFacts(True, "http://x/study/s", 1, "ab" * 32, "ada@example.org")


def test_a_failed_film_says_why_and_can_be_tried_again_by_who_may_change_the_study():
    failed = filmed_clip(DRAFT.clips[1], "s", may_write=True)
    assert (failed.state, failed.reason, failed.url) == ("Failed", "No ego.", "")
    assert failed.retry_path == "/admin/studies/s/clips/8/retry"
    assert filmed_clip(DRAFT.clips[1], "s", may_write=False).retry_path == ""


def test_a_clip_says_what_it_is_of():
    clip = replace(CLIP, shows="cross, 4 to 14 s")
    assert filmed_clip(clip, "s", may_write=False).shows == "cross, 4 to 14 s"


def test_a_ready_film_can_be_watched_and_has_nothing_to_retry():
    ready = filmed_clip(CLIP, "s", may_write=True)
    assert (ready.url, ready.duration, ready.retry_path) == ("/clips/x.mp4", "10.0 s", "")


def test_only_a_ready_film_has_a_thumbnail_and_a_still_one():
    ready = filmed_clip(CLIP, "s", may_write=False)
    assert (ready.thumbnail_url, ready.still_url) == ("/clips/x.webp", "/clips/x.png")
    failed = filmed_clip(DRAFT.clips[1], "s", may_write=False)
    assert (failed.thumbnail_url, failed.still_url) == ("", "")


def test_a_film_under_way_shows_its_frames_even_before_their_number_is_known():
    running = replace(CLIP, state=ClipState.rendering, frames_done=0, frames_total=0)
    assert filmed_clip(running, "s", may_write=True).frames_total == 1


def test_a_draft_can_be_opened_when_every_film_is_ready():
    view = study_view(DRAFT, FACTS)
    assert (view.can_open, view.films) == (False, "1 of 2 clips ready, 1 failed")
    assert view.why_not_open == "It can be opened when 1 more clip is ready."
    ready = replace(DRAFT, clips=(CLIP,))
    assert study_view(ready, FACTS).can_open
    assert study_view(ready, FACTS).films == "1 clip, all ready"


def test_who_may_only_look_has_no_buttons():
    looking = replace(FACTS, may_write=False)
    view = study_view(replace(DRAFT, clips=(CLIP,)), looking)
    assert (view.can_open, view.can_close, view.why_not_open) == (False, False, "")
    assert not study_view(replace(DRAFT, state=StudyState.open), looking).can_close


def test_an_open_study_can_be_closed_and_a_closed_one_opened_again():
    is_open = study_view(replace(DRAFT, clips=(CLIP,), state=StudyState.open), FACTS)
    assert (is_open.can_open, is_open.can_close) == (False, True)
    closed = study_view(replace(DRAFT, clips=(CLIP,), state=StudyState.closed), FACTS)
    assert (closed.can_open, closed.open_words, closed.can_close) == (True, "Open again", False)


def test_a_line_of_the_list_has_the_totals(database):
    with database.write.begin() as db:
        study = make_study(db, owner=make_user(db, email="ada@example.org"))
        line = study_line(study, StudyTotals(3, 2, 1, 1000, 2054))
    assert (line.clips, line.n_finished, line.n_ratings) == ("2 of 3", "1,000", "2,054")
    assert (line.owner, line.created) == ("ada@example.org", "18 November 2026")


def test_a_sitting_is_as_far_as_its_last_step_and_keeps_its_link_until_it_is_through():
    sitting = Sitting(pseudonym="P-1")
    steps = [sitting_line(sitting, 0, 3, "/s/x")]
    for name in ("started_at", "consented_at", "finished_at"):
        setattr(sitting, name, NOW)
        steps.append(sitting_line(sitting, 3, 3, "/s/x"))
    assert [step.state for step in steps] == ["Not started", "At consent", "Rating", "Finished"]
    assert [step.link for step in steps] == ["/s/x", "/s/x", "/s/x", ""]
    assert [step.progress for step in steps] == ["–", "–", "3 of 3", "3 of 3"]
    declined = sitting_line(Sitting(pseudonym="P-2", declined_at=NOW), 0, 3, "/s/x")
    assert (declined.state, declined.link) == ("Declined", "")
