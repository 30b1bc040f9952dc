"""Where a road user was between its samples."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats, Track

# Frame times are sums of rounded steps; one that misses a sample by less is on it.
TIME_TOLERANCE_S = 1e-6

# How far a step may be from what its two end velocities say before they are not believed:
# within a quarter of the way, or a centimetre for vehicles that stand.
MISFIT_SHARE = 0.25
MISFIT_M = 0.01

# A cubic whose end slope exceeds three times the chord can run backwards
# (Fritsch & Carlson 1980, SIAM J. Numer. Anal. 17(2), 238-246).
STEEPEST_SLOPE = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class TrackStates:
    """States of one track at chosen times.

    All arrays have shape (n_times,). Where `valid` is false the other values are nan.
    """

    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    speed_mps: Floats
    acceleration_mps2: Floats
    valid: NDArray[np.bool_]


def sample_track(track: Track, times_s: Floats) -> TrackStates:
    """States of `track` at `times_s`, in any order.

    Positions are cubic Hermite curves through the samples, with the velocities that speed and
    heading give; where a step contradicts those velocities (noisy or reversing tracks) it is a
    straight line. Headings turn the shorter way and do not jump at ±π. A time is valid at a
    valid sample and between two neighbouring valid samples; nothing is guessed across a gap or
    outside the track.

    Parameters
    ----------
    track : Track
        Arrays of shape (n_steps,).
    times_s : (n_times,) array of float

    Returns
    -------
    TrackStates
        Arrays of shape (n_times,).

    References
    ----------
    Fritsch, F. N. & Carlson, R. E. (1980). SIAM J. Numer. Anal. 17(2), 238-246.
    """
    times_s = np.asarray(times_s, dtype=np.float64)
    if len(track.time_s) == 0:
        return _nowhere(times_s.shape)
    before, after, share = _bracket(track.time_s, times_s)
    valid = track.valid[before] & track.valid[after]
    valid &= np.abs(times_s - np.clip(times_s, track.time_s[0], track.time_s[-1])) <= (
        TIME_TOLERANCE_S
    )
    heading_rad = _unwrapped(track)
    x_m, y_m = _positions(track, before, after, share)

    def known(values: Floats) -> Floats:
        return np.where(valid, values, np.nan)

    def linear(values: Floats) -> Floats:
        return known(values[before] + share * (values[after] - values[before]))

    return TrackStates(
        x_m=known(x_m),
        y_m=known(y_m),
        heading_rad=linear(heading_rad),
        speed_mps=linear(track.speed_mps),
        acceleration_mps2=linear(track.acceleration_mps2),
        valid=valid,
    )


def resample_track(track: Track, times_s: Floats) -> Track:
    """The track with samples at those of `times_s` that lie within its own time.

    States are those of `sample_track`, with the heading unwrapped; at its own times a track is
    returned as it is. Gaps stay: one between two of the new times becomes an invalid sample in its
    middle.

    Parameters
    ----------
    track : Track
        Arrays of shape (n_steps,).
    times_s : (n_times,) array of float
        Strictly increasing.

    Raises ValueError where none of the times is within the track's.
    """
    first_s, last_s = track.time_s[0] - TIME_TOLERANCE_S, track.time_s[-1] + TIME_TOLERANCE_S
    inside_s = times_s[(times_s >= first_s) & (times_s <= last_s)]
    if len(inside_s) == 0:
        raise ValueError(f"track {track.id!r} has no time in common with the times asked for")
    if (
        len(inside_s) == len(track.time_s)
        and (np.abs(inside_s - track.time_s) <= TIME_TOLERANCE_S).all()
    ):
        return track
    new_s = np.union1d(inside_s, _gaps_between_s(track, inside_s))
    states = sample_track(track, new_s)
    return replace(
        track,
        time_s=new_s,
        x_m=states.x_m,
        y_m=states.y_m,
        heading_rad=states.heading_rad,
        speed_mps=states.speed_mps,
        acceleration_mps2=states.acceleration_mps2,
        valid=states.valid,
    )


def _gaps_between_s(track: Track, times_s: Floats) -> Floats:
    """Times of invalid samples, one for each pair of neighbouring times that has any between."""
    missing_s = track.time_s[~track.valid]
    after = np.searchsorted(times_s, missing_s)
    between = (after > 0) & (after < len(times_s))
    pair, first = np.unique(after[between], return_index=True)
    n_missing = np.diff(first, append=between.sum())
    middle_s: Floats = missing_s[between][first + n_missing // 2]
    known = sample_track(track, times_s).valid
    return middle_s[known[pair - 1] & known[pair]]


def _nowhere(shape: tuple[int, ...]) -> TrackStates:
    unknown = np.full(shape, np.nan)
    return TrackStates(unknown, unknown, unknown, unknown, unknown, np.zeros(shape, dtype=np.bool_))


def _bracket(
    samples_s: Floats, times_s: Floats
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Neighbouring samples of each time and how far it is from one to the other, in [0, 1].

    A time on a sample has that sample as both neighbours, so that a lone valid sample counts.
    """
    last = len(samples_s) - 1
    after = np.clip(np.searchsorted(samples_s, times_s, side="left"), 0, last)
    before = np.maximum(after - 1, 0)
    before = np.where(samples_s[after] - times_s <= TIME_TOLERANCE_S, after, before)
    after = np.where(times_s - samples_s[before] <= TIME_TOLERANCE_S, before, after)
    step_s = samples_s[after] - samples_s[before]
    with np.errstate(invalid="ignore"):
        share = np.where(
            step_s > 0, (times_s - samples_s[before]) / np.where(step_s > 0, step_s, 1), 0
        )
    return before, after, np.clip(share, 0.0, 1.0)


