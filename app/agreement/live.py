"""Agreement that moves with every rating: exact, at a cost that does not grow."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, nan, sqrt

import numpy as np

from app.agreement.counts import Counts, check_categories


@dataclass(frozen=True, slots=True)
class LiveResult:
    """What the live state says now; nan where undefined."""

    kappa: float  # standard, Gwet's margins
    se: float
    kappa_pooled: float
    kappa_published: float
    alpha_interval: float
    n_clips: int  # with at least one rating
    n_pairable: int
    n_ratings: int


class LiveAgreement:
    """Quadratic kappas, standard error and interval alpha under a stream of ratings.

    Clips with equal numbers of ratings form a group that keeps the sums of its clips'
    moments. A rating moves one clip between two groups, so an update costs the same however
    many ratings there are, and Python's integers keep the sums exact, so nothing drifts.

    Examples
    --------
    >>> live = LiveAgreement(categories=5)
    >>> for clip, answers in {"a": (1, 1, 5), "b": (3,), "c": (4, 5, 5)}.items():
    ...     for rater, answer in enumerate(answers):
    ...         live.set_rating(clip, rater, answer)
    >>> round(live.result().kappa, 12), round(live.result().kappa_published * 1242, 9)
    (-0.275, 409.0)
    """

    def __init__(self, categories: int) -> None:
        self.categories = check_categories(categories)
        self._ratings: dict[tuple[Hashable, Hashable], int] = {}
        self._clips: dict[Hashable, list[int]] = {}
        self._groups: dict[int, list[int]] = {}

    def set_rating(self, clip: Hashable, rater: Hashable, rating: int) -> None:
        """Add the rater's answer, or put it in the place of their earlier one."""
        if not 1 <= rating <= self.categories:
            raise ValueError(f"rating {rating} is outside 1..{self.categories}")
        earlier = self._ratings.get((clip, rater), 0)
        self._ratings[clip, rater] = rating
        self._move(clip, earlier, rating)

    def delete_rating(self, clip: Hashable, rater: Hashable) -> None:
        """Take the rater's answer back."""
        earlier = self._ratings.pop((clip, rater), 0)
        if not earlier:
            raise ValueError(f"rater {rater} has no rating on clip {clip}")
        self._move(clip, earlier, 0)

    def counts(self) -> Counts:
        """(n_clips, n_categories) array, clips in the order of their first rating."""
        row_of = {clip: row for row, clip in enumerate(self._clips)}
        counts = np.zeros((len(row_of), self.categories), dtype=np.int64)
        for (clip, _), rating in self._ratings.items():
            counts[row_of[clip], rating - 1] += 1
        return counts

    def result(self) -> LiveResult:
        """Both kappas, the standard error and alpha, as the batch functions give them."""
        sums = _Sums(self._groups)
        kappa, se = _standard(sums)
        return LiveResult(
            kappa=kappa,
            se=se,
            kappa_pooled=_pooled(sums),
            kappa_published=_published(sums, self.categories),
            alpha_interval=_alpha(self._groups),
            n_clips=sums.n_clips,
            n_pairable=sums.n_pairable,
            n_ratings=len(self._ratings),
        )

    def _move(self, clip: Hashable, earlier: int, rating: int) -> None:
        moments = self._clips.get(clip)
        if moments is None:
            moments = self._clips[clip] = [0, 0, 0]
        n, s1, s2 = moments
        self._count_clip(n, s1, s2, -1)
        n += (rating > 0) - (earlier > 0)
        s1 += rating - earlier
        s2 += rating * rating - earlier * earlier
        moments[0], moments[1], moments[2] = n, s1, s2
        self._count_clip(n, s1, s2, 1)

    def _count_clip(self, n: int, s1: int, s2: int, sign: int) -> None:
        if n == 0:
            return
        group = self._groups.get(n)
        if group is None:
            group = self._groups[n] = [0] * 10
        q = n * s2 - s1 * s1
        group[0] += sign
        group[1] += sign * s1
        group[2] += sign * s2
        group[3] += sign * q
        group[4] += sign * s1 * s1
        group[5] += sign * s1 * s2
        group[6] += sign * s2 * s2
        group[7] += sign * q * q
        group[8] += sign * q * s1
        group[9] += sign * q * s2
        if group[0] == 0:
            del self._groups[n]


