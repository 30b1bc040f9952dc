"""How many raters put each clip in each category: what every kappa is computed from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
FEWEST_CATEGORIES = 2
MOST_CATEGORIES = 11
_MOST_IN_A_BYTE = 255
_CELLS_AT_ONCE = 32_000_000


def check_categories(categories: int) -> int:
    """The number of categories, if a study may have so many."""
    if not FEWEST_CATEGORIES <= categories <= MOST_CATEGORIES:
        raise ValueError(
            f"a rating scale has {FEWEST_CATEGORIES} to {MOST_CATEGORIES} categories, "
            f"not {categories}"
        )
    return categories


def check_counts(counts: NDArray[Any]) -> Counts:
    """The counts as int64, if they are a table of whole numbers that are not negative.

    Parameters
    ----------
    counts : (n_clips, n_categories) array
        How many raters put each clip in each category.
    """
    if counts.ndim != 2:
        raise ValueError(f"counts have {counts.ndim} axes; they need two, clips and categories")
    check_categories(counts.shape[1])
    if not np.issubdtype(counts.dtype, np.integer):
        raise ValueError(f"counts are {counts.dtype}, not whole numbers")
    if counts.size and counts.dtype.kind == "i" and counts.min() < 0:
        clip, category = np.argwhere(counts < 0)[0]
        raise ValueError(
            f"clip {clip} has {counts[clip, category]} ratings in category {category + 1}"
        )
    return counts.astype(np.int64, copy=False)


def count_ratings(
    clip_index: NDArray[np.integer[Any]],
    rating: NDArray[np.integer[Any]],
    n_clips: int,
    categories: int,
) -> Counts:
    """Counts from a long table, one entry per rating.

    Parameters
    ----------
    clip_index : (n_ratings,) array of int
        Row of the clip, from 0.
    rating : (n_ratings,) array of int
        Answers from 1 to `categories`.

    Returns
    -------
    (n_clips, n_categories) array of int

    Examples
    --------
    >>> count_ratings(np.array([0, 0, 1]), np.array([1, 2, 2]), n_clips=2, categories=2)
    array([[1, 1],
           [0, 1]])
    """
    check_categories(categories)
    if rating.size and (rating.min() < 1 or rating.max() > categories):
        outside = rating[(rating < 1) | (rating > categories)][0]
        raise ValueError(f"rating {outside} is outside 1..{categories}")
    cells = clip_index.astype(np.int64) * categories + (rating - 1)
    flat = np.bincount(cells, minlength=n_clips * categories)
    return flat.reshape(n_clips, categories).astype(np.int64, copy=False)


def count_matrix(scores: NDArray[np.integer[Any]], categories: int) -> Counts:
    """Counts from a table with one column per rater; 0 where a rating is missing.

    Parameters
    ----------
    scores : (n_clips, n_raters) array of int
        Answers from 1 to `categories`, 0 where there is none.

    Returns
    -------
    (n_clips, n_categories) array of int
    """
    check_categories(categories)
    signed = scores.dtype.kind == "i"
    if scores.size and (scores.max() > categories or (signed and scores.min() < 0)):
        outside = scores[(scores < 0) | (scores > categories)][0]
        raise ValueError(f"rating {outside} is outside 1..{categories}")
    # One byte per rating and raters one after the other: whole rows of clips are then
    # compared and added at once, 12 times as fast as clip by clip at 10,000 × 100.
    by_rater = np.ascontiguousarray(scores.T, dtype=np.uint8)
    answers = np.arange(1, categories + 1, dtype=np.uint8)[:, None, None]
    at_once = max(1, min(_MOST_IN_A_BYTE, _CELLS_AT_ONCE // (categories * max(len(scores), 1))))
    counts = np.zeros((categories, len(scores)), dtype=np.int64)
    for start in range(0, len(by_rater), at_once):
        given = by_rater[start : start + at_once] == answers
        counts += np.add.reduce(given.view(np.uint8), axis=1, dtype=np.uint8)
    return counts.T


def by_category(counts: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rated clips' counts, category by category, and their numbers of ratings.

    As floats and with clips along the last axis, so that sums over them are products of
    matrices; both are whole numbers and exact.

    Returns
    -------
    counts : (n_categories, n_rated_clips) array of float
    raters : (n_rated_clips,) array of float
    """
    columns = np.ascontiguousarray(check_counts(counts).T, dtype=np.float64)
    raters = np.add.reduce(columns)
    if not raters.all():
        return np.ascontiguousarray(columns[:, raters > 0]), raters[raters > 0]
    return columns, raters
