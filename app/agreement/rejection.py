"""Rater rejection after ITU-R BT.500: whose answers lie too far out, on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.agreement.ratings import RatingTable


@dataclass(frozen=True, slots=True)
class RejectionResult:
    """How often a rater's answers lie far above and far below those of the others."""

    rater: str
    n_ratings: int
    n_above: int
    n_below: int
    rejected: bool


def bt500_rejection(table: RatingTable, ddof: Literal[0, 1] = 1) -> tuple[RejectionResult, ...]:
    """The kurtosis rule; for comparison, not for cleaning.

    An answer is far out at 2 standard deviations of its clip where the clip's kurtosis is
    between 2 and 4, else at √20. A rater is rejected if more than 5 % of their answers are
    far out and these lie on both sides in nearly equal number (difference below 30 %).
    All comparisons are made with integers: answers exactly at the limit are common.

    Parameters
    ----------
    ddof : 1 or 0
        Whether the standard deviation divides by n − 1, as in the Recommendation, or by n.

    References
    ----------
    Recommendation ITU-R BT.500-15 (2023), annex 1, screening of the observers.
    """
    above, below = _far_out(table, ddof)
    n_raters = len(table.raters)
    n_ratings = np.bincount(table.rater_index, minlength=n_raters)
    n_above = np.bincount(table.rater_index[above], minlength=n_raters)
    n_below = np.bincount(table.rater_index[below], minlength=n_raters)
    return tuple(
        RejectionResult(name, n, p, q, _is_rejected(n, p, q))
        for name, n, p, q in zip(
            table.raters, n_ratings.tolist(), n_above.tolist(), n_below.tolist(), strict=True
        )
    )


def _is_rejected(n_ratings: int, n_above: int, n_below: int) -> bool:
    far = n_above + n_below
    return 20 * far > n_ratings and 10 * abs(n_above - n_below) < 3 * far


def _far_out(
    table: RatingTable, ddof: Literal[0, 1]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two (n_ratings,) arrays: whether the rating is far above, far below."""
    counts = table.counts()
    scale = np.arange(1, table.categories + 1)
    n, s1 = counts.sum(axis=1), counts @ scale
    # n times the deviation from the clip's mean is a whole number.
    deviations = n[:, None] * scale - s1[:, None]
    second = (counts * deviations**2).sum(axis=1)
    factor = np.where(_bell_shaped(counts, deviations), 4, 20)[table.clip_index]
    deviation = deviations[table.clip_index, table.rating - 1]
    rated, spread = n[table.clip_index], second[table.clip_index]
    # (x − mean)² ≥ factor·Σ(x − mean)²/(n − ddof); a clip that all rate alike has no outlier.
    far = (deviation**2 * (rated - ddof) >= factor * spread) & (spread > 0)
    return far & (deviation > 0), far & (deviation < 0)


def _bell_shaped(counts: NDArray[np.int64], deviations: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n_clips,) array: whether the kurtosis n·Σd⁴/(Σd²)² is between 2 and 4."""
    # Python's integers, because these products exceed 64 bits from a few hundred raters on.
    big_counts, big_deviations = counts.astype(object), deviations.astype(object)
    second = (big_counts * big_deviations**2).sum(axis=1)
    fourth = big_counts.sum(axis=1) * (big_counts * big_deviations**4).sum(axis=1)
    bell_shaped: NDArray[np.bool_] = (fourth >= 2 * second**2) & (fourth <= 4 * second**2)
    return bell_shaped.astype(np.bool_)
