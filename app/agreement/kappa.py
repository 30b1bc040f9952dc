"""Fleiss' kappa with weights: the standard one and the one of the study's supplement."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import nan, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import Counts, by_category
from app.agreement.intervals import Interval, t_interval
from app.agreement.weights import Weights, quadratic_weights

STANDARD_METHOD = "fleiss-quadratic/gwet"
POOLED_METHOD = "fleiss-quadratic/pooled"
PUBLISHED_METHOD = "published-eq1-7"

NO_PAIR = "No clip has two ratings yet."
ONE_CATEGORY = "Every rating is the same."

# Chance agreement above this is looked at exactly: rounding can hide that all ratings are equal.
_NEARLY_ONE = 1 - 1e-9

Floats = NDArray[np.float64]
Margins = Literal["gwet", "pooled"]


@dataclass(frozen=True, slots=True)
class KappaResult:
    """Weighted Fleiss kappa and what it was computed from."""

    kappa: float  # nan if undefined
    observed: float
    expected: float
    se: float  # over clips; nan with pooled margins or fewer than two clips
    n_rated: int  # clips with at least one rating
    n_pairable: int  # clips with at least two
    n_ratings: int
    why_undefined: str = ""


@dataclass(frozen=True, slots=True)
class PublishedKappaResult:
    """The supplement's kappa and the two parts in which it differs from the pooled standard."""

    kappa: float  # nan if undefined
    observed: float
    expected: float
    self_pairs_add: float  # what pairing each rater with themselves adds to kappa
    single_clips_take: float  # what counting clips with one rating as 0 takes from it
    n_rated: int
    n_single: int  # clips with exactly one rating
    why_undefined: str = ""


def weighted_fleiss_kappa(
    counts: Counts, weights: Weights, margins: Margins = "gwet"
) -> KappaResult:
    """Weighted Fleiss kappa; clips may have different numbers of raters.

    Parameters
    ----------
    counts : (n_clips, n_categories) array of int
        How many raters put each clip in each category.
    weights : (n_categories, n_categories) array of float
        Agreement weights: 1 on the diagonal, symmetric, within [0, 1].
    margins : "gwet" or "pooled"
        Whether chance is computed from the clips' mean shares (Gwet's rule for missing
        ratings) or from all ratings in one pot. Both are the same for complete data.

    References
    ----------
    Fleiss, J. L. (1971). Psychological Bulletin 76(5), 378-382.
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., ch. 2, 3 and 5.

    Examples
    --------
    >>> counts = np.array([[4, 0], [0, 4], [3, 1]])
    >>> round(weighted_fleiss_kappa(counts, np.eye(2)).kappa, 3)
    0.657
    """
    check_weights(weights, counts.shape[-1])
    rated, raters = by_category(counts)
    pairable = raters >= 2
    n_rated, n_pairable = len(raters), int(np.count_nonzero(pairable))
    n_ratings = int(raters.sum())
    if n_pairable == 0:
        return KappaResult(nan, nan, nan, nan, n_rated, 0, n_ratings, NO_PAIR)

    agreement = pair_agreement(rated, raters, weights)
    observed = float(agreement.sum()) / n_pairable
    # Gwet's shares average clips, not ratings, so that a clip shown to more people
    # does not pull chance towards itself.
    one_over_raters = 1 / raters
    gwet = margins == "gwet"
    shares = rated @ one_over_raters / n_rated if gwet else rated.sum(axis=1) / n_ratings
    expected = float(shares @ weights @ shares)
    if expected > _NEARLY_ONE and (expected >= 1 or np.count_nonzero(rated.any(axis=1)) == 1):
        return KappaResult(nan, observed, 1.0, nan, n_rated, n_pairable, n_ratings, ONE_CATEGORY)
    kappa = (observed - expected) / (1 - expected)
    if not gwet:
        return KappaResult(kappa, observed, expected, nan, n_rated, n_pairable, n_ratings)
    clip_expected = (weights @ shares @ rated) * one_over_raters
    se = clip_standard_error(kappa, agreement, clip_expected, expected, pairable)
    return KappaResult(kappa, observed, expected, se, n_rated, n_pairable, n_ratings)


def kappa_interval(result: KappaResult, level: float = 0.95) -> Interval:
    """Gwet's interval for other clips and the same raters: t with N − 1 degrees of freedom."""
    return t_interval(result.kappa, result.se, result.n_rated - 1, level, highest=1.0)


