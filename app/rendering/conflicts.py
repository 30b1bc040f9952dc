"""How near others come to the ego if everybody goes straight on: figures for a preview.

They describe one moment. What is reported of a whole scene is measured elsewhere, with the ways
that were really driven.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats

# Who stands has no time until it arrives anywhere.
SLOWEST_MPS = 0.1
# Ways that meet at a smaller angle are driven behind each other, not across.
LEAST_CROSSING_RAD = np.deg2rad(20.0)


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Boxes at one moment; arrays are (n,)."""

    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    speed_mps: Floats
    length_m: Floats
    width_m: Floats

    def one(self, k: int) -> Bodies:
        """The k-th, as an array of one."""
        fields = (self.x_m, self.y_m, self.heading_rad, self.speed_mps, self.length_m, self.width_m)
        return Bodies(*(values[k : k + 1] for values in fields))

    def ahead(self) -> Floats:
        """(n, 2) unit vectors."""
        return np.stack([np.cos(self.heading_rad), np.sin(self.heading_rad)], axis=1)


def time_to_collision_s(ego: Bodies, others: Bodies) -> Floats:
    """Time until boxes touch if speeds and headings stay as they are; inf if they never do.

    Parameters
    ----------
    ego : Bodies of one
    others : Bodies of n

    Returns
    -------
    (n,) array of float
        0 where boxes overlap already.

    References
    ----------
    Hayward, J. C. (1972). Near-miss determination through use of a scale of danger. Highway
    Research Record 384, 24-34.
    """
    apart_m = _places(others) - _places(ego)
    closing_mps = _velocities(others) - _velocities(ego)
    first_s, last_s = np.zeros(len(apart_m)), np.full(len(apart_m), np.inf)
    # Two boxes overlap while they do along the directions of all their sides.
    for axes in (ego.ahead(), _left(ego.ahead()), others.ahead(), _left(others.ahead())):
        along = np.broadcast_to(axes, apart_m.shape)
        start_s, end_s = _while_within(
            _dot(apart_m, along),
            _dot(closing_mps, along),
            _half_extent(ego, along) + _half_extent(others, along),
        )
        first_s, last_s = np.maximum(first_s, start_s), np.minimum(last_s, end_s)
    return np.where(first_s <= last_s, first_s, np.inf)


def gap_m(ego: Bodies, others: Bodies) -> Floats:
    """(n,) from the ego's front bumper to who is ahead in its own straight way, nan for others."""
    apart_m, ahead = _places(others) - _places(ego), ego.ahead()
    along_m, across_m = _dot(apart_m, ahead), _dot(apart_m, _left(ahead))
    reach_m = _half_extent(others, np.broadcast_to(ahead, apart_m.shape)) + ego.length_m / 2
    beside_m = _half_extent(others, np.broadcast_to(_left(ahead), apart_m.shape)) + ego.width_m / 2
    in_way = (np.abs(across_m) < beside_m) & (along_m > reach_m)
    return np.where(in_way, along_m - reach_m, np.nan)


def crossing_gap_s(ego: Bodies, others: Bodies) -> Floats:
    """Time from when one has left the place where two ways cross until the other reaches it.

    Both drive straight on at their speeds; nan if the ways do not cross ahead of both, or if
    both would be there at once.

    References
    ----------
    Allen, B. L., Shin, B. T. & Cooper, P. J. (1978). Analysis of traffic conflicts and
    collisions. Transportation Research Record 667, 67-74.
    """
    apart_m, ahead, theirs = _places(others) - _places(ego), ego.ahead(), others.ahead()
    sine = _cross(np.broadcast_to(ahead, theirs.shape), theirs)
    crosses = np.abs(sine) > np.sin(LEAST_CROSSING_RAD)
    sine = np.where(crosses, sine, 1.0)
    cosine = np.abs(_dot(theirs, ahead))
    own = _occupied(ego, _cross(apart_m, theirs) / sine, others.width_m, sine, cosine)
    their_way_m = _cross(apart_m, np.broadcast_to(ahead, theirs.shape)) / sine
    other = _occupied(others, their_way_m, ego.width_m, sine, cosine)
    gap_s = np.maximum(other[0] - own[1], own[0] - other[1])
    known = crosses & (own[1] > 0) & (other[1] > 0) & (gap_s > 0)
    return np.where(known, gap_s, np.nan)


def _occupied(
    body: Bodies, way_m: Floats, other_width_m: Floats, sine: Floats, cosine: Floats
) -> tuple[Floats, Floats]:
    """When a body enters and leaves the piece of its way that another one's way covers."""
    half_m = (other_width_m + body.width_m * cosine) / (2 * np.abs(sine)) + body.length_m / 2
    moving = np.where(body.speed_mps > SLOWEST_MPS, body.speed_mps, np.nan)
    return (way_m - half_m) / moving, (way_m + half_m) / moving


def _while_within(apart_m: Floats, closing_mps: Floats, reach_m: Floats) -> tuple[Floats, Floats]:
    """From when to when |apart + closing · t| is within reach."""
    still = np.abs(closing_mps) < 1e-9
    speed_mps = np.where(still, 1.0, closing_mps)
    ends_s = np.stack([(-reach_m - apart_m) / speed_mps, (reach_m - apart_m) / speed_mps])
    always, never = still & (np.abs(apart_m) < reach_m), still & (np.abs(apart_m) >= reach_m)
    start_s = np.where(always, -np.inf, np.where(never, np.inf, ends_s.min(axis=0)))
    return start_s, np.where(always, np.inf, np.where(never, -np.inf, ends_s.max(axis=0)))


def _places(bodies: Bodies) -> Floats:
    return np.stack([bodies.x_m, bodies.y_m], axis=1)


def _velocities(bodies: Bodies) -> Floats:
    return np.asarray(bodies.ahead() * bodies.speed_mps[:, None])


def _half_extent(bodies: Bodies, axes: Floats) -> Floats:
    """(n,) how far boxes reach from their centres along unit vectors."""
    ahead = bodies.ahead()
    along, across = np.abs(_dot(ahead, axes)), np.abs(_dot(_left(ahead), axes))
    return np.asarray(along * bodies.length_m / 2 + across * bodies.width_m / 2)


def _left(vectors: Floats) -> NDArray[np.float64]:
    return np.stack([-vectors[:, 1], vectors[:, 0]], axis=1)


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray((one * other).sum(axis=1))


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
