"""Everything the platform says about agreement, with a status where there is no number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import nan

from app.agreement.ac2 import Ac2Result, gwet_ac2
from app.agreement.alpha import AlphaResult, krippendorff_alpha
from app.agreement.bands import Band, gwet_band, landis_koch_band
from app.agreement.counts import Counts, check_counts
from app.agreement.icc import IccResult, intraclass_correlation
from app.agreement.intervals import Interval, no_interval
from app.agreement.kappa import (
    KappaResult,
    PublishedKappaResult,
    kappa_interval,
    published_kappa,
    weighted_fleiss_kappa,
)
from app.agreement.ratings import RatingTable
from app.agreement.weights import identity_weights, quadratic_weights

FEWEST_CLIPS_FOR_INTERVAL = 10
MANY_SINGLE_CLIPS = 0.1
PARADOX_OBSERVED = 0.9
PARADOX_KAPPA = 0.4


class AgreementStatus(StrEnum):
    """Whether there is a number, and if not, why."""

    NO_RATINGS = "NO_RATINGS"
    NO_PAIRS = "NO_PAIRS"
    ONE_CLIP = "ONE_CLIP"
    NO_VARIATION = "NO_VARIATION"
    OK = "OK"


@dataclass(frozen=True, slots=True)
class AgreementSummary:
    """All agreement statistics of one set of ratings.

    Where the status is not OK, the kappas and what rests on them are nan.
    """

    status: AgreementStatus
    categories: int
    n_clips: int  # with at least one rating
    n_unrated: int
    n_single: int  # with exactly one
    n_pairable: int
    n_raters: int | None  # None if only counts are known
    n_ratings: int
    published: PublishedKappaResult
    standard: KappaResult
    pooled: KappaResult
    interval: Interval
    band: Band | None
    band_gwet: Band | None
    unweighted: KappaResult
    alpha_nominal: AlphaResult
    alpha_ordinal: AlphaResult
    alpha_interval: AlphaResult
    ac2: Ac2Result
    icc: IccResult
    variance: float  # of all ratings in one pot
    paradox: bool
    warnings: tuple[str, ...]


def summarise(counts: Counts, n_raters: int | None = None) -> AgreementSummary:
    """Agreement from counts alone, as the live page has them; there is no ICC without raters.

    Parameters
    ----------
    counts : (n_clips, n_categories) array of int
        How many raters put each clip in each category.
    n_raters : int, optional
        How many different raters gave them.
    """
    icc = _no_icc("ICC needs each rater's own ratings; only counts per clip are at hand.")
    return _summarise(check_counts(counts), n_raters, icc)


def summarise_table(table: RatingTable) -> AgreementSummary:
    """Agreement from a table of ratings, ICC included.

    References
    ----------
    See `docs/statistics.md`, which names the source of every statistic.
    """
    n_raters = len(set(table.rater_index.tolist()))
    return _summarise(table.counts(), n_raters, intraclass_correlation(table))


def published_caveat(summary: AgreementSummary) -> str:
    """Why the published kappa has no band, and how much its formula adds on these data."""
    published = summary.published
    if summary.status is not AgreementStatus.OK:
        return ""
    sentence = (
        "The published formula counts every rater as a pair with themselves, "
        f"which adds {published.self_pairs_add:+.2f} on these data"
    )
    if published.n_single:
        sentence += (
            f", and counts {_clips(published.n_single)} with one rating as no agreement, "
            f"which takes away {published.single_clips_take:.2f}"
        )
    return f"{sentence}; it can exceed 1, so it is not read on the bands."


def _summarise(counts: Counts, n_raters: int | None, icc: IccResult) -> AgreementSummary:
    categories = counts.shape[1]
    raters = counts.sum(axis=1)
    quadratic = quadratic_weights(categories)
    standard = weighted_fleiss_kappa(counts, quadratic)
    summary = AgreementSummary(
        status=_status(counts),
        categories=categories,
        n_clips=int((raters >= 1).sum()),
        n_unrated=int((raters == 0).sum()),
        n_single=int((raters == 1).sum()),
        n_pairable=int((raters >= 2).sum()),
        n_raters=n_raters,
        n_ratings=int(raters.sum()),
        published=published_kappa(counts),
        standard=standard,
        pooled=weighted_fleiss_kappa(counts, quadratic, margins="pooled"),
        interval=_interval(standard),
        band=landis_koch_band(standard.kappa),
        band_gwet=gwet_band(standard.kappa, standard.se),
        unweighted=weighted_fleiss_kappa(counts, identity_weights(categories)),
        alpha_nominal=krippendorff_alpha(counts, "nominal"),
        alpha_ordinal=krippendorff_alpha(counts, "ordinal"),
        alpha_interval=krippendorff_alpha(counts, "interval"),
        ac2=gwet_ac2(counts, quadratic),
        icc=icc,
        variance=_variance(counts),
        paradox=standard.observed > PARADOX_OBSERVED and standard.kappa < PARADOX_KAPPA,
        warnings=(),
    )
    if summary.status is not AgreementStatus.OK:
        summary = _without_numbers(summary, counts)
    return replace(summary, warnings=_warnings(summary))


def _status(counts: Counts) -> AgreementStatus:
    raters = counts.sum(axis=1)
    if not raters.any():
        return AgreementStatus.NO_RATINGS
    if raters.max() < 2:
        return AgreementStatus.NO_PAIRS
    if (raters >= 1).sum() == 1:
        return AgreementStatus.ONE_CLIP
    if (counts.sum(axis=0) > 0).sum() == 1:
        return AgreementStatus.NO_VARIATION
    return AgreementStatus.OK


def _interval(standard: KappaResult) -> Interval:
    if standard.n_pairable < FEWEST_CLIPS_FOR_INTERVAL:
        reason = (
            f"Too few clips for an interval: {_clips(standard.n_pairable)} with two or more "
            f"ratings, {FEWEST_CLIPS_FOR_INTERVAL} are needed."
        )
        return no_interval(reason, 0.95, "t")
    if standard.observed == 1:
        return no_interval("Interval not estimable: the raters agree on every clip.", 0.95, "t")
    return kappa_interval(standard)


def _without_numbers(summary: AgreementSummary, counts: Counts) -> AgreementSummary:
    """The same without what means nothing in its status, and with the reason."""
    reason = _reason(summary, counts)
    blank = replace(summary.standard, kappa=nan, se=nan, why_undefined=reason)
    published = replace(summary.published, kappa=nan, why_undefined=reason)
    summary = replace(
        summary,
        standard=blank,
        pooled=replace(summary.pooled, kappa=nan, se=nan, why_undefined=reason),
        unweighted=replace(summary.unweighted, kappa=nan, se=nan, why_undefined=reason),
        published=published,
        interval=no_interval(reason, 0.95, "t"),
        band=None,
        band_gwet=None,
        paradox=False,
    )
    if summary.status is AgreementStatus.NO_VARIATION:
        return summary
    # One clip cannot tell agreement from a dull clip: no number on either line.
    no_alpha = AlphaResult(nan, nan, nan, 0, 0, reason)
    return replace(
        summary,
        standard=replace(blank, observed=nan, expected=nan),
        published=replace(published, observed=nan, expected=nan),
        alpha_nominal=no_alpha,
        alpha_ordinal=no_alpha,
        alpha_interval=no_alpha,
        ac2=replace(summary.ac2, ac2=nan, observed=nan, expected=nan, se=nan, why_undefined=reason),
        icc=summary.icc if summary.icc.why_undefined else _no_icc(reason),
    )


def _reason(summary: AgreementSummary, counts: Counts) -> str:
    if summary.status is AgreementStatus.NO_RATINGS:
        return "There are no ratings yet."
    if summary.status is AgreementStatus.NO_PAIRS:
        return "No clip has two ratings yet."
    if summary.status is AgreementStatus.ONE_CLIP:
        return "Only one clip is rated: kappa would be the same whatever the ratings."
    return f"Not defined: every rating is {int(counts.sum(axis=0).argmax()) + 1}."


def _warnings(summary: AgreementSummary) -> tuple[str, ...]:
    if summary.status is not AgreementStatus.OK:
        return (summary.standard.why_undefined,)
    warnings = []
    if summary.interval.why_undefined:
        warnings.append(summary.interval.why_undefined)
    if summary.n_single > MANY_SINGLE_CLIPS * summary.n_clips:
        warnings.append(
            f"{_clips(summary.n_single)} of {summary.n_clips} have one rating: they count for "
            "chance agreement, not for observed agreement."
        )
    if summary.paradox:
        warnings.append(
            f"Raters agree on {summary.standard.observed:.0%} (weighted), yet kappa is low because "
            f"nearly all ratings are alike (variance {summary.variance:.2f}); "
            f"AC2 is {summary.ac2.ac2:.2f}."
        )
    return tuple(warnings)


def _variance(counts: Counts) -> float:
    totals = counts.sum(axis=0).tolist()
    n = sum(totals)
    if n == 0:
        return nan
    s1 = sum(j * f for j, f in enumerate(totals))
    s2 = sum(j * j * f for j, f in enumerate(totals))
    return float((n * s2 - s1 * s1) / (n * n))


def _no_icc(reason: str) -> IccResult:
    return IccResult(nan, nan, nan, nan, nan, nan, False, reason)


def _clips(n: int) -> str:
    return "1 clip" if n == 1 else f"{n} clips"
