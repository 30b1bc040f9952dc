"""When road users interact: whose straight way ahead meets whose, and how soon.

Two moving road users interact at an instant if, each going straight on at its speed, their boxes
would cover one and the same spot within the next three seconds and within two seconds of each
other. One rule covers three measures of the literature: a time to collision of at most three
seconds (both are there at once), a time advantage of at most two seconds (one crosses shortly
before the other), and a time gap of at most two seconds (one comes to where its leader is now).

References
----------
Hayward, J. C. (1972). Highway Research Record 384, 24-34: time to collision.
Minderhoud, M. M. & Bovy, P. H. L. (2001). Accident Analysis & Prevention 33(1), 89-97: its
    thresholds, three seconds among them.
Laureshyn, A., Svensson, Å. & Hydén, C. (2010). Accident Analysis & Prevention 42(6), 1637-1646:
    time advantage.
Vogel, K. (2003). Accident Analysis & Prevention 35(3), 427-433: time gaps beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.resampling import TIME_TOLERANCE_S, sample_track
from app.scenes.scene import Floats, Track

# Corners of the allowed times ahead (s) of the two: at most 3 s, and at most 2 s apart.
TIMES_AHEAD_S = np.array([[0, 0], [2, 0], [3, 1], [3, 3], [1, 3], [0, 2]], dtype=np.float64)
HORIZON_S = 3.0

# Nobody farther away counts: two seconds behind a leader at 50 m/s.
REACH_M = 100.0

# Who stays within this was parked; positions from video wander by decimetres.
MOVED_M = 2.0

# Four looks a second; fewer where a recording is so large that it would take long.
LOOK_S = 0.25
MAX_LOOKS = 4_000
MAX_ROWS = 300_000

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshots:
    """Who is where at regular instants.

    Apart from `times_s` (n_instants,) and `moves` (n_tracks,) all arrays have shape (n_rows,): a
    row is one road user at one instant; rows are sorted by instant, then by x.
    """

    times_s: Floats
    look_s: float
    moves: NDArray[np.bool_]
    instant: Rows
    track: Rows
    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    speed_mps: Floats
    half_length_m: Floats
    half_width_m: Floats

    def rows_of(self, track: int) -> Rows:
        """Rows of one road user, in the order of time."""
        return np.flatnonzero(self.track == track)


def take_snapshots(tracks: Sequence[Track]) -> Snapshots:
    """Where everybody is, four times a second, as far as they are seen."""
    seen = [track.time_s[track.valid] for track in tracks]
    times_s, look_s = _instants([(float(t[0]), float(t[-1])) for t in seen if len(t)])
    pieces = [_rows_of(i, track, times_s) for i, track in enumerate(tracks)]
    columns = np.concatenate([np.empty((8, 0)), *pieces], axis=1)
    columns = columns[:, np.lexsort((columns[2], columns[0]))]
    return Snapshots(
        times_s,
        look_s,
        np.array([_moves(track) for track in tracks], dtype=np.bool_),
        columns[0].astype(np.intp),
        columns[1].astype(np.intp),
        *columns[2:],
    )


def count_meetings(snapshots: Snapshots) -> NDArray[np.int64]:
    """With how many others each road user interacts at each instant; (n_rows,) array."""
    counts = np.zeros(len(snapshots.instant), dtype=np.int64)
    moving = np.flatnonzero(snapshots.moves[snapshots.track])
    instant, x_m = snapshots.instant[moving], snapshots.x_m[moving]
    # Rows are sorted by x: compare each with the next, then the next but one, until out of reach.
    near = np.arange(len(moving))
    for ahead in range(1, len(moving)):
        near = near[near + ahead < len(moving)]
        then = near + ahead
        near = near[(instant[then] == instant[near]) & (x_m[then] - x_m[near] <= REACH_M)]
        if not len(near):
            break
        one, other = moving[near], moving[near + ahead]
        met = interact(snapshots, one, other)
        # No row is there twice on either side, so that each is counted.
        counts[one[met]] += 1
        counts[other[met]] += 1
    return counts


def others_of(snapshots: Snapshots, ego: int) -> tuple[Rows, Rows]:
    """Rows of all moving others while the ego is there, and the ego's row at each of them."""
    ego_rows = snapshots.rows_of(ego)
    row_at = np.full(len(snapshots.times_s), -1, dtype=np.intp)
    row_at[snapshots.instant[ego_rows]] = ego_rows
    others = np.flatnonzero(
        snapshots.moves[snapshots.track]
        & (snapshots.track != ego)
        & (row_at[snapshots.instant] >= 0)
    )
    return others, row_at[snapshots.instant[others]]


def distances_m(snapshots: Snapshots, one: Rows, other: Rows) -> Floats:
    """From centre to centre."""
    distance_m: Floats = np.hypot(
        snapshots.x_m[other] - snapshots.x_m[one], snapshots.y_m[other] - snapshots.y_m[one]
    )
    return distance_m


