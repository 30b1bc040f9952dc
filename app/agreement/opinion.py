"""Mean opinion scores: what the clips, and the conditions they belong to, are worth to raters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import Counts
from app.agreement.intervals import Interval, no_interval, t_interval
from app.agreement.ratings import RatingTable

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OpinionResult:
    """The mean opinion of a clip or condition, its interval and all answers."""

    name: str
    mean: float  # nan without ratings
    sd: float  # of the single ratings; nan with fewer than two
    interval: Interval
    n_ratings: int
    n_raters: int
    distribution: tuple[int, ...]  # ratings per category


def clip_opinions(table: RatingTable, level: float = 0.95) -> tuple[OpinionResult, ...]:
    """Mean opinion score of every clip, with the t interval over its raters.

    References
    ----------
    Recommendation ITU-R BT.500-15 (2023), annex 1: mean score and confidence interval.

    Examples
    --------
    >>> from app.agreement.ratings import rating_table
    >>> answers = [("a", rater, x) for rater, x in zip("rstuv", (2, 3, 3, 4, 5))]
    >>> opinion = clip_opinions(rating_table(answers, categories=5))[0]
    >>> opinion.mean, round(opinion.interval.low, 4), round(opinion.interval.high, 4)
    (3.4, 1.9843, 4.8157)
    """
    results = []
    for name, row in zip(table.clips, table.counts(), strict=True):
        n_ratings = int(row.sum())
        mean, sd = _mean_and_sd(row)
        interval = mean_interval(mean, sd, n_ratings, level)
        results.append(
            OpinionResult(name, mean, sd, interval, n_ratings, n_ratings, tuple(row.tolist()))
        )
    return tuple(results)


def condition_opinions(
    table: RatingTable, condition_of: Mapping[str, str], level: float = 0.95
) -> tuple[OpinionResult, ...]:
    """Mean opinion score of every condition, each rater counting once.

    The ratings of one rater resemble each other, so they are averaged first and the interval
    is taken over raters; over single ratings it would be too narrow. For complete data the
    mean is the plain mean of all ratings.

    Parameters
    ----------
    condition_of : mapping
        The condition of each clip; clips not named are left out.
    """
    conditions, means = rater_means(table, condition_of)
    totals = _condition_counts(table, condition_of, conditions)
    results = []
    for column, name in enumerate(conditions):
        per_rater = means[~np.isnan(means[:, column]), column]
        mean = float(per_rater.mean()) if len(per_rater) else nan
        sd = float(per_rater.std(ddof=1)) if len(per_rater) > 1 else nan
        results.append(
            OpinionResult(
                name,
                mean,
                _mean_and_sd(totals[column])[1],
                mean_interval(mean, sd, len(per_rater), level),
                n_ratings=int(totals[column].sum()),
                n_raters=len(per_rater),
                distribution=tuple(totals[column].tolist()),
            )
        )
    return tuple(results)


def rater_means(
    table: RatingTable, condition_of: Mapping[str, str]
) -> tuple[tuple[str, ...], Floats]:
    """Mean rating of each rater in each condition.

    Returns
    -------
    conditions : tuple of str
        In the order of the clips.
    means : (n_raters, n_conditions) array of float
        nan where a rater has no rating in a condition.
    """
    conditions, of_clip = _condition_columns(table, condition_of)
    column = of_clip[table.clip_index]
    known = column >= 0
    n_cells = len(table.raters) * len(conditions)
    cells = table.rater_index[known] * len(conditions) + column[known]
    sums = np.bincount(cells, weights=table.rating[known], minlength=n_cells)
    numbers = np.bincount(cells, minlength=n_cells)
    means = np.full(n_cells, np.nan)
    np.divide(sums, numbers, out=means, where=numbers > 0)
    return conditions, means.reshape(len(table.raters), len(conditions))


def mean_interval(mean: float, sd: float, n: int, level: float) -> Interval:
    """t interval of a mean, or why there is none."""
    if n < 2:
        return no_interval("An interval needs at least two ratings.", level, "t")
    if sd == 0:
        return no_interval("Interval not estimable: all ratings are equal.", level, "t")
    return t_interval(mean, sd / sqrt(n), n - 1, level)


def _condition_columns(
    table: RatingTable, condition_of: Mapping[str, str]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    named = [condition_of.get(clip) for clip in table.clips]
    conditions = tuple(dict.fromkeys(name for name in named if name is not None))
    columns = {name: column for column, name in enumerate(conditions)}
    of_clip = [-1 if name is None else columns[name] for name in named]
    return conditions, np.array(of_clip, dtype=np.int64)


def _condition_counts(
    table: RatingTable, condition_of: Mapping[str, str], conditions: tuple[str, ...]
) -> Counts:
    _, of_clip = _condition_columns(table, condition_of)
    totals = np.zeros((len(conditions), table.categories), dtype=np.int64)
    np.add.at(totals, of_clip[of_clip >= 0], table.counts()[of_clip >= 0])
    return totals


def _mean_and_sd(row: NDArray[np.int64]) -> tuple[float, float]:
    n = int(row.sum())
    if n == 0:
        return nan, nan
    answers = range(1, len(row) + 1)
    s1 = sum(x * f for x, f in zip(answers, row.tolist(), strict=True))
    s2 = sum(x * x * f for x, f in zip(answers, row.tolist(), strict=True))
    return s1 / n, sqrt((n * s2 - s1 * s1) / (n * (n - 1))) if n > 1 else nan
