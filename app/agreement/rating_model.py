"""Ratings out of the blue: a model of clips, raters and noise with a known kappa."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from app.agreement.student_t import normal_cdf, normal_quantile

_GRID = 201


def simulate_scores(
    n_clips: int,
    n_raters: int,
    clip_share: float,
    rater_share: float,
    categories: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Answers of every rater to every clip.

    On a latent scale an answer is clip + bias of rater + noise, all normal, with a standard
    deviation of a quarter of the scale's length; it is rounded and cut at the ends.

    Parameters
    ----------
    clip_share : float
        The clips' part of the latent variance; `latent_clip_share` finds it for a kappa.
    rater_share : float
        The part of the rest that is the raters' bias.

    Returns
    -------
    (n_clips, n_raters) array of int
    """
    latent = sqrt(clip_share) * rng.standard_normal((n_clips, 1))
    latent = latent + sqrt((1 - clip_share) * rater_share) * rng.standard_normal(n_raters)
    noise_share = (1 - clip_share) * (1 - rater_share)
    latent = latent + sqrt(noise_share) * rng.standard_normal((n_clips, n_raters))
    answers = np.rint((categories + 1) / 2 + _spread(categories) * latent)
    return np.clip(answers, 1, categories).astype(np.int64)


@lru_cache(maxsize=64)
def latent_clip_share(kappa: float, categories: int) -> float:
    """The clips' share of the latent variance that gives the rounded answers this kappa."""
    low, high = 0.0, 1.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        if population_kappa(middle, categories) < kappa:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def population_kappa(clip_share: float, categories: int) -> float:
    """Quadratic kappa of the model with endless clips and raters.

    It is the variance of the clips' mean answers over the variance of all answers, by the
    distribution of the answer given the clip on a grid of equally likely clips.
    """
    rest = _spread(categories) * sqrt(1 - clip_share)
    means, squares = [], []
    for step in range(_GRID):
        clip = normal_quantile((step + 0.5) / _GRID)
        centre = (categories + 1) / 2 + _spread(categories) * sqrt(clip_share) * clip
        # P(answer > j) for j = 1 … k − 1; E x = 1 + Σ P(x > j), E x² = 1 + Σ (2j + 1) P(x > j).
        above = [_above(j + 0.5, centre, rest) for j in range(1, categories)]
        means.append(1 + sum(above))
        squares.append(1 + sum((2 * j + 1) * p for j, p in enumerate(above, start=1)))
    mean = sum(means) / _GRID
    clip_variance = sum(m * m for m in means) / _GRID - mean * mean
    return clip_variance / (sum(squares) / _GRID - mean * mean)


def _above(limit: float, centre: float, spread: float) -> float:
    if spread == 0:
        return float(centre > limit)
    return normal_cdf((centre - limit) / spread)


def _spread(categories: int) -> float:
    return (categories - 1) / 4
