"""How a study, its films and its people are put into words for the study pages."""

from __future__ import annotations

from dataclasses import dataclass

from app.clips.models import WAITING_STATES, ClipState
from app.dashboard.filming_progress import FilmingProgress, filming_progress, rounded
from app.dashboard.queries import StudyTotals
from app.dashboard.study_now import ClipNow, StudyNow
from app.dashboard.views import STATE_BADGES, STATE_WORDS, counted
from app.participants.models import Sitting
from app.studies.models import Study, StudyState


@dataclass(frozen=True, slots=True)
class FilmedClip:
    """A clip's line on the study page."""

    id: int
    position: int
    name: str
    condition: str
    shows: str
    state: str
    state_badge: str
    is_running: bool
    frames_done: int
    frames_total: int
    reason: str
    retry_path: str  # empty if there is nothing to retry, or for who may only look
    first_path: str  # the same for a clip that waits and could be filmed before others
    url: str  # empty until the film is ready
    thumbnail_url: str
    still_url: str  # the thumbnail for who wants no motion
    duration: str


def filmed_clip(clip: ClipNow, slug: str, may_write: bool) -> FilmedClip:
    """How far the clip's film is."""
    url = clip.url if clip.state == ClipState.ready else ""
    return FilmedClip(
        id=clip.id,
        position=clip.position,
        name=clip.name,
        condition=clip.condition,
        shows=clip.shows,
        state=FILM_WORDS[clip.state],
        state_badge=FILM_BADGES[clip.state],
        is_running=clip.state == ClipState.rendering,
        frames_done=clip.frames_done,
        frames_total=max(clip.frames_total, 1),
        reason=clip.reason if clip.state == ClipState.failed else "",
        retry_path=_retry_path(clip, slug) if may_write else "",
        first_path=_first_path(clip, slug) if may_write else "",
        url=url,
        thumbnail_url=url.replace(".mp4", ".webp"),
        still_url=url.replace(".mp4", ".png"),
        duration=f"{clip.duration_s:.1f} s" if clip.duration_s else "",
    )


@dataclass(frozen=True, slots=True)
class StudyView:
    """The head of the study page."""

    slug: str
    title: str
    state: str
    state_badge: str
    state_sentence: str
    films: str
    frames_done: int
    frames_total: int
    is_open: bool
    is_filming: bool
    can_stop: bool
    can_film_rest: bool
    n_started: str
    n_finished: str
    n_ratings: str
    may_write: bool
    can_open: bool
    open_words: str
    can_close: bool
    why_not_open: str
    public_link: str
    version: int
    document_hash: str
    owner: str


def study_view(now: StudyNow, facts: StudyFacts) -> StudyView:
    """The study as its page shows it to somebody who may or may not change it."""
    n_ready, n_clips = now.count_clips(ClipState.ready), len(now.clips)
    n_missing = n_clips - n_ready
    progress = filming_progress(now)
    n_waiting = sum(now.count_clips(state) for state in WAITING_STATES)
    is_open = now.state == StudyState.open
    return StudyView(
        slug=now.slug,
        title=now.title,
        state=STATE_WORDS[now.state],
        state_badge=STATE_BADGES[now.state],
        state_sentence=STATE_SENTENCES[now.state],
        films=_films(now, progress),
        frames_done=progress.frames_done,
        frames_total=max(progress.frames_total, 1),
        is_open=is_open,
        is_filming=n_missing > 0,
        can_stop=facts.may_write and now.state == StudyState.draft and n_waiting > 0,
        can_film_rest=facts.may_write and now.count_clips(ClipState.cancelled) > 0,
        n_started=f"{now.n_started:,}",
        n_finished=f"{now.sittings.finished:,}",
        n_ratings=f"{now.n_ratings:,}",
        may_write=facts.may_write,
        can_open=facts.may_write and not is_open and n_missing == 0,
        open_words="Open study" if now.state == StudyState.draft else "Open again",
        can_close=facts.may_write and is_open,
        why_not_open=_why_not_open(n_missing) if facts.may_write and not is_open else "",
        public_link=facts.public_link,
        version=facts.version,
        document_hash=facts.document_hash,
        owner=facts.owner,
    )


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """What does not change while the page is open."""

    may_write: bool
    public_link: str
    version: int
    document_hash: str
    owner: str


