"""In which order bodies are painted, so that what is in front ends up over what is behind."""

from __future__ import annotations

import numpy as np

from app.rendering.canvas import Floats, Indices, kernel

Footprint = Floats
"""(6,): x, y, cosine and sine of the heading, half length, half width."""


@kernel
def far_to_near(bodies: Floats, x_m: float, y_m: float) -> Indices:
    """(n,) order in which to paint n footprints, (n, 6), seen from a place.

    Two boxes that do not overlap have a line between them along a side of one; the one on the
    camera's side of it hides the other, whatever their distances are. Where this leaves a
    choice, or leads in a circle, the farther centre comes first.
    """
    n = len(bodies)
    away = (bodies[:, 0] - x_m) ** 2 + (bodies[:, 1] - y_m) ** 2
    by_distance = np.argsort(-away)
    hidden_by = np.zeros((n, n), np.bool_)
    n_behind = np.zeros(n, np.int32)
    for a in range(n):
        for b in range(a + 1, n):
            side = _nearer(bodies[a], bodies[b], x_m, y_m)
            if side > 0:
                hidden_by[b, a] = True
                n_behind[a] += 1
            elif side < 0:
                hidden_by[a, b] = True
                n_behind[b] += 1
    order = np.empty(n, np.int32)
    painted = np.zeros(n, np.bool_)
    for k in range(n):
        chosen = -1
        for i in by_distance:
            if not painted[i] and (chosen < 0 or n_behind[i] == 0):
                chosen = i
                if n_behind[i] == 0:
                    break
        order[k], painted[chosen] = chosen, True
        for i in range(n):
            if hidden_by[chosen, i]:
                n_behind[i] -= 1
    return order


@kernel
def _nearer(a: Footprint, b: Footprint, x_m: float, y_m: float) -> int:
    """1 if the first may hide the second, -1 if the second may hide the first, else 0."""
    # Those not in the same direction hide nothing of each other.
    apart = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
    to_a = (a[0] - x_m) ** 2 + (a[1] - y_m) ** 2
    to_b = (b[0] - x_m) ** 2 + (b[1] - y_m) ** 2
    cross = abs((a[0] - x_m) * (b[1] - y_m) - (a[1] - y_m) * (b[0] - x_m))
    size = np.sqrt(a[4] ** 2 + a[5] ** 2) + np.sqrt(b[4] ** 2 + b[5] ** 2)
    nearest = np.sqrt(min(to_a, to_b))
    if nearest > 2 * size and apart > size**2 and cross > 2 * size * np.sqrt(max(to_a, to_b)):
        return 0
    side = _side(a, b, x_m, y_m)
    return side if side != 0 else -_side(b, a, x_m, y_m)


@kernel
def _side(a: Footprint, b: Footprint, x_m: float, y_m: float) -> int:
    """By the sides of the first: 1 if the camera is on its side of one between, -1 if beyond."""
    found = 0
    for axis in range(2):
        along, aside = (a[2], a[3]) if axis == 0 else (-a[3], a[2])
        half = a[4] if axis == 0 else a[5]
        cosine = abs(along * b[2] + aside * b[3])
        sine = abs(-along * b[3] + aside * b[2])
        reach = cosine * b[4] + sine * b[5]
        middle = along * (b[0] - a[0]) + aside * (b[1] - a[1])
        camera = along * (x_m - a[0]) + aside * (y_m - a[1])
        if middle < 0:
            middle, camera = -middle, -camera
        if middle - reach >= half:
            # Between the far side of a and the near side of b both hide nothing.
            if camera <= half:
                return 1
            if camera >= middle - reach:
                found = -1
    return found
