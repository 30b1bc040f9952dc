"""Gwet's AC2: agreement beyond chance that survives a lopsided scale."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from app.agreement.counts import Counts, by_category
from app.agreement.intervals import Interval, t_interval
from app.agreement.kappa import NO_PAIR, check_weights, clip_standard_error, pair_agreement
from app.agreement.weights import Weights


@dataclass(frozen=True, slots=True)
class Ac2Result:
    """Gwet's AC2 (AC1 with identity weights) and what it was computed from."""

    ac2: float  # nan if undefined
    observed: float
    expected: float
    se: float  # over clips; nan with fewer than two
    n_rated: int
    n_pairable: int
    why_undefined: str = ""


def gwet_ac2(counts: Counts, weights: Weights) -> Ac2Result:
    """AC2 over all declared categories, used or not; defined even if all ratings are equal.

    Parameters
    ----------
    counts : (n_clips, n_categories) array of int
        How many raters put each clip in each category.
    weights : (n_categories, n_categories) array of float
        Agreement weights: 1 on the diagonal, symmetric, within [0, 1].

    References
    ----------
    Gwet, K. L. (2008). Br. J. Math. Stat. Psychol. 61, 29-48; Handbook (2014), ch. 5.

    Examples
    --------
    >>> gwet_ac2(np.array([[0, 3], [0, 3]]), np.eye(2)).ac2
    1.0
    """
    check_weights(weights, counts.shape[-1])
    rated, raters = by_category(counts)
    pairable = raters >= 2
    n_pairable = int(np.count_nonzero(pairable))
    if n_pairable == 0:
        return Ac2Result(nan, nan, nan, nan, len(raters), 0, NO_PAIR)

    agreement = pair_agreement(rated, raters, weights)
    observed = float(agreement.sum()) / n_pairable
    one_over_raters = 1 / raters
    shares = rated @ one_over_raters / len(raters)
    categories = len(rated)
    scale = float(weights.sum()) / (categories * (categories - 1))
    expected = scale * float(shares @ (1 - shares))
    ac2 = (observed - expected) / (1 - expected)
    clip_expected = scale * ((1 - shares) @ rated) * one_over_raters
    se = clip_standard_error(ac2, agreement, clip_expected, expected, pairable)
    return Ac2Result(ac2, observed, expected, se, len(raters), n_pairable)


def ac2_interval(result: Ac2Result, level: float = 0.95) -> Interval:
    """Gwet's interval for other clips and the same raters: t with N − 1 degrees of freedom."""
    return t_interval(result.ac2, result.se, result.n_rated - 1, level, highest=1.0)
