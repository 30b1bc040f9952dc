"""How numbers and states are put into words and shapes; templates only place them."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from app.agreement.bands import Band
from app.agreement.summary import AgreementSummary, published_caveat
from app.dashboard.study_now import ClipNow, StudyNow
from app.studies.models import StudyState

BAR_WIDTH = 10
BAR_STEP = 13
BAR_TALLEST = 26
BAND_GAP = 4
SCALE_WIDTH = 1000  # units of the drawing from kappa 0 to kappa 1


def number(value: float | None, decimals: int) -> str:
    """A number with a true minus sign; a dash if there is none."""
    if value is None or not isfinite(value):
        return "–"
    return f"{value:.{decimals}f}".replace("-", "−")


def percent(value: float) -> str:
    """A share in percent with one decimal."""
    return f"{number(value * 100, 1)} %" if isfinite(value) else "–"


def counted(n: int, one: str, many: str) -> str:
    """A number and its noun, as one says it."""
    return f"{n:,} {one if n == 1 else many}"


@dataclass(frozen=True, slots=True)
class ScaleMark:
    """Where kappa and its interval stand on the drawn scale."""

    kappa_x: float
    low_x: float
    interval_width: float


@dataclass(frozen=True, slots=True)
class BandMark:
    """A piece of the drawn scale and the word under it."""

    word: str
    x: int
    width: int
    is_reached: bool


@dataclass(frozen=True, slots=True)
class OtherStatistic:
    """A further coefficient, and where it is explained."""

    name: str
    value: str
    explained_at: str


@dataclass(frozen=True, slots=True)
class AgreementView:
    """Both kappas in words; where there is no number, its reason."""

    kappa: str
    why_undefined: str
    interval: str
    why_no_interval: str
    band: str
    bands: tuple[BandMark, ...]
    mark: ScaleMark | None
    published: str
    published_caveat: str
    warnings: tuple[str, ...]
    basis: str
    others: tuple[OtherStatistic, ...]


def agreement_view(summary: AgreementSummary) -> AgreementView:
    """The summary as the live page shows it."""
    interval = summary.interval
    has_interval = isfinite(interval.low)
    is_defined = isfinite(summary.standard.kappa)
    told_elsewhere = {summary.standard.why_undefined, interval.why_undefined}
    return AgreementView(
        kappa=number(summary.standard.kappa, 3),
        why_undefined=summary.standard.why_undefined,
        interval=f"{number(interval.low, 3)} to {number(interval.high, 3)}" if has_interval else "",
        why_no_interval=interval.why_undefined if is_defined else "",
        band=summary.band.value if summary.band else "",
        bands=_band_marks(summary.band),
        mark=_scale_mark(summary) if is_defined else None,
        published=number(summary.published.kappa, 3),
        published_caveat=published_caveat(summary) or summary.published.why_undefined,
        warnings=tuple(w for w in summary.warnings if w not in told_elsewhere),
        basis=_basis(summary),
        others=_other_statistics(summary),
    )


@dataclass(frozen=True, slots=True)
class LiveView:
    """The head of the live page."""

    agreement: AgreementView
    state: str
    state_badge: str
    n_started: str
    n_in_progress: str
    n_finished: str
    n_declined: str
    n_ratings: str
    n_raters: str


def live_view(now: StudyNow, summary: AgreementSummary) -> LiveView:
    """The study and its agreement as the live page shows them."""
    return LiveView(
        agreement=agreement_view(summary),
        state=STATE_WORDS[now.state],
        state_badge=STATE_BADGES[now.state],
        n_started=f"{now.n_started:,}",
        n_in_progress=f"{now.n_in_progress:,}",
        n_finished=f"{now.sittings.finished:,}",
        n_declined=f"{now.sittings.declined:,}",
        n_ratings=f"{now.n_ratings:,}",
        n_raters=f"{now.n_raters:,}",
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """A column of a small histogram, in the drawing's units."""

    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class RatedClip:
    """A clip's line on the live page."""

    id: int
    position: int
    name: str
    condition: str
    url: str
    bars: tuple[Bar, ...]
    drawing_width: int
    distribution: str  # the drawing in words
    mean: str
    n_ratings: str


