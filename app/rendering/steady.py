"""A heading for cameras: where a vehicle looks, without its wobble and without lagging behind."""

from __future__ import annotations

import numpy as np

from app.scenes.resampling import sample_track
from app.scenes.scene import Floats, Track

# Standard deviation of the weights in time. Noise of single samples at 10 Hz is damped to
# less than half, and never jerks; where a corner of 90° in 3 s begins, 4° are missed.
SMOOTHING_S = 0.35
STEP_S = 0.02
REACH_S = 4 * SMOOTHING_S


def steady_heading_rad(track: Track, times_s: Floats) -> Floats:
    """Headings of a track at `times_s`, smoothed and without jumps at ±π.

    Around each time a straight line is fitted to the headings before and after it, with weights
    of a bell curve of standard deviation `SMOOTHING_S`. A film knows what comes, so nothing lags;
    a vehicle that turns evenly is followed exactly, also where its track begins or ends. The
    result at a time does not depend on which other times are asked for.

    Parameters
    ----------
    track : Track
        Known at least at all of `times_s`.
    times_s : (n_times,) array of float

    Returns
    -------
    (n_times,) array of float

    References
    ----------
    Cleveland, W. S. (1979). J. Am. Stat. Assoc. 74(368), 829-836 (local linear regression).
    """
    first = np.floor((times_s.min() - REACH_S) / STEP_S)
    last = np.ceil((times_s.max() + REACH_S) / STEP_S)
    grid_s = np.arange(first, last + 1) * STEP_S
    states = sample_track(track, grid_s)
    known = states.valid & np.isfinite(states.heading_rad)
    if not known.any():  # a lone sample between two steps of the grid
        return sample_track(track, times_s).heading_rad
    start_rad = states.heading_rad[known][0]
    heading_rad = np.where(known, states.heading_rad - start_rad, 0.0)
    smooth_rad = start_rad + _local_lines(heading_rad, known.astype(np.float64))
    return np.asarray(np.interp(times_s, grid_s[known], smooth_rad[known]))


def _local_lines(values: Floats, known: Floats) -> Floats:
    """Value at each step of the line fitted around it, from the steps that are known."""
    n_steps = round(REACH_S / STEP_S)
    away = np.arange(-n_steps, n_steps + 1) * (STEP_S / SMOOTHING_S)
    bell = np.exp(-(away**2) / 2)

    def total(terms: Floats, power: int) -> Floats:
        # Convolution turns its second argument round: a step later is a negative place in it.
        return np.convolve(terms, bell * (-away) ** power, mode="same")

    weight, lever, spread = (total(known, power) for power in (0, 1, 2))
    mean, slope = total(values * known, 0), total(values * known, 1)
    alone = weight * spread - lever**2
    with np.errstate(invalid="ignore", divide="ignore"):
        fitted = (spread * mean - lever * slope) / alone
        return np.where(alone > 1e-9 * np.maximum(weight, 1.0) ** 2, fitted, mean / weight)
