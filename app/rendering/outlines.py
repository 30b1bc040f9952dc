"""One outline around lanes that touch."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from app.scenes.road_map import Points

# Corners nearer to each other than this are one corner: neighbouring lanes of a map share
# theirs, up to rounding.
GRID_M = 1e-3
# Holes narrower than this lie between lanes that were meant to touch.
NARROWEST_HOLE_M = 0.4

Corner = tuple[int, int]


def merged(rings_m: Sequence[Points]) -> list[Points]:
    """Rings that cover what `rings_m` cover, without the edges that two of them share.

    They turn left around what they cover and right around its holes; slits are closed.
    """
    ways = _outer_ways(rings_m)
    loops = []
    while ways:
        start, ends = next(iter(ways.items()))
        loop, corner = [start], ends[-1]
        _leave(ways, start)
        while corner != start:
            loop.append(corner)
            corner = _leave(ways, corner)
        if len(loop) >= 3:
            loops.append(np.array(loop) * GRID_M)
    return [loop for loop in loops if not _is_slit(loop)]


def counter_clockwise(ring_m: Points) -> Points:
    """The ring, turning left: rings that turn the same way add up, opposite ones would cancel."""
    return ring_m if area_m2(ring_m) >= 0 else ring_m[::-1]


def area_m2(ring_m: Points) -> float:
    """Positive if the ring turns left."""
    x, y = (ring_m - ring_m[0]).T
    return float(x[:-1] @ y[1:] - x[1:] @ y[:-1]) / 2


def _is_slit(loop_m: Points) -> bool:
    """Whether a hole is on average too narrow to be meant."""
    around_m = np.hypot(*(loop_m - np.roll(loop_m, 1, axis=0)).T).sum()
    return bool(-NARROWEST_HOLE_M * around_m / 2 < area_m2(loop_m) < 0)


def _outer_ways(rings_m: Sequence[Points]) -> dict[Corner, list[Corner]]:
    """Where the outline leads from each of its corners."""
    edges: Counter[tuple[Corner, Corner]] = Counter()
    for ring_m in rings_m:
        corners = np.rint(counter_clockwise(ring_m) / GRID_M).astype(np.int64).tolist()
        places = [(x, y) for x, y in corners]
        for here, there in zip(places, places[1:] + places[:1], strict=True):
            if edges[there, here] > 0:
                edges[there, here] -= 1
            elif here != there:
                edges[here, there] += 1
    ways: dict[Corner, list[Corner]] = defaultdict(list)
    for (here, there), count in edges.items():
        if count:
            ways[here] += [there] * count
    return dict(ways)


def _leave(ways: dict[Corner, list[Corner]], corner: Corner) -> Corner:
    # As many edges lead to a corner as away from it, so there is always a way on.
    ends = ways[corner]
    end = ends.pop()
    if not ends:
        del ways[corner]
    return end
