"""Heading, speed and acceleration of a road user of whom only the places are known."""

from __future__ import annotations

import numpy as np

from app.scenes.geometry import arc_length_m
from app.scenes.scene import Floats

# A direction is read off a chord of half a metre: shorter ones show the noise of the
# positions, longer ones cut corners.
HALF_CHORD_M = 0.25


def heading_from_motion(x_m: Floats, y_m: Floats) -> Floats:
    """The direction of the path at each sample; while a road user stands, the one it came with.

    Parameters
    ----------
    x_m, y_m : (n,) arrays

    Returns
    -------
    (n,) array
        nan everywhere if the whole path is shorter than the chord a direction is read from.

    Examples
    --------
    >>> heading_from_motion(np.array([0.0, 0.0, 0.0]), np.array([0.0, 1.0, 2.0])).round(6).tolist()
    [1.570796, 1.570796, 1.570796]
    """
    along_m = arc_length_m(np.stack([x_m, y_m], axis=1))
    if along_m[-1] < 2 * HALF_CHORD_M:
        return np.full(len(x_m), np.nan)
    # The chord stays inside the path, so that both ends look along it, too.
    middle_m = np.clip(along_m, HALF_CHORD_M, along_m[-1] - HALF_CHORD_M)
    behind_m, ahead_m = middle_m - HALF_CHORD_M, middle_m + HALF_CHORD_M
    heading_rad: Floats = np.arctan2(
        np.interp(ahead_m, along_m, y_m) - np.interp(behind_m, along_m, y_m),
        np.interp(ahead_m, along_m, x_m) - np.interp(behind_m, along_m, x_m),
    )
    return heading_rad


def speed_from_motion(time_s: Floats, x_m: Floats, y_m: Floats, heading_rad: Floats) -> Floats:
    """Speed along the heading, negative while reversing, by central differences.

    Parameters
    ----------
    time_s, x_m, y_m, heading_rad : (n,) arrays without gaps

    Returns
    -------
    (n,) array
        0 for a lone sample, of which nothing is known.
    """
    x_mps, y_mps = rate_of_change(time_s, x_m), rate_of_change(time_s, y_m)
    speed_mps: Floats = x_mps * np.cos(heading_rad) + y_mps * np.sin(heading_rad)
    return speed_mps


def rate_of_change(time_s: Floats, values: Floats) -> Floats:
    """Derivative by central differences of second order, also for uneven steps.

    Parameters
    ----------
    time_s, values : (n,) arrays

    Returns
    -------
    (n,) array
        0 for a lone sample.
    """
    if len(time_s) < 2:
        return np.zeros(len(time_s))
    rate: Floats = np.gradient(values, time_s)
    return rate
