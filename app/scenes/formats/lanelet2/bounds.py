"""The bounds of a lanelet: pieces joined, turned as Lanelet2 turns them, and the middle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.scenes.geometry import arc_length_m
from app.scenes.road_map import Points

Refs = list[str]


def joined(pieces: Sequence[Refs]) -> Refs | None:
    """Lines of node ids put end to end, each turned if need be; None if they do not meet."""
    chain, *rest = [list(piece) for piece in pieces]
    while rest:
        found = next((i for i, piece in enumerate(rest) if _meet(chain, piece)), None)
        if found is None:
            return None
        chain = _chained(chain, rest.pop(found))
    return chain


def aligned(left_m: Points, right_m: Points) -> tuple[Points, Points]:
    """Both bounds running forwards, with the right one at the right of the left one.

    Lanelet2's rule: the left bound is turned unless the middle of the right one is right of it,
    then the right bound is turned unless the middle of the left one is left of it.

    Parameters
    ----------
    left_m, right_m : (n, 2) and (m, 2) arrays
        At least two points each.
    """
    if _is_left(left_m, _middle(right_m)):
        left_m = left_m[::-1]
    if not _is_left(right_m, _middle(left_m)):
        right_m = right_m[::-1]
    return left_m, right_m


def centre_line_m(left_m: Points, right_m: Points) -> Points:
    """Half way between the bounds, at equal shares of their lengths.

    Parameters
    ----------
    left_m, right_m : (n, 2) and (m, 2) arrays
        Of a length greater than zero, running the same way.

    Returns
    -------
    (k, 2) array
        A point for each share at which one of the bounds has one; k is at most n + m - 2.

    Examples
    --------
    >>> left_m = np.array([[0.0, 4.0], [5.0, 4.0], [10.0, 4.0]])
    >>> centre_line_m(left_m, np.array([[0.0, 0.0], [10.0, 0.0]])).tolist()
    [[0.0, 2.0], [5.0, 2.0], [10.0, 2.0]]
    """
    shares = [arc_length_m(bound_m) for bound_m in (left_m, right_m)]
    shares = [along_m / along_m[-1] for along_m in shares]
    both = np.unique(np.concatenate(shares).round(9))
    sides = [
        np.stack([np.interp(both, share, bound_m[:, axis]) for axis in (0, 1)], axis=-1)
        for share, bound_m in zip(shares, (left_m, right_m), strict=True)
    ]
    middle_m: Points = (sides[0] + sides[1]) / 2
    return middle_m


def length_m(points_m: Points) -> float:
    """Of a polyline."""
    return float(arc_length_m(points_m)[-1])


def _meet(chain: Refs, piece: Refs) -> bool:
    return not {chain[0], chain[-1]}.isdisjoint((piece[0], piece[-1]))


def _chained(chain: Refs, piece: Refs) -> Refs:
    if chain[-1] in (piece[0], piece[-1]):
        return chain + (piece if piece[0] == chain[-1] else piece[::-1])[1:]
    return (piece if piece[-1] == chain[0] else piece[::-1])[:-1] + chain


def _middle(line_m: Points) -> Points:
    """The point in the middle of the list, as Lanelet2 has it, not of the length."""
    middle_m: Points = line_m[len(line_m) // 2] if len(line_m) > 2 else line_m.mean(axis=0)
    return middle_m


def _is_left(line_m: Points, point_m: Points) -> bool:
    """Whether a point is left of the part of the line that is nearest to it."""
    begins_m, steps_m = line_m[:-1], np.diff(line_m, axis=0)
    reach_m = point_m - begins_m
    squares = (steps_m * steps_m).sum(axis=1)
    shares = (reach_m * steps_m).sum(axis=1) / np.where(squares > 0, squares, 1.0)
    # An end is taken as it is, so that two segments are equally far from a corner they share.
    feet_m = np.where(
        (shares >= 1)[:, None], line_m[1:], begins_m + shares.clip(0, 1)[:, None] * steps_m
    )
    nearest = int(((point_m - feet_m) ** 2).sum(axis=1).argmin())
    left = _cross(steps_m[nearest], reach_m[nearest]) > 0
    if shares[nearest] < 1 or nearest + 1 == len(steps_m):
        return bool(left)
    # At a corner the two segments may disagree; then the one that the other bends towards errs.
    left_of_next = _cross(steps_m[nearest + 1], reach_m[nearest + 1]) > 0
    bends_left = _cross(steps_m[nearest], steps_m[nearest + 1]) > 0
    return bool(not left if left != left_of_next and left == bends_left else left)


def _cross(first: Points, second: Points) -> float:
    return float(first[0] * second[1] - first[1] * second[0])