def interact(snapshots: Snapshots, one: Rows, other: Rows) -> NDArray[np.bool_]:
    """Whether the road users of the rows `one` and `other`, (n,) each, interact."""
    rest_m = distances_m(snapshots, one, other)
    rest_m -= HORIZON_S * (np.abs(snapshots.speed_mps[one]) + np.abs(snapshots.speed_mps[other]))
    for rows in (one, other):
        rest_m -= snapshots.half_length_m[rows] + snapshots.half_width_m[rows]
    met = rest_m <= 0
    met &= distances_m(snapshots, one, other) <= REACH_M
    met[met] = _ways_meet(snapshots, one[met], other[met])
    return met


def _ways_meet(snapshots: Snapshots, one: Rows, other: Rows) -> NDArray[np.bool_]:
    """Whether the boxes cover one spot at some pair of the allowed times ahead.

    The offset between the boxes, over all these times, is a hexagon: the image of the allowed
    times. It must touch the zone in which boxes overlap; two convex shapes do unless the normal of
    a side of one of them parts them.
    """
    offset_m = np.stack(
        [
            snapshots.x_m[other] - snapshots.x_m[one],
            snapshots.y_m[other] - snapshots.y_m[one],
        ]
    )
    ahead_one, ahead_other = _ahead(snapshots, one), _ahead(snapshots, other)
    one_mps = snapshots.speed_mps[one] * ahead_one
    other_mps = snapshots.speed_mps[other] * ahead_other
    apart = np.zeros(len(one), dtype=np.bool_)
    for axis in (
        ahead_one,
        _left(ahead_one),
        ahead_other,
        _left(ahead_other),
        _left(one_mps),
        _left(other_mps),
        _left(other_mps - one_mps),
    ):
        zone = _half_extent(snapshots, one, ahead_one, axis)
        zone += _half_extent(snapshots, other, ahead_other, axis)
        ways = np.stack([-_dot(axis, one_mps), _dot(axis, other_mps)])
        reached = _dot(axis, offset_m) + TIMES_AHEAD_S @ ways
        apart |= (reached.min(axis=0) > zone) | (reached.max(axis=0) < -zone)
    return ~apart


def _half_extent(snapshots: Snapshots, rows: Rows, ahead: Floats, axis: Floats) -> Floats:
    along: Floats = np.abs(_dot(axis, ahead)) * snapshots.half_length_m[rows]
    across: Floats = np.abs(_dot(axis, _left(ahead))) * snapshots.half_width_m[rows]
    return along + across


def _ahead(snapshots: Snapshots, rows: Rows) -> Floats:
    """(2, n) array of unit vectors."""
    heading_rad = snapshots.heading_rad[rows]
    return np.stack([np.cos(heading_rad), np.sin(heading_rad)])


def _left(vectors: Floats) -> Floats:
    return np.stack([-vectors[1], vectors[0]])


def _dot(one: Floats, other: Floats) -> Floats:
    product: Floats = one[0] * other[0] + one[1] * other[1]
    return product


def _instants(spans_s: Sequence[tuple[float, float]]) -> tuple[Floats, float]:
    """Instants from the first to the last time anybody is seen, and the time between them."""
    if not spans_s:
        return np.empty(0), LOOK_S
    start_s, end_s = min(s for s, _ in spans_s), max(e for _, e in spans_s)
    together_s = sum(e - s for s, e in spans_s)
    look_s = max(LOOK_S, together_s / MAX_ROWS, (end_s - start_s) / MAX_LOOKS)
    if not np.isfinite(look_s):
        return np.array([start_s]), LOOK_S
    n_looks = int((end_s - start_s + TIME_TOLERANCE_S) / look_s) + 1
    times_s: Floats = start_s + look_s * np.arange(n_looks, dtype=np.float64)
    return times_s, look_s


def _rows_of(i: int, track: Track, times_s: Floats) -> Floats:
    """(8, n) array: the columns of the snapshots for one track."""
    first, last = np.searchsorted(
        times_s, [track.time_s[0] - TIME_TOLERANCE_S, track.time_s[-1] + TIME_TOLERANCE_S]
    )
    # Absurd numbers of a broken file overflow to what is not finite, and are left out below.
    with np.errstate(over="ignore", invalid="ignore"):
        states = sample_track(track, times_s[first:last])
        columns = np.stack(
            [
                np.arange(first, last, dtype=np.float64),
                np.full(last - first, float(i)),
                states.x_m,
                states.y_m,
                states.heading_rad,
                states.speed_mps,
                np.full(last - first, track.length_m / 2),
                np.full(last - first, track.width_m / 2),
            ]
        )
        known: NDArray[np.bool_] = states.valid & (np.abs(columns) < 1e12).all(axis=0)
    return columns[:, known]


def _moves(track: Track) -> bool:
    if not track.valid.any():
        return False
    x_m, y_m = track.x_m[track.valid], track.y_m[track.valid]
    with np.errstate(over="ignore"):
        return bool(np.hypot(np.ptp(x_m), np.ptp(y_m)) >= MOVED_M)
