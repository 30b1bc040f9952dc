"""Agreement weights: how much two answers count as the same, from 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import check_categories

Weights = NDArray[np.float64]


@cache
def quadratic_weights(categories: int) -> Weights:
    """`1 − (j−l)²/(k−1)²`: a step of two costs four times a step of one.

    Returns
    -------
    (n_categories, n_categories) array of float
        Made once per scale and read-only.

    Examples
    --------
    >>> quadratic_weights(3)
    array([[1.  , 0.75, 0.  ],
           [0.75, 1.  , 0.75],
           [0.  , 0.75, 1.  ]])
    """
    return _shared(1 - (_distances(categories) / (categories - 1)) ** 2)


@cache
def linear_weights(categories: int) -> Weights:
    """`1 − |j−l|/(k−1)`: every step costs the same."""
    return _shared(1 - _distances(categories) / (categories - 1))


@cache
def identity_weights(categories: int) -> Weights:
    """1 for the same answer, 0 for any other: the unweighted statistic."""
    return _shared(np.eye(check_categories(categories)))


@cache
def ordinal_weights(categories: int) -> Weights:
    """`1 − C(|j−l|+1, 2)/C(k, 2)`: by how many pairs of categories lie between the answers.

    References
    ----------
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., ch. 3.
    """
    distances = _distances(categories)
    return _shared(1 - distances * (distances + 1) / (categories * (categories - 1)))


WEIGHTS: Mapping[str, Callable[[int], Weights]] = MappingProxyType(
    {
        "quadratic": quadratic_weights,
        "linear": linear_weights,
        "identity": identity_weights,
        "ordinal": ordinal_weights,
    }
)


def _shared(weights: Weights) -> Weights:
    weights.flags.writeable = False
    return weights


def _distances(categories: int) -> Weights:
    scale = np.arange(check_categories(categories), dtype=np.float64)
    return np.abs(scale[:, None] - scale[None, :])