def rated_clip(clip: ClipNow) -> RatedClip:
    """How the clip was rated, drawn with the most frequent answer at full height."""
    tallest = max(*clip.counts, 1)
    heights = [round(BAR_TALLEST * n / tallest, 1) for n in clip.counts]
    return RatedClip(
        id=clip.id,
        position=clip.position,
        name=clip.name,
        condition=clip.condition,
        url=clip.url,
        bars=tuple(
            Bar(index * BAR_STEP, BAR_TALLEST - height, height)
            for index, height in enumerate(heights)
        ),
        drawing_width=BAR_STEP * (len(heights) - 1) + BAR_WIDTH,
        distribution=", ".join(f"{n} × {answer}" for answer, n in enumerate(clip.counts, start=1)),
        mean=number(clip.mean, 2),
        n_ratings=f"{clip.n_ratings:,}",
    )


def _other_statistics(summary: AgreementSummary) -> tuple[OtherStatistic, ...]:
    values = (
        ("κ, unweighted", summary.unweighted.kappa, "unweighted-kappa"),
        ("Krippendorff’s α, ordinal", summary.alpha_ordinal.alpha, "alpha"),
        ("Krippendorff’s α, interval", summary.alpha_interval.alpha, "alpha"),
        ("Gwet’s AC2, quadratic", summary.ac2.ac2, "ac2"),
        ("Variance of all ratings", summary.variance, "kappa"),
    )
    return tuple(
        OtherStatistic(name, number(value, 3), f"/statistics/{slug}")
        for name, value, slug in values
    )


STATE_WORDS = {
    StudyState.draft: "Draft",
    StudyState.open: "Open",
    StudyState.closed: "Closed",
}
STATE_BADGES = {
    StudyState.draft: "badge--warn",
    StudyState.open: "badge--good",
    StudyState.closed: "badge--plain",
}


def _band_marks(reached: Band | None) -> tuple[BandMark, ...]:
    """Five bands of equal width from 0 to 1; below 0 there is no scale to stand on."""
    words = [band for band in Band if band != Band.poor]
    step = SCALE_WIDTH // len(words)
    return tuple(
        BandMark(band.value, index * step, step - BAND_GAP, band == reached)
        for index, band in enumerate(words)
    )


def _scale_mark(summary: AgreementSummary) -> ScaleMark:
    kappa_x, low_x, high_x = (
        _on_scale(value)
        for value in (summary.standard.kappa, summary.interval.low, summary.interval.high)
    )
    return ScaleMark(kappa_x, low_x, round(high_x - low_x, 1))


def _on_scale(value: float) -> float:
    """Below zero the mark stays at the edge; the number beside it says how far below."""
    return round(min(1.0, max(0.0, value)) * SCALE_WIDTH, 1) if isfinite(value) else 0.0


def _basis(summary: AgreementSummary) -> str:
    """What the number rests on, and how sure its band is."""
    if summary.n_ratings == 0:
        return "Both kappas appear as soon as two people have rated two clips."
    raters = counted(summary.n_raters or 0, "rater", "raters")
    ratings = counted(summary.n_ratings, "rating", "ratings")
    sentences = [f"{ratings} of {counted(summary.n_clips, 'clip', 'clips')} by {raters}."]
    if isfinite(summary.standard.observed):
        observed, chance = percent(summary.standard.observed), percent(summary.standard.expected)
        sentences.append(f"Observed agreement {observed}, by chance {chance}.")
    if summary.band_gwet and isfinite(summary.interval.low):
        sentences.append(f"With 95 % probability at least {summary.band_gwet}.")
    return " ".join(sentences)
