"""Quadratic kappa again and again: without each clip, without each rater."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import Counts, check_counts
from app.agreement.ratings import RatingTable

Floats = NDArray[np.float64]

# The variance of ratings that are not all equal is at least about 1/(number of ratings).
_NO_VARIANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class ClipMoments:
    """What each rated clip brings to the standard quadratic kappa; arrays (n_clips,).

    Answers are counted from the middle of the scale, so that the squares stay small.
    """

    pairable: Floats  # 1 if the clip has two ratings, else 0
    variance: Floats  # unbiased, 0 where not pairable
    mean: Floats
    mean_square: Floats

    def stacked(self) -> Floats:
        """(n_clips, 4) array in the order that `kappa_of_sums` takes."""
        return np.stack([self.pairable, self.variance, self.mean, self.mean_square], axis=1)


def clip_moments(counts: Counts) -> ClipMoments:
    """Moments of the clips with at least one rating."""
    checked = check_counts(counts)
    rated = checked[checked.sum(axis=1) >= 1]
    scale = np.arange(rated.shape[1]) - (rated.shape[1] - 1) / 2
    n = rated.sum(axis=1).astype(np.float64)
    s1, s2 = rated @ scale, rated @ scale**2
    variance = np.zeros(len(rated))
    np.divide(n * s2 - s1 * s1, n * (n - 1), out=variance, where=n >= 2)
    return ClipMoments((n >= 2).astype(np.float64), variance, s1 / n, s2 / n)


def kappa_of_sums(n_clips: Floats | int, sums: Floats) -> Floats:
    """Standard quadratic kappa of many sets of clips; nan where it is not defined.

    Parameters
    ----------
    n_clips : int or (n_sets,) array
        Rated clips of each set.
    sums : (n_sets, 4) array
        Sums over the clips of a set, as in `ClipMoments.stacked`.

    Returns
    -------
    (n_sets,) array of float
    """
    pairable, variance, mean, mean_square = sums.T
    spread = mean_square / n_clips - np.square(mean / n_clips)
    defined = (pairable > 0.5) & (spread > _NO_VARIANCE)
    kappa = np.full(len(sums), np.nan)
    within = np.divide(variance, pairable, out=np.zeros(len(sums)), where=defined)
    kappa[defined] = 1 - within[defined] / spread[defined]
    return kappa


def kappa_without_each_clip(counts: Counts) -> Floats:
    """Standard quadratic kappa with one rated clip left out.

    Returns
    -------
    (n_rated_clips,) array of float
    """
    stacked = clip_moments(counts).stacked()
    n_left = max(len(stacked) - 1, 1)
    return kappa_of_sums(n_left, stacked.sum(axis=0) - stacked)


def kappa_without_each_rater(table: RatingTable) -> Floats:
    """Standard quadratic kappa with all ratings of one rater left out.

    Returns
    -------
    (n_raters,) array of float
        nan where nothing is left to agree on.
    """
    counts = table.counts()
    order = np.argsort(table.rater_index, kind="stable")
    ends = np.cumsum(np.bincount(table.rater_index, minlength=len(table.raters)))
    kappas = np.empty(len(table.raters))
    for rater, theirs in enumerate(np.split(order, ends[:-1])):
        left = counts.copy()
        # A rater has at most one rating on a clip, so no cell is named twice.
        left[table.clip_index[theirs], table.rating[theirs] - 1] -= 1
        stacked = clip_moments(left).stacked()
        kappas[rater] = kappa_of_sums(max(len(stacked), 1), stacked.sum(axis=0)[None, :])[0]
    return kappas
