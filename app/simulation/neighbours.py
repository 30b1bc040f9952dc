"""Who drives ahead of and behind whom on a road whose end is its beginning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Next vehicles in every lane; arrays of shape (n_vehicles, n_lanes).

    Gaps are bumper to bumper, negative beside each other, inf where there is `NOBODY`.
    """

    leader: NDArray[np.intp]
    leader_gap_m: Floats
    follower: NDArray[np.intp]
    follower_gap_m: Floats


def find_neighbours(
    x_m: Floats, length_m: Floats, occupies: NDArray[np.bool_], ring_m: float
) -> Neighbours:
    """Leaders and followers of all vehicles in all lanes.

    Parameters
    ----------
    x_m, length_m : (n_vehicles,) arrays
        Centres along the road, and lengths.
    occupies : (n_vehicles, n_lanes) array of bool
        Who is in which lane; a vehicle that changes lanes is in two.
    ring_m : float
        Length of the road, after which it begins again.
    """
    ahead_m = (x_m[None, :] - x_m[:, None]) % ring_m
    np.fill_diagonal(ahead_m, np.inf)
    leader, leader_gap_m = _nearest(ahead_m, length_m, occupies)
    follower, follower_gap_m = _nearest(ahead_m.T, length_m, occupies)
    return Neighbours(leader, leader_gap_m, follower, follower_gap_m)


def _nearest(
    distance_m: Floats, length_m: Floats, occupies: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], Floats]:
    """Nearest vehicle by lane and the gap to it, from (n, n) distances between centres."""
    by_lane_m = np.where(occupies.T[None, :, :], distance_m[:, None, :], np.inf)
    nearest = by_lane_m.argmin(axis=2)
    centre_m = np.take_along_axis(by_lane_m, nearest[:, :, None], axis=2)[:, :, 0]
    gap_m = centre_m - (length_m[:, None] + length_m[nearest]) / 2
    return np.where(np.isfinite(gap_m), nearest, NOBODY), gap_m