def _unwrapped(track: Track) -> Floats:
    heading_rad = np.array(track.heading_rad, dtype=np.float64)
    known = track.valid & np.isfinite(heading_rad)
    heading_rad[known] = np.unwrap(heading_rad[known])
    return heading_rad


def _positions(
    track: Track, before: NDArray[np.intp], after: NDArray[np.intp], share: Floats
) -> tuple[Floats, Floats]:
    step_s = track.time_s[after] - track.time_s[before]
    chord_m = _vectors(track.x_m[after], track.y_m[after])
    start_m = _vectors(track.x_m[before], track.y_m[before])
    chord_m = chord_m - start_m
    first_m = _velocities(track, before) * step_s
    second_m = _velocities(track, after) * step_s
    curved = _velocities_fit(chord_m, first_m, second_m)
    first_m = np.where(curved, first_m, chord_m)
    second_m = np.where(curved, second_m, chord_m)
    # Hermite basis on [0, 1], written from the start point so that a chord stays exact.
    position_m = (
        start_m
        + (3 - 2 * share) * share**2 * chord_m
        + share * (1 - share) ** 2 * first_m
        - share**2 * (1 - share) * second_m
    )
    return position_m[0], position_m[1]


def _velocities(track: Track, at: NDArray[np.intp]) -> Floats:
    heading_rad, speed_mps = track.heading_rad[at], track.speed_mps[at]
    return _vectors(speed_mps * np.cos(heading_rad), speed_mps * np.sin(heading_rad))


def _velocities_fit(chord_m: Floats, first_m: Floats, second_m: Floats) -> NDArray[np.bool_]:
    """Whether the way between two samples is the one their velocities announce."""
    way_m = np.hypot(*chord_m)
    misfit_m = np.hypot(*(chord_m - (first_m + second_m) / 2))
    steepest_m = np.maximum(np.hypot(*first_m), np.hypot(*second_m))
    believable: NDArray[np.bool_] = (misfit_m <= MISFIT_SHARE * way_m + MISFIT_M) & (
        steepest_m <= STEEPEST_SLOPE * way_m + MISFIT_M
    )
    return believable


def _vectors(x: Floats, y: Floats) -> Floats:
    """(2, n) array."""
    return np.stack([x, y])