class _Sums:
    """Exact sums over clips of 1, x̄, mean of x², s² and their products.

    The groups' integers are brought over one common denominator first, so that only the
    last step needs fractions.
    """

    def __init__(self, groups: dict[int, list[int]]) -> None:
        scale = lcm(*(n * max(n - 1, 1) for n in groups))
        first = [0] * 5
        second = [0] * 6
        self.n_clips = self.n_pairable = self.n_ratings = self.rating_sum = self.square_sum = 0
        self_pairs = 0
        for n, (clips, s1, s2, q, s1s1, s1s2, s2s2, qq, qs1, qs2) in groups.items():
            self.n_clips += clips
            self.n_ratings += clips * n
            self.rating_sum += s1
            self.square_sum += s2
            mean = scale // n
            first[0] += s1 * mean
            first[1] += s2 * mean
            second[0] += s1s1 * mean * mean
            second[1] += s1s2 * mean * mean
            second[2] += s2s2 * mean * mean
            if n < 2:
                continue
            pair = scale // (n * (n - 1))
            self.n_pairable += clips
            self_pairs += clips * (scale // (n - 1))
            first[2] += q * pair
            first[3] += s1 * mean
            first[4] += s2 * mean
            second[3] += qq * pair * pair
            second[4] += qs1 * pair * mean
            second[5] += qs2 * pair * mean
        self.x, self.y, self.v, self.x_paired, self.y_paired = (Fraction(s, scale) for s in first)
        squared = scale * scale
        self.xx, self.xy, self.yy, self.vv, self.vx, self.vy = (
            Fraction(s, squared) for s in second
        )
        self.self_pairs = Fraction(self_pairs, scale)


def _standard(sums: _Sums) -> tuple[float, float]:
    n, paired = sums.n_clips, sums.n_pairable
    if not paired:
        return nan, nan
    mean, square = sums.x / n, sums.y / n
    variance = square - mean * mean
    if not variance:
        return nan, nan
    within = sums.v / paired / variance  # 1 − κ
    if n < 2:
        return float(1 - within), nan
    # σ²·z_i of the standard error is linear in (pairable, pairable·s², 1, x̄, mean of x²).
    linear = (
        variance * n / paired,
        Fraction(-n, paired),
        -within * (square - 2 * mean * mean) - (1 - within) * variance,
        -2 * within * mean,
        within,
    )
    gram = (
        (Fraction(paired), sums.v, Fraction(paired), sums.x_paired, sums.y_paired),
        (sums.v, sums.vv, sums.v, sums.vx, sums.vy),
        (Fraction(paired), sums.v, Fraction(n), sums.x, sums.y),
        (sums.x_paired, sums.vx, sums.x, sums.xx, sums.xy),
        (sums.y_paired, sums.vy, sums.y, sums.xy, sums.yy),
    )
    squares = sum(
        (a * b * gram[i][j] for i, a in enumerate(linear) for j, b in enumerate(linear)),
        Fraction(0),
    )
    return float(1 - within), sqrt(squares / (variance * variance * n * (n - 1)))


def _pooled(sums: _Sums) -> float:
    spread = sums.n_ratings * sums.square_sum - sums.rating_sum**2
    if not sums.n_pairable or not spread:
        return nan
    return float(1 - sums.v / sums.n_pairable * sums.n_ratings**2 / spread)


def _published(sums: _Sums, categories: int) -> float:
    if not sums.n_clips:
        return nan
    d = (categories - 1) ** 2
    observed = (sums.n_pairable - 2 * sums.v / d + sums.self_pairs) / sums.n_clips
    spread = sums.n_ratings * sums.square_sum - sums.rating_sum**2
    expected = 1 - Fraction(2 * spread, d * sums.n_ratings**2)
    if observed == expected:
        return 0.0
    return float((observed - expected) / (1 - expected)) if spread else nan


def _alpha(groups: dict[int, list[int]]) -> float:
    pairable = {n: group for n, group in groups.items() if n >= 2}
    n_ratings = sum(n * group[0] for n, group in pairable.items())
    rating_sum = sum(group[1] for group in pairable.values())
    square_sum = sum(group[2] for group in pairable.values())
    spread = n_ratings * square_sum - rating_sum**2
    if not spread:
        return nan
    scale = lcm(*(n - 1 for n in pairable))
    within = sum(group[3] * (scale // (n - 1)) for n, group in pairable.items())
    return float(1 - Fraction((n_ratings - 1) * within, scale * spread))
