"""Crossings for pedestrians that a map gives only as the two lines at their sides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.scenes.formats.lanelet2.bounds import aligned
from app.scenes.geometry import ring_between
from app.scenes.road_map import Points

# Of markings of one crossing: pairs in maps of German towns are 4 m apart and within 5 degrees.
WIDTHS_M = (1.5, 8.0)
MAX_TURN_RAD = np.radians(20)
MIN_LENGTH_SHARE = 0.5
# Every line is compared with every other; a city has some hundreds.
MAX_LINES = 1_000


def find_pairs(lines_m: Sequence[Points]) -> list[tuple[int, int]]:
    """Lines side by side that are the two sides of a crossing; each line in one pair at most.

    Parameters
    ----------
    lines_m : sequence of (n, 2) arrays
        At least two points each; none are paired where there are more than `MAX_LINES`.

    Returns
    -------
    list of (int, int)
        Indices, the nearest pairs first.
    """
    if not 2 <= len(lines_m) <= MAX_LINES:
        return []
    gaps_m = _gaps_m(np.array([(line_m[0], line_m[-1]) for line_m in lines_m]))
    pairs: list[tuple[int, int]] = []
    free = np.ones(len(lines_m), dtype=np.bool_)
    for flat in np.argsort(gaps_m, axis=None, kind="stable")[: int(np.isfinite(gaps_m).sum())]:
        first, second = divmod(int(flat), len(lines_m))
        if free[first] and free[second]:
            free[[first, second]] = False
            pairs.append((first, second))
    return pairs


def paired_outline_m(first_m: Points, second_m: Points) -> Points:
    """The ring around two lines side by side, whichever way each runs."""
    return ring_between(*aligned(first_m, second_m))


def _gaps_m(ends_m: Points) -> Points:
    """(n, n) array of the distance across from line to later line; inf where they are no pair."""
    chords_m = ends_m[:, 1] - ends_m[:, 0]
    lengths_m = np.hypot(*chords_m.T)
    ahead = chords_m / np.where(lengths_m > 0, lengths_m, 1.0)[:, None]
    between_m = (middles_m := ends_m.mean(axis=1))[None] - middles_m[:, None]
    along_m = np.abs((between_m * ahead[:, None]).sum(axis=-1))
    across_m = np.abs(between_m[..., 0] * ahead[:, None, 1] - between_m[..., 1] * ahead[:, None, 0])
    shorter_m = np.minimum.outer(lengths_m, lengths_m)
    fit = np.triu(np.abs(ahead @ ahead.T) >= np.cos(MAX_TURN_RAD), k=1)
    fit &= shorter_m >= MIN_LENGTH_SHARE * np.maximum.outer(lengths_m, lengths_m)
    fit &= (across_m >= WIDTHS_M[0]) & (across_m <= WIDTHS_M[1]) & (along_m <= shorter_m / 2)
    return np.where(fit, np.hypot(along_m, across_m), np.inf)
