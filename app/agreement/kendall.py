"""Kendall's W: whether raters put the clips in the same order."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from app.agreement.ratings import RatingTable


@dataclass(frozen=True, slots=True)
class KendallResult:
    """Kendall's coefficient of concordance, corrected for ties."""

    w: float  # nan if undefined
    mean_rank_correlation: float  # Spearman's, over all pairs of raters: (mW − 1)/(m − 1)
    n_clips: int
    n_raters: int
    why_undefined: str = ""


def kendall_w(table: RatingTable) -> KendallResult:
    """Kendall's W with ties; only where every rater has rated every rated clip.

    References
    ----------
    Kendall, M. G. and Babington Smith, B. (1939). Annals of Math. Statistics 10(3), 275-287.
    Siegel, S. (1956). Nonparametric Statistics, ch. 9.

    Examples
    --------
    >>> from app.agreement.ratings import table_from_scores
    >>> siegel = np.array([[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]])
    >>> round(kendall_w(table_from_scores(siegel.T, categories=6)).w, 2)
    0.16
    """
    scores = table.scores()
    scores = scores[scores.any(axis=1)][:, scores.any(axis=0)]
    n_clips, n_raters = scores.shape
    if n_clips < 2 or n_raters < 2:
        return _undefined("Kendall's W needs at least two clips and two raters.", scores)
    if not scores.all():
        missing = int((scores == 0).sum())
        return _undefined(
            f"Kendall's W needs complete data; {missing} ratings are missing.", scores
        )
    ranks, ties = midranks(scores)
    # Each rater who gives every clip the same answer takes all of their possible spread away.
    possible = n_raters * (n_raters * (n_clips**3 - n_clips) - int(ties.sum()))
    if possible == 0:
        return _undefined("Kendall's W is not defined: no rater tells the clips apart.", scores)
    sums = ranks.sum(axis=1)
    spread = float(np.square(sums - n_raters * (n_clips + 1) / 2).sum())
    w = 12 * spread / possible
    return KendallResult(w, (n_raters * w - 1) / (n_raters - 1), n_clips, n_raters)


def midranks(scores: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Ranks from 1 down each column, ties sharing their mean rank; and Σ(t³ − t) per column.

    Parameters
    ----------
    scores : (n_clips, n_raters) array of int
    """
    ranks = np.empty(scores.shape)
    ties = np.empty(scores.shape[1], dtype=np.int64)
    for column, answers in enumerate(scores.T):
        _, inverse, sizes = np.unique(answers, return_inverse=True, return_counts=True)
        last = np.cumsum(sizes)
        ranks[:, column] = (last - (sizes - 1) / 2)[inverse]
        ties[column] = int((sizes**3 - sizes).sum())
    return ranks, ties


def _undefined(reason: str, scores: NDArray[np.int64]) -> KendallResult:
    return KendallResult(nan, nan, scores.shape[0], scores.shape[1], reason)
