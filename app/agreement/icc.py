"""Intraclass correlations of the two-way random model, also with missing cells."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from app.agreement.ratings import RatingTable


@dataclass(frozen=True, slots=True)
class IccResult:
    """ICC(2,1), ICC(2,k) and the variances they are made of."""

    icc2_1: float  # reliability of one rating; nan if undefined
    icc2_k: float  # reliability of the clips' means
    clip_variance: float
    rater_variance: float
    residual_variance: float
    raters_per_clip: float  # harmonic mean; k for complete data
    complete: bool
    why_undefined: str = ""


def intraclass_correlation(table: RatingTable) -> IccResult:
    """ICC(2,1) and ICC(2,k) of Shrout and Fleiss.

    The variances of `rating = mean + clip + rater + residual` come from Henderson's method III
    (fitting constants): sums of squares of least-squares fits, set equal to their
    expectations. For complete data these are the mean squares of Shrout and Fleiss; with missing
    cells they stay unbiased without dropping a clip, and they need neither iterations nor a
    normal distribution. Variances are not cut at zero, as in Shrout and Fleiss.
    With missing cells k is the harmonic mean of the raters per clip.

    References
    ----------
    Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86(2), 420-428.
    Henderson, C. R. (1953). Biometrics 9(2), 226-252.
    """
    clip_rows, rater_rows = _compact(table.clip_index), _compact(table.rater_index)
    scores = table.rating.astype(np.float64)
    n_ratings = len(scores)
    n_clips, n_raters = (
        int(rows.max()) + 1 if n_ratings else 0 for rows in (clip_rows, rater_rows)
    )
    if n_clips < 2 or n_raters < 2:
        return _undefined("ICC needs at least two clips and two raters.")
    parts = _connected_parts(clip_rows, rater_rows, n_clips, n_raters)
    rank = n_clips + n_raters - parts
    if n_ratings <= rank:
        return _undefined("ICC needs more ratings: none is left to tell error from raters.")

    # The model treats both alike; solving for the fewer of them is what keeps it quick.
    few, many = sorted(((clip_rows, n_clips), (rater_rows, n_raters)), key=lambda side: side[1])
    residual_ss = _additive_residual_ss(scores, many[0], few[0], many[1], few[1])
    residual = residual_ss / (n_ratings - rank)
    clip_ss = _within_ss(scores, rater_rows) - residual_ss
    rater_ss = _within_ss(scores, clip_rows) - residual_ss
    clip = (clip_ss - (rank - n_raters) * residual) / (n_ratings - n_raters)
    rater = (rater_ss - (rank - n_clips) * residual) / (n_ratings - n_clips)
    per_clip = float(n_clips / (1 / np.bincount(clip_rows)).sum())
    single, mean = clip + rater + residual, clip + (rater + residual) / per_clip
    if bool((scores == scores[0]).all()) or single <= 0 or mean <= 0:
        return _undefined("ICC is not defined: the ratings have no variance to share out.")
    complete = n_ratings == n_clips * n_raters
    return IccResult(clip / single, clip / mean, clip, rater, residual, per_clip, complete)


def _undefined(reason: str) -> IccResult:
    return IccResult(nan, nan, nan, nan, nan, nan, False, reason)


def _compact(index: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same groups numbered without gaps: clips and raters without ratings do not count."""
    return np.unique(index, return_inverse=True)[1].astype(np.int64)


def _within_ss(scores: NDArray[np.float64], group: NDArray[np.int64]) -> float:
    means = np.bincount(group, weights=scores) / np.bincount(group)
    return float(np.square(scores - means[group]).sum())


def _additive_residual_ss(
    scores: NDArray[np.float64],
    clip_rows: NDArray[np.int64],
    rater_rows: NDArray[np.int64],
    n_clips: int,
    n_raters: int,
) -> float:
    """Residual sum of squares of `clip + rater`, the clips' effects solved away first."""
    seen = np.zeros((n_clips, n_raters))
    seen[clip_rows, rater_rows] = 1
    per_clip = seen.sum(axis=1)
    clip_means = np.bincount(clip_rows, weights=scores) / per_clip
    centred = scores - clip_means[clip_rows]
    normal = np.diag(seen.sum(axis=0)) - seen.T @ (seen / per_clip[:, None])
    right = np.bincount(rater_rows, weights=centred, minlength=n_raters)
    # Rater effects are known up to a constant per connected part; lstsq picks one of them.
    effects = np.linalg.lstsq(normal, right, rcond=1e-10)[0]
    clip_effects = np.bincount(clip_rows, weights=effects[rater_rows]) / per_clip
    residuals = centred - effects[rater_rows] + clip_effects[clip_rows]
    return float(residuals @ residuals)


def _connected_parts(
    clip_rows: NDArray[np.int64], rater_rows: NDArray[np.int64], n_clips: int, n_raters: int
) -> int:
    """Groups of clips and raters that no rating links to the rest."""
    clip_part, rater_part = np.arange(n_clips), np.arange(n_raters) + n_clips
    while True:
        before = clip_part.sum() + rater_part.sum()
        np.minimum.at(rater_part, rater_rows, clip_part[clip_rows])
        np.minimum.at(clip_part, clip_rows, rater_part[rater_rows])
        if clip_part.sum() + rater_part.sum() == before:
            return len(np.unique(clip_part))
