"""What the API answers, declared so that its description cannot be wrong."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from app.agreement.report import agreement_report
from app.agreement.summary import AgreementSummary
from app.clips.models import ClipState
from app.dashboard.live_agreement import summarise_now
from app.dashboard.queries import StudyTotals
from app.dashboard.study_now import StudyNow
from app.studies.models import Study, StudyState, StudyVersion


class Answer(BaseModel):
    """An answer never has a field that is not declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PublishedKappa(Answer):
    """As the commissioning study prescribes it (equations 1 to 7), never clipped."""

    method: str
    p_bar: float | None
    p_e: float | None
    kappa: float | None


class StandardKappa(Answer):
    """Fleiss with quadratic weights and Gwet's rules for missing ratings."""

    method: str
    p_a: float | None
    p_e: float | None
    kappa: float | None
    kappa_pooled: float | None
    se: float | None
    ci_low: float | None
    ci_high: float | None
    band: str | None
    band_gwet: str | None


class UnweightedKappa(Answer):
    kappa: float | None


class Alpha(Answer):
    ordinal: float | None
    interval: float | None


class Ac2(Answer):
    value: float | None


class Icc(Answer):
    icc2_1: float | None
    icc2_k: float | None


class Agreement(Answer):
    """How far the raters agree; what is undefined is null, its reason in status or warnings."""

    status: str = Field(description="OK, NO_RATINGS, NO_PAIRS, ONE_CLIP or NO_VARIATION.")
    categories: int
    n_clips: int = Field(description="With at least one rating.")
    n_pairable: int = Field(description="With at least two ratings.")
    n_raters: int | None
    n_ratings: int
    published: PublishedKappa
    standard: StandardKappa
    unweighted: UnweightedKappa
    alpha: Alpha
    ac2: Ac2
    icc: Icc
    warnings: list[str]


class Sittings(Answer):
    """How far people are."""

    started: int
    in_progress: int
    finished: int
    declined: int


class StudyClipAnswer(Answer):
    """A clip of the study."""

    position: int
    name: str
    condition: str
    state: ClipState
    frames_done: int
    frames_total: int
    reason: str
    url: str
    counts: list[int] = Field(description="Raters for each answer, from 1.")
    n_ratings: int
    mean: float | None


class StudySummary(Answer):
    """A study in the list."""

    slug: str
    title: str
    state: StudyState
    created_at: datetime
    n_clips: int
    n_ready: int
    n_finished: int = Field(description="Sittings that rated every clip.")
    n_ratings: int


class StudyAnswer(Answer):
    """A study with its clips and its people."""

    slug: str
    title: str
    state: StudyState
    version: int
    document_hash: str
    created_at: datetime
    opened_at: datetime | None
    closed_at: datetime | None
    scale: list[str]
    sittings: Sittings
    n_ratings: int
    clips: list[StudyClipAnswer]


class StudyEvent(Answer):
    """What the event stream sends whenever something has changed."""

    slug: str
    state: StudyState
    sittings: Sittings
    n_ratings: int
    agreement: Agreement
    clips: list[StudyClipAnswer]


def agreement_answer(summary: AgreementSummary) -> Agreement:
    """The summary, in the words of `roadrater agree --json`."""
    return Agreement.model_validate(agreement_report(summary))


def study_summary(study: Study, totals: StudyTotals) -> StudySummary:
    """A line of the list."""
    return StudySummary(
        slug=study.slug,
        title=study.title,
        state=study.state,
        created_at=study.created_at,
        n_clips=totals.n_clips,
        n_ready=totals.n_ready,
        n_finished=totals.n_finished,
        n_ratings=totals.n_ratings,
    )


def study_answer(study: Study, version: StudyVersion, now: StudyNow) -> StudyAnswer:
    """The study at this moment."""
    return StudyAnswer(
        slug=study.slug,
        title=study.title,
        state=study.state,
        version=version.number,
        document_hash=version.document_hash,
        created_at=study.created_at,
        opened_at=study.opened_at,
        closed_at=study.closed_at,
        scale=list(now.scale),
        sittings=_sittings(now),
        n_ratings=now.n_ratings,
        clips=_clips(now),
    )


def study_event(now: StudyNow) -> StudyEvent:
    """The study at this moment, with its agreement."""
    return StudyEvent(
        slug=now.slug,
        state=now.state,
        sittings=_sittings(now),
        n_ratings=now.n_ratings,
        agreement=agreement_answer(summarise_now(now)),
        clips=_clips(now),
    )


def _sittings(now: StudyNow) -> Sittings:
    return Sittings(
        started=now.n_started,
        in_progress=now.n_in_progress,
        finished=now.sittings.finished,
        declined=now.sittings.declined,
    )


def _clips(now: StudyNow) -> list[StudyClipAnswer]:
    return [
        StudyClipAnswer(
            position=clip.position,
            name=clip.name,
            condition=clip.condition,
            state=clip.state,
            frames_done=clip.frames_done,
            frames_total=clip.frames_total,
            reason=clip.reason,
            url=clip.url,
            counts=list(clip.counts),
            n_ratings=clip.n_ratings,
            mean=clip.mean,
        )
        for clip in now.clips
    ]
