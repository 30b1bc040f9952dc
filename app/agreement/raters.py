"""Raters one by one: bias, inconsistency, agreement with the rest, kappa without them."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from app.agreement.kappa import uses_one_category, weighted_fleiss_kappa
from app.agreement.leave_one_out import kappa_without_each_rater
from app.agreement.ratings import RatingTable
from app.agreement.rejection import bt500_rejection
from app.agreement.weights import quadratic_weights

Floats = NDArray[np.float64]

P910_MODEL = "p910-annex-e"
EQUAL_WEIGHTS_MODEL = "equal-weights"

# Keeps a rater without any residual from taking all the weight.
_SMALLEST_VARIANCE = 1e-8
_MOST_ROUNDS = 1_000
_NO_NOISE = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class SubjectModelResult:
    """Clips' quality and raters' bias and inconsistency; nan where there are no ratings."""

    quality: Floats  # (n_clips,), bias removed, weighted by consistency
    bias: Floats  # (n_raters,), in steps of the scale, mean 0 over raters
    inconsistency: Floats  # (n_raters,), standard deviation of what is left
    model: str
    rounds: int
    converged: bool
    degenerate: bool  # one rater's noise went to zero and took all the weight: do not use


@dataclass(frozen=True, slots=True)
class RaterResult:
    """What the ratings of one rater look like beside those of the others; nan if unknown."""

    rater: str
    n_ratings: int
    mean: float
    bias: float
    inconsistency: float
    model: str  # which fit bias and inconsistency come from
    rest_kappa: float  # quadratic agreement with the others, beyond chance
    rest_correlation: float  # Pearson's, with the mean of the others
    kappa_without: float
    rejected: bool  # by BT.500, for comparison


def describe_raters(table: RatingTable) -> tuple[RaterResult, ...]:
    """Every rater in the order of the table.

    For complete data the mean of `rest_kappa` over raters is the standard quadratic kappa.
    Bias and inconsistency come from the model of P.910; where it is degenerate, which is the
    rule with fewer than about ten ratings per clip, from the same model with equal weights.
    """
    n_ratings = np.bincount(table.rater_index, minlength=len(table.raters))
    sums = np.bincount(table.rater_index, weights=table.rating, minlength=len(table.raters))
    model = subject_model(table)
    if model.degenerate:
        model = subject_model(table, equal_weights=True)
    kappas, correlations = agreement_with_rest(table)
    without = kappa_without_each_rater(table)
    rejected = bt500_rejection(table)
    return tuple(
        RaterResult(
            rater=name,
            n_ratings=int(n_ratings[r]),
            mean=float(sums[r] / n_ratings[r]) if n_ratings[r] else nan,
            bias=float(model.bias[r]),
            inconsistency=float(model.inconsistency[r]),
            model=model.model,
            rest_kappa=float(kappas[r]),
            rest_correlation=float(correlations[r]),
            kappa_without=float(without[r]),
            rejected=rejected[r].rejected,
        )
        for r, name in enumerate(table.raters)
    )


def subject_model(
    table: RatingTable, tolerance: float = 1e-8, equal_weights: bool = False
) -> SubjectModelResult:
    """Fit `rating = clip + bias of rater + noise of rater` by alternating projection.

    Quality, bias and inconsistency are estimated in turn from each other, until the
    quality scores move by less than `tolerance` (Euclidean). With few clips the likelihood can
    grow without end as one rater's noise vanishes; the result is then marked degenerate. With
    `equal_weights` every rating counts the same, which cannot happen there.

    References
    ----------
    Recommendation ITU-T P.910 (2023), annex E.
    Li, Z., Bampis, C. G., Krasula, L., Janowski, L. and Katsavounidis, I. (2020). A simple
    model for subject behavior in subjective experiments. Electronic Imaging 2020.
    """
    x = table.rating.astype(np.float64)
    clip, rater = table.clip_index, table.rater_index
    ones = np.ones(len(x))
    quality = _weighted_means(x, ones, clip, len(table.clips))
    bias = _weighted_means(x - quality[clip], ones, rater, len(table.raters))
    variance = np.full(len(table.raters), np.nan)
    rounds, converged = 0, False
    while not converged and rounds < _MOST_ROUNDS and len(x):
        before = quality
        variance = _variances(x - quality[clip] - bias[rater], rater, len(table.raters))
        weights = np.ones_like(variance) if equal_weights else 1 / (variance + _SMALLEST_VARIANCE)
        quality = _weighted_means(x - bias[rater], weights[rater], clip, len(table.clips))
        bias = _weighted_means(x - quality[clip], ones, rater, len(table.raters))
        rounds += 1
        converged = float(np.sqrt(np.nansum(np.square(quality - before)))) < tolerance
    # Clips and biases are known up to one constant; the mean bias is put at zero.
    shift = float(np.nanmean(bias)) if len(x) else 0.0
    inconsistency = np.sqrt(variance)
    return SubjectModelResult(
        quality=quality + shift,
        bias=bias - shift,
        inconsistency=inconsistency,
        model=EQUAL_WEIGHTS_MODEL if equal_weights else P910_MODEL,
        rounds=rounds,
        converged=converged,
        degenerate=not equal_weights and bool((inconsistency < _NO_NOISE).any()),
    )


def agreement_with_rest(table: RatingTable) -> tuple[Floats, Floats]:
    """Kappa and correlation of each rater with the others, on the clips they share.

    Returns
    -------
    kappas : (n_raters,) array
        `(P_r − P_e)/(1 − P_e)`, P_r the mean quadratic weight between the rater's answers and
        each other answer to the same clip, P_e chance agreement of the standard kappa.
    correlations : (n_raters,) array
        Pearson's between the rater's answers and the mean of the others.
    """
    counts = table.counts()
    weights = quadratic_weights(table.categories)
    n_raters = len(table.raters)
    others = counts.sum(axis=1)[table.clip_index] - 1
    shared = others >= 1
    if not shared.any():
        return np.full(n_raters, np.nan), np.full(n_raters, np.nan)
    clip, rater = table.clip_index[shared], table.rater_index[shared]
    x, others = table.rating[shared], others[shared]
    pair_weight = ((counts @ weights)[clip, x - 1] - 1) / others
    agreement = _weighted_means(pair_weight, np.ones(len(x)), rater, n_raters)
    expected = weighted_fleiss_kappa(counts, weights).expected
    alike = uses_one_category(counts)
    kappas = np.full(n_raters, np.nan) if alike else (agreement - expected) / (1 - expected)
    totals = counts @ np.arange(1, table.categories + 1)
    rest_mean = (totals[clip] - x) / others
    return kappas, _correlations(x.astype(np.float64), rest_mean, rater, n_raters)


def _weighted_means(
    values: Floats, weights: Floats, group: NDArray[np.int64], n_groups: int
) -> Floats:
    total = np.bincount(group, weights=weights, minlength=n_groups)
    means = np.full(n_groups, np.nan)
    sums = np.bincount(group, weights=values * weights, minlength=n_groups)
    np.divide(sums, total, out=means, where=total > 0)
    return means


def _variances(values: Floats, group: NDArray[np.int64], n_groups: int) -> Floats:
    ones = np.ones(len(values))
    means = _weighted_means(values, ones, group, n_groups)
    return _weighted_means(np.square(values - means[group]), ones, group, n_groups)


def _correlations(x: Floats, y: Floats, group: NDArray[np.int64], n_groups: int) -> Floats:
    ones = np.ones(len(x))
    dx = x - _weighted_means(x, ones, group, n_groups)[group]
    dy = y - _weighted_means(y, ones, group, n_groups)[group]
    xx, yy, xy = (
        np.bincount(group, weights=product, minlength=n_groups)
        for product in (dx * dx, dy * dy, dx * dy)
    )
    spread = np.sqrt(xx * yy)
    result = np.full(n_groups, np.nan)
    np.divide(xy, spread, out=result, where=spread > 1e-12)
    return result
