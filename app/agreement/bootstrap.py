"""A bootstrap interval for kappa: what other clips of the same kind might have given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import Counts, check_counts
from app.agreement.intervals import Interval, check_level, no_interval
from app.agreement.leave_one_out import (
    Floats,
    clip_moments,
    kappa_of_sums,
    kappa_without_each_clip,
)
from app.agreement.student_t import normal_cdf, normal_quantile

_METHOD = "bca-bootstrap-clips"
_CELLS_AT_ONCE = 4_000_000
_MOST_UNDEFINED = 0.05


def bootstrap_kappa_interval(
    counts: Counts, rng: np.random.Generator, resamples: int = 2_000, level: float = 0.95
) -> Interval:
    """BCa interval of the standard quadratic kappa, clips drawn with replacement.

    The plain percentile interval covers only 88 to 92 % at 36 clips; BCa corrects its bias
    and its skewness.

    Parameters
    ----------
    counts : (n_clips, n_categories) array of int
        How many raters put each clip in each category.

    References
    ----------
    Efron, B. (1987). Better bootstrap confidence intervals. JASA 82(397), 171-185.
    """
    check_level(level)
    stacked = clip_moments(counts).stacked()
    n_clips = len(stacked)
    if n_clips < 2:
        return no_interval("A bootstrap needs at least two rated clips.", level, _METHOD)
    kappa = float(kappa_of_sums(n_clips, stacked.sum(axis=0)[None, :])[0])
    if np.isnan(kappa):
        return no_interval("Kappa itself is not defined.", level, _METHOD)
    draws = resample_kappas(counts, rng, resamples)
    defined = np.sort(draws[~np.isnan(draws)])
    if len(defined) < (1 - _MOST_UNDEFINED) * resamples:
        return no_interval(
            "Kappa is not defined in too many resamples: the ratings hardly vary.", level, _METHOD
        )
    if defined[0] == defined[-1]:
        return no_interval("Every resample gives the same kappa.", level, _METHOD)
    low, high = _bca_ends(kappa, defined, kappa_without_each_clip(counts), level)
    return Interval(low, high, level, _METHOD)


def resample_kappas(counts: Counts, rng: np.random.Generator, resamples: int) -> Floats:
    """Kappa of `resamples` sets of clips drawn with replacement from the rated ones.

    Clips with the same number of ratings, sum and sum of squares are interchangeable: where
    few such kinds occur, drawing how often each kind comes has the same law and costs far less.

    Returns
    -------
    (resamples,) array of float
        nan where kappa is not defined.
    """
    stacked = clip_moments(counts).stacked()
    kinds, clips_of_kind = _kinds(counts)
    n_clips = len(stacked)
    few = len(kinds) * 10 < n_clips
    rows = kinds if few else stacked
    chunk = max(1, _CELLS_AT_ONCE // len(rows))
    kappas = np.empty(resamples)
    for start in range(0, resamples, chunk):
        stop = min(start + chunk, resamples)
        if few:
            times = rng.multinomial(n_clips, clips_of_kind / n_clips, size=stop - start)
        else:
            times = _draw_clips(n_clips, stop - start, rng)
        kappas[start:stop] = kappa_of_sums(n_clips, times.astype(np.float64) @ rows)
    return kappas


def _kinds(counts: Counts) -> tuple[Floats, NDArray[np.int64]]:
    checked = check_counts(counts)
    rated = checked[checked.sum(axis=1) >= 1]
    scale = np.arange(rated.shape[1])
    n, s1, s2 = rated.sum(axis=1), rated @ scale, rated @ scale**2
    # One integer per (n, Σx, Σx²) sorts much faster than rows of three.
    codes = (n * (s1.max() + 1) + s1) * (s2.max() + 1) + s2
    _, first, clips = np.unique(codes, return_index=True, return_counts=True)
    return clip_moments(rated[first]).stacked(), clips


def _draw_clips(n_clips: int, resamples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """(resamples, n_clips) array: how often each clip is drawn."""
    drawn = rng.integers(0, n_clips, size=(resamples, n_clips), dtype=np.int32)
    drawn += np.arange(0, resamples * n_clips, n_clips, dtype=np.int32)[:, None]
    flat = np.bincount(drawn.ravel(), minlength=resamples * n_clips)
    return flat.reshape(resamples, n_clips)


def _bca_ends(
    kappa: float, draws: Floats, without_each_clip: Floats, level: float
) -> tuple[float, float]:
    below = (np.count_nonzero(draws < kappa) + np.count_nonzero(draws <= kappa)) / 2
    inside = min(max(below, 0.5), len(draws) - 0.5)
    bias = normal_quantile(inside / len(draws))
    acceleration = _acceleration(without_each_clip)
    ends = []
    for probability in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal_quantile(probability)
        shifted = normal_cdf(bias + z / (1 - acceleration * z))
        ends.append(float(np.quantile(draws, shifted)))
    return ends[0], ends[1]


def _acceleration(without_each_clip: Floats) -> float:
    known = without_each_clip[~np.isnan(without_each_clip)]
    pulls = known.mean() - known
    spread = float(np.square(pulls).sum())
    return float((pulls**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