@dataclass(frozen=True, slots=True)
class StudyLine:
    """A study in the list."""

    slug: str
    title: str
    state: str
    state_badge: str
    owner: str
    created: str
    clips: str
    n_ready: int
    n_clips: int
    n_failed: int
    n_finished: str
    n_ratings: str


def study_line(study: Study, totals: StudyTotals) -> StudyLine:
    """The study as the list shows it."""
    return StudyLine(
        slug=study.slug,
        title=study.title,
        state=STATE_WORDS[study.state],
        state_badge=STATE_BADGES[study.state],
        owner=study.owner.email,
        created=f"{study.created_at.day} {study.created_at:%B %Y}",
        clips=f"{totals.n_ready:,} of {totals.n_clips:,}",
        n_ready=totals.n_ready,
        n_clips=max(totals.n_clips, 1),
        n_failed=totals.n_failed,
        n_finished=f"{totals.n_finished:,}",
        n_ratings=f"{totals.n_ratings:,}",
    )


@dataclass(frozen=True, slots=True)
class SittingLine:
    """A participant in the study page's list."""

    pseudonym: str
    state: str
    state_badge: str
    progress: str
    link: str  # empty where there is nothing left to do, or for who may only look


def sitting_line(sitting: Sitting, n_rated: int, n_clips: int, link: str) -> SittingLine:
    """How far a participant is."""
    state, badge = _sitting_state(sitting)
    is_over = sitting.finished_at is not None or sitting.declined_at is not None
    return SittingLine(
        pseudonym=sitting.pseudonym,
        state=state,
        state_badge=badge,
        progress=f"{n_rated} of {n_clips}" if sitting.consented_at else "–",
        link="" if is_over else link,
    )


STATE_SENTENCES = {
    StudyState.draft: "Nobody can take part yet. Opening it freezes wording, clips and settings.",
    StudyState.open: "People can take part now. Wording, clips and settings are frozen.",
    StudyState.closed: "Nobody can take part any more. All ratings are kept.",
}
FILM_WORDS = {
    ClipState.queued: "Waiting",
    ClipState.rendering: "Filming",
    ClipState.ready: "Ready",
    ClipState.failed: "Failed",
    ClipState.cancelled: "Stopped",
}
FILM_BADGES = {
    ClipState.queued: "badge--plain",
    ClipState.rendering: "badge--accent",
    ClipState.ready: "badge--good",
    ClipState.failed: "badge--bad",
    ClipState.cancelled: "badge--plain",
}


def _retry_path(clip: ClipNow, slug: str) -> str:
    is_failed = clip.state == ClipState.failed
    return f"/admin/studies/{slug}/clips/{clip.id}/retry" if is_failed else ""


def _first_path(clip: ClipNow, slug: str) -> str:
    can_come_first = clip.state in (ClipState.queued, ClipState.cancelled)
    return f"/admin/studies/{slug}/clips/{clip.id}/first" if can_come_first else ""


def _films(now: StudyNow, progress: FilmingProgress) -> str:
    n_ready, n_clips = now.count_clips(ClipState.ready), len(now.clips)
    if n_ready == n_clips:
        return f"{counted(n_clips, 'clip', 'clips')}, all ready"
    parts = [f"{n_ready:,} of {counted(n_clips, 'clip', 'clips')} ready"]
    if failed := now.count_clips(ClipState.failed):
        parts.append(f"{failed:,} failed")
    if stopped := now.count_clips(ClipState.cancelled):
        parts.append(f"{stopped:,} stopped")
    if progress.left_s is not None:
        parts.append(f"about {rounded(progress.left_s)} left")
    return ", ".join(parts)


def _why_not_open(n_missing: int) -> str:
    if n_missing == 0:
        return ""
    return f"It can be opened when {counted(n_missing, 'more clip is', 'more clips are')} ready."


def _sitting_state(sitting: Sitting) -> tuple[str, str]:
    if sitting.finished_at is not None:
        return "Finished", "badge--good"
    if sitting.declined_at is not None:
        return "Declined", "badge--plain"
    if sitting.consented_at is not None:
        return "Rating", "badge--accent"
    if sitting.started_at is not None:
        return "At consent", "badge--accent"
    return "Not started", "badge--plain"
