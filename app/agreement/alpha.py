"""Krippendorff's alpha for nominal, ordinal and interval answers."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import Counts, check_counts
from app.agreement.kappa import NO_PAIR, uses_one_category

Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class AlphaResult:
    """Krippendorff's alpha and what it was computed from."""

    alpha: float  # nan if undefined
    observed_disagreement: float
    expected_disagreement: float
    n_pairable: int
    n_ratings: int  # on pairable clips
    why_undefined: str = ""


def krippendorff_alpha(counts: Counts, level: Level) -> AlphaResult:
    """Alpha over the clips with at least two ratings; the others say nothing about it.

    Parameters
    ----------
    counts : (n_clips, n_categories) array of int
        How many raters put each clip in each category.
    level : "nominal", "ordinal" or "interval"
        What the distance of two answers means. The ordinal one counts the ratings that lie
        between them.

    References
    ----------
    Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability.

    Examples
    --------
    >>> from app.agreement.ratings import table_from_scores
    >>> four_observers = np.array([  # the report's example C; 0 where a value is missing
    ...     [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    ...     [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    ...     [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    ...     [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ... ])
    >>> counts = table_from_scores(four_observers.T, categories=5).counts()
    >>> [round(krippendorff_alpha(counts, level).alpha, 3) for level in ("nominal", "interval")]
    [0.743, 0.849]
    """
    checked = check_counts(counts)
    pairable = checked[checked.sum(axis=1) >= 2]
    raters = pairable.sum(axis=1)
    n_pairable, n_ratings = len(pairable), int(raters.sum())
    if n_pairable == 0:
        return AlphaResult(nan, nan, nan, 0, 0, NO_PAIR)
    if uses_one_category(pairable):
        reason = "Every rating on clips with two or more ratings is the same."
        return AlphaResult(nan, 0.0, 0.0, n_pairable, n_ratings, reason)

    totals = pairable.sum(axis=0)
    distances = squared_distances(totals, level)
    within = (pairable @ distances * pairable).sum(axis=1) / (raters - 1)
    observed = float(within.sum()) / n_ratings
    expected = float(totals @ distances @ totals) / (n_ratings * (n_ratings - 1))
    return AlphaResult(1 - observed / expected, observed, expected, n_pairable, n_ratings)


def squared_distances(totals: NDArray[np.int64], level: Level) -> NDArray[np.float64]:
    """Squared distance of each two categories.

    Parameters
    ----------
    totals : (n_categories,) array of int
        Ratings per category over all pairable clips.

    Returns
    -------
    (n_categories, n_categories) array of float
    """
    if level == "nominal":
        return 1 - np.eye(len(totals))
    if level == "ordinal":
        scores = np.cumsum(totals) - totals / 2  # mid-ranks
    elif level == "interval":
        scores = np.arange(len(totals), dtype=np.float64)
    else:
        raise ValueError(f"level {level!r} is not nominal, ordinal or interval")
    return np.square(scores[:, None] - scores[None, :])