def published_kappa(counts: Counts) -> PublishedKappaResult:
    """Quadratic kappa by equations 1 to 7 of the study's supplement, verbatim.

    Equation 3 leaves each rater's pair with themselves in the numerator, which adds
    1/(p_i − 1) to every P_i: the value can exceed 1 and must not be read on a band.

    Parameters
    ----------
    counts : (n_clips, n_categories) array of int
        f_ij, the ratings of clip i in category j.

    Examples
    --------
    >>> published_kappa(np.array([[1, 0, 0, 0, 1]] * 3)).kappa  # always one 1 and one 5
    1.0
    """
    rated, p_i = by_category(counts)
    weights = quadratic_weights(len(rated))
    n_rated, n_single = len(p_i), int(np.count_nonzero(p_i == 1))
    if n_rated == 0:
        return PublishedKappaResult(nan, nan, nan, nan, nan, 0, 0, "There are no ratings yet.")

    weighted = np.einsum("ji,ji->i", rated, weights @ rated)
    # P_i = 0 where p_i = 1, and eq. 3 everywhere else.
    agreement = (p_i > 1) * weighted / np.maximum(p_i * (p_i - 1), 1)
    observed = float(agreement.mean())
    shares = rated.sum(axis=1) / p_i.sum()
    expected = float(shares @ weights @ shares)
    if np.count_nonzero(rated.any(axis=1)) == 1:
        return _published_without_variation(p_i, observed, n_single)
    kappa = (observed - expected) / (1 - expected)
    # The identity that links both kappas: P̄ = (N2·P_a + Σ 1/(p_i−1))/N.
    self_pairs = float((1 / (p_i[p_i >= 2] - 1)).sum()) / n_rated
    without_self_pairs = observed - self_pairs
    lost = without_self_pairs * n_single / (n_rated - n_single) if n_single < n_rated else 0.0
    return PublishedKappaResult(
        kappa,
        observed,
        expected,
        self_pairs_add=self_pairs / (1 - expected),
        single_clips_take=lost / (1 - expected),
        n_rated=n_rated,
        n_single=n_single,
    )


def pair_agreement(rated: Floats, raters: Floats, weights: Weights) -> Floats:
    """Mean weight over the pairs of different raters of each clip; 0 where there is no pair.

    Parameters
    ----------
    rated : (n_categories, n_clips) array
        Counts as `by_category` gives them.
    raters : (n_clips,) array
        Ratings per clip.

    Returns
    -------
    (n_clips,) array of float
    """
    # Minus the raters: nobody is paired with themselves. With one rating nothing is left.
    weighted = np.einsum("ji,ji->i", rated, weights @ rated) - raters
    agreement: Floats = weighted / np.maximum(raters * (raters - 1), 1)
    return agreement


def clip_standard_error(
    value: float,
    clip_observed: Floats,
    clip_expected: Floats,
    expected: float,
    pairable: NDArray[np.bool_],
) -> float:
    """Standard error of a chance-corrected coefficient over rated clips, linearised.

    Parameters
    ----------
    clip_observed, clip_expected : (n_clips,) arrays of float
        Each rated clip's own agreement and its part in chance agreement.
    pairable : (n_clips,) array of bool
        Whether the clip has two ratings or more.

    References
    ----------
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., ch. 5.
    """
    n_rated = len(pairable)
    if n_rated < 2:
        return nan
    # z_i = (N/N2)[p_i ≥ 2](P_i − P_e)/(1 − P_e) − 2(1 − κ)(pe_i − P_e)/(1 − P_e) − κ
    of_observed = n_rated / np.count_nonzero(pairable) / (1 - expected)
    of_expected = 2 * (1 - value) / (1 - expected)
    deviations = of_observed * clip_observed
    deviations -= (of_observed * expected) * pairable
    deviations -= of_expected * clip_expected
    deviations += of_expected * expected - value
    return sqrt(float(deviations @ deviations) / (n_rated * (n_rated - 1)))


def uses_one_category(counts: Counts) -> bool:
    """Whether all ratings are equal; told from the counts, where no rounding can hide it."""
    return int((counts.sum(axis=0) > 0).sum()) == 1


def check_weights(weights: Weights, categories: int) -> None:
    """Refuse weights that are not those of this scale."""
    if weights.shape != (categories, categories):
        raise ValueError(f"weights are {weights.shape}, but there are {categories} categories")


def _published_without_variation(
    p_i: Floats, observed: float, n_single: int
) -> PublishedKappaResult:
    # κ = 0 where P̄ = P_e, and P_e is 1 here; whether P̄ is 1 needs exact arithmetic.
    sizes, clips = np.unique(p_i[p_i >= 2], return_counts=True)
    total = sum(
        (int(c) * Fraction(int(p), int(p) - 1) for p, c in zip(sizes, clips, strict=True)),
        Fraction(0),
    )
    if total == len(p_i):
        return PublishedKappaResult(0.0, 1.0, 1.0, nan, nan, len(p_i), n_single)
    return PublishedKappaResult(nan, observed, 1.0, nan, nan, len(p_i), n_single, ONE_CATEGORY)
