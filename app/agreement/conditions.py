"""Whether raters prefer one condition to another: tests on each rater's own means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, inf, nan, sqrt

import numpy as np
from numpy.typing import NDArray

from app.agreement.intervals import Interval
from app.agreement.opinion import mean_interval, rater_means
from app.agreement.ratings import RatingTable
from app.agreement.student_t import normal_upper_tail, t_upper_tail

Floats = NDArray[np.float64]

# Up to here the exact distribution of the rank sum is cheap.
_MOST_EXACT = 50


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """Two conditions compared over the raters who have rated both."""

    first: str
    second: str
    n_raters: int
    mean_difference: float  # first − second
    interval: Interval
    t: float
    p_t: float
    p_t_holm: float
    rank_sum: float  # of the raters who prefer the first
    p_wilcoxon: float
    p_wilcoxon_holm: float
    effect_size: float  # Cohen's d_z: mean difference in units of its spread over raters
    rank_biserial: float  # from −1 (all prefer the second) to 1 (all prefer the first)
    why_undefined: str = ""


def compare_conditions(
    table: RatingTable, condition_of: Mapping[str, str], level: float = 0.95
) -> tuple[ComparisonResult, ...]:
    """Every pair of conditions, with p-values corrected for their number after Holm.

    The rater is the unit: each brings one mean per condition, so that many ratings of few
    people do not pass for many people.
    """
    conditions, means = rater_means(table, condition_of)
    raw = [
        _compare(conditions[i], conditions[j], means[:, i] - means[:, j], level)
        for i, j in combinations(range(len(conditions)), 2)
    ]
    return _with_holm(raw)


def paired_t_test(differences: Floats) -> tuple[float, float]:
    """Student's t of differences against zero and its two-sided p.

    References
    ----------
    Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.

    Examples
    --------
    >>> sleep = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])  # Student's table
    >>> t, p = paired_t_test(sleep)
    >>> round(t, 4), round(p, 6)
    (4.0621, 0.002833)
    """
    n = len(differences)
    if n < 2:
        return nan, nan
    sd = float(differences.std(ddof=1))
    mean = float(differences.mean())
    if sd == 0:
        return (nan, nan) if mean == 0 else (inf if mean > 0 else -inf, 0.0)
    t = mean / (sd / sqrt(n))
    return t, 2 * t_upper_tail(abs(t), n - 1)


def wilcoxon_signed_rank(differences: Floats) -> tuple[float, float]:
    """Rank sum of the positive differences and its two-sided p; zeros are dropped.

    Exact up to 50 differences, ties included: every sign is equally likely, and the sums
    are counted. Beyond, the normal approximation with the variance that ties leave.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics 1(6), 80-83.
    """
    # Means of few integers differ by rounding alone where they should tie.
    known = np.round(differences[np.abs(differences) > 1e-9], 9)
    n = len(known)
    if n == 0:
        return nan, nan
    _, inverse, sizes = np.unique(np.abs(known), return_inverse=True, return_counts=True)
    twice_ranks = (2 * np.cumsum(sizes) - sizes + 1)[inverse]
    twice_sum = int(twice_ranks[known > 0].sum())
    if n <= _MOST_EXACT:
        return twice_sum / 2, _exact_p(twice_ranks, twice_sum)
    mean, variance = n * (n + 1) / 4, float(np.square(twice_ranks / 2).sum()) / 4
    return twice_sum / 2, 2 * normal_upper_tail(abs(twice_sum / 2 - mean) / sqrt(variance))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """p-values corrected for their number, step by step; nan stays nan and does not count.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p == p)
    corrected = [nan] * len(p_values)
    highest = 0.0
    for rank, (p, i) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        corrected[i] = highest
    return tuple(corrected)


def _compare(first: str, second: str, differences: Floats, level: float) -> ComparisonResult:
    known = differences[~np.isnan(differences)]
    n = len(known)
    mean = float(known.mean()) if n else nan
    sd = float(known.std(ddof=1)) if n > 1 else nan
    t, p_t = paired_t_test(known)
    rank_sum, p_wilcoxon = wilcoxon_signed_rank(known)
    n_ranked = int((np.abs(known) > 1e-9).sum())
    return ComparisonResult(
        first=first,
        second=second,
        n_raters=n,
        mean_difference=mean,
        interval=mean_interval(mean, sd, n, level),
        t=t,
        p_t=p_t,
        p_t_holm=nan,
        rank_sum=rank_sum,
        p_wilcoxon=p_wilcoxon,
        p_wilcoxon_holm=nan,
        effect_size=mean / sd if n > 1 and sd > 0 else nan,
        rank_biserial=2 * rank_sum / comb(n_ranked + 1, 2) - 1 if n_ranked else nan,
        why_undefined="" if n > 1 else "Fewer than two raters have rated both conditions.",
    )


def _with_holm(raw: Sequence[ComparisonResult]) -> tuple[ComparisonResult, ...]:
    t_corrected = holm([result.p_t for result in raw])
    wilcoxon_corrected = holm([result.p_wilcoxon for result in raw])
    return tuple(
        replace(result, p_t_holm=p_t, p_wilcoxon_holm=p_wilcoxon)
        for result, p_t, p_wilcoxon in zip(raw, t_corrected, wilcoxon_corrected, strict=True)
    )


def _exact_p(twice_ranks: NDArray[np.int64], twice_sum: int) -> float:
    """Two-sided p by counting, over all signs, the sums at least as far from the middle."""
    total = int(twice_ranks.sum())
    ways = [1] + [0] * total
    reached = 0
    for rank in twice_ranks.tolist():
        reached += rank
        for value in range(reached, rank - 1, -1):
            ways[value] += ways[value - rank]
    lower = min(twice_sum, total - twice_sum)
    n_signs: int = 2 ** len(twice_ranks)
    return min(1.0, 2 * sum(ways[: lower + 1]) / n_signs)
