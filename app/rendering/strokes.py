"""Lines with a width as polygons: unbroken, dashed, or set off to one side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from app.scenes.road_map import Points

# A mitre reaches at most this many half widths from its corner.
MITRE_LIMIT = 2.0
# Long lines become several rings, so that those out of sight cost one comparison each.
SEGMENTS_PER_RING = 12
SAME_PLACE_M = 1e-6


def stroke(points_m: Points, width_m: float, shift_m: float = 0.0) -> list[Points]:
    """Rings along a polyline, `shift_m` to its left; neighbours share an edge and leave no gap."""
    points_m = without_repeats(points_m)
    if len(points_m) < 2:
        return []
    sideways = _mitres(points_m)
    left_m = points_m + sideways * (shift_m + width_m / 2)
    right_m = points_m + sideways * (shift_m - width_m / 2)
    cuts = range(0, len(points_m) - 1, SEGMENTS_PER_RING)
    pieces = [slice(cut, cut + SEGMENTS_PER_RING + 1) for cut in cuts]
    return [np.concatenate([right_m[piece], left_m[piece][::-1]]) for piece in pieces]


def dashes(points_m: Points, dash_m: float, gap_m: float) -> list[Points]:
    """The painted pieces of a dashed line, half a gap after its start the first."""
    points_m = without_repeats(points_m)
    along_m = distances_along(points_m)
    starts_m = np.arange(gap_m / 2, along_m[-1], dash_m + gap_m)
    return [_piece(points_m, along_m, start, start + dash_m) for start in starts_m]


def chained(lines_m: Sequence[Points]) -> list[Points]:
    """Lines that begin where another ends, joined to it, so that their dashes run on."""
    n_starts = Counter(place(line_m[0]) for line_m in lines_m)
    ends = {place(line_m[-1]) for line_m in lines_m}
    # Where several begin there is no telling which one runs on.
    waiting = {start: m for m in lines_m if n_starts[start := place(m[0])] == 1 and start in ends}
    heads = [line_m for line_m in lines_m if place(line_m[0]) not in waiting]
    chains = [_follow(waiting, [line_m]) for line_m in heads]
    while waiting:  # rings have no head
        chains.append(_follow(waiting, [waiting.popitem()[1]]))
    return chains


def place(point_m: Points) -> tuple[int, int]:
    """The point to the millimetre: maps repeat their points up to rounding."""
    return round(point_m[0] * 1000), round(point_m[1] * 1000)


def places_along(points_m: Points, spacing_m: float) -> Points:
    """(n, 2) places every `spacing_m` of a polyline."""
    along_m = distances_along(points_m)
    at_m = np.arange(spacing_m / 2, along_m[-1], spacing_m)
    return np.stack([np.interp(at_m, along_m, points_m[:, k]) for k in (0, 1)], axis=1)


def distances_along(points_m: Points) -> Points:
    """(n,) distance of each point from the first, along the line."""
    steps_m = np.hypot(*np.diff(points_m, axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps_m)])


def without_repeats(points_m: Points) -> Points:
    """The polyline without points that repeat the one before."""
    moved = np.hypot(*np.diff(points_m, axis=0).T) > SAME_PLACE_M
    return np.asarray(points_m[np.concatenate([[True], moved])])


def _follow(waiting: dict[tuple[int, int], Points], pieces: list[Points]) -> Points:
    while (end := place(pieces[-1][-1])) in waiting:
        pieces.append(waiting.pop(end))
    return np.concatenate(pieces)


def _piece(points_m: Points, along_m: Points, start_m: float, end_m: float) -> Points:
    end_m = min(end_m, along_m[-1])
    inner = (along_m > start_m) & (along_m < end_m)
    at_m = np.concatenate([[start_m], along_m[inner], [end_m]])
    return np.stack([np.interp(at_m, along_m, points_m[:, k]) for k in (0, 1)], axis=1)


def _mitres(points_m: Points) -> Points:
    """(n, 2) offsets at each point that keep both its segments one metre away."""
    steps = np.diff(points_m, axis=0)
    normals = np.stack([-steps[:, 1], steps[:, 0]], axis=1) / np.hypot(*steps.T)[:, None]
    before, after = np.vstack([normals[:1], normals]), np.vstack([normals, normals[-1:]])
    if np.abs(points_m[0] - points_m[-1]).max() < SAME_PLACE_M:
        before[0], after[-1] = normals[-1], normals[0]
    middle = before + after
    square = np.maximum((middle**2).sum(axis=1), 1e-9)
    mitre = 2 * middle / square[:, None]
    reach = np.hypot(*mitre.T)
    return np.asarray(mitre * np.minimum(1, MITRE_LIMIT / np.maximum(reach, 1e-9))[:, None])
