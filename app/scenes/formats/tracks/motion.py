"""Heading, speed and acceleration of a road user, found from its places or its velocity."""

from __future__ import annotations

from math import nan

import numpy as np

from app.scenes.geometry import arc_length_m
from app.scenes.scene import Floats

# A direction is read off a chord of half a metre: shorter ones show the noise of the
# positions, longer ones cut corners.
HALF_CHORD_M = 0.25
# Slower than this a measured velocity points anywhere.
STANDING_MPS = 0.1


def heading_from_motion(x_m: Floats, y_m: Floats) -> Floats:
    """The direction of the path at each sample; while a road user stands, the one it came with.

    Parameters
    ----------
    x_m, y_m : (n,) arrays

    Returns
    -------
    (n,) array
        nan everywhere if the path is nowhere as long as the chord a direction is read from, or
        leads nowhere.

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
    chord_x_m = np.interp(ahead_m, along_m, x_m) - np.interp(behind_m, along_m, x_m)
    chord_y_m = np.interp(ahead_m, along_m, y_m) - np.interp(behind_m, along_m, y_m)
    # Noise around a place is a path, too, but one that leads nowhere.
    leads = np.hypot(chord_x_m, chord_y_m) >= HALF_CHORD_M
    if not leads.any():
        return np.full(len(x_m), np.nan)
    latest = np.maximum.accumulate(np.where(leads, np.arange(len(leads)), np.argmax(leads)))
    heading_rad: Floats = np.arctan2(chord_y_m, chord_x_m)[latest]
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
    return along_heading(rate_of_change(time_s, x_m), rate_of_change(time_s, y_m), heading_rad)


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


def along_heading(x: Floats, y: Floats, heading_rad: Floats) -> Floats:
    """The part of a vector that points forwards, negative if backwards; nan without a heading.

    All arrays have shape (n,).
    """
    with np.errstate(over="ignore", invalid="ignore"):
        forwards: Floats = x * np.cos(heading_rad) + y * np.sin(heading_rad)
    return forwards


def forward_speed_mps(x_mps: Floats, y_mps: Floats, heading_rad: Floats) -> Floats:
    """Speed of a road user, negative while it reverses; without a heading it moves forwards.

    All arrays have shape (n,).

    Examples
    --------
    >>> x_mps, y_mps = np.array([3.0, -3.0, 3.0]), np.array([4.0, 0.0, 4.0])
    >>> forward_speed_mps(x_mps, y_mps, np.array([np.arctan2(4, 3), 0.0, np.nan])).round(9).tolist()
    [5.0, -3.0, 5.0]
    """
    forwards_mps = along_heading(x_mps, y_mps, heading_rad)
    with np.errstate(over="ignore"):
        return np.where(np.isnan(heading_rad), np.hypot(x_mps, y_mps), forwards_mps)


def course_rad(x_mps: Floats, y_mps: Floats) -> Floats:
    """Where a velocity points; nan where it is unknown or too slow to point anywhere.

    All arrays have shape (n,).
    """
    with np.errstate(over="ignore"):
        moves = np.hypot(x_mps, y_mps) >= STANDING_MPS
    return np.where(moves, np.arctan2(y_mps, x_mps), np.nan)


def mean_course_rad(course_rad: Floats) -> float:
    """The one direction of a road user that hardly moves; nan where none is known."""
    known_rad = course_rad[np.isfinite(course_rad)]
    if not len(known_rad):
        return nan
    return float(np.arctan2(np.sin(known_rad).sum(), np.cos(known_rad).sum()))
