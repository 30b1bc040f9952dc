"""Whether two moving boxes meet, between their samples too: no fast car passes through another."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from app.scenes.geometry import box_corners_m, boxes_gap_m, boxes_overlap
from app.scenes.resampling import TIME_TOLERANCE_S, TrackStates, sample_track
from app.scenes.scene import Floats, Track

# Boxes that come nearer than this may be missed if they overlap for less than it takes
# to close it; rounding must not make cars that touch collide.
TOLERANCE_M = 1e-3
TOUCH_M = 1e-6
FIRST_TOLERANCE_S = 1e-4
PARTS = 8

# Control points of the cubic through its values at 0, 1/3, 2/3 and 1.
CONTROLS = np.array(
    [[1, 0, 0, 0], [-5 / 6, 3, -3 / 2, 1 / 3], [1 / 3, -3 / 2, 3, -5 / 6], [0, 0, 0, 1]]
)


@dataclass(frozen=True, slots=True)
class SweptOverlap:
    """Whether two road users ever overlap, and first when."""

    overlaps: bool
    first_s: float  # nan if never


def swept_overlap(one: Track, other: Track) -> SweptOverlap:
    """Whether the boxes of two tracks overlap at any time, and first when.

    States between samples are those of `sample_track`. The time in which both are seen is cut
    into pieces; a piece is done with as soon as the gap in its middle is more than the boxes can
    close within it, otherwise it is cut again, down to pieces in which they move by a millimetre.
    So an overlap is missed only if it is less than a millimetre deep. `first_s` is right to
    0.1 ms, or to the time in which slow boxes close a millimetre.

    Parameters
    ----------
    one, other : Track
        Arrays of shape (n_steps,) and (n_other_steps,), at any times.

    References
    ----------
    Mirtich, B. (1996). Impulse-based Dynamic Simulation of Rigid Body Systems (PhD thesis,
        University of California, Berkeley): conservative advancement.
    """
    first_s = _first_at_samples(one, other)
    pieces = _pieces(one, other)
    while len(pieces.start_s):
        overlap, gap_m = _in_the_middle(pieces, one, other)
        first_s = min(first_s, np.min(pieces.middle_s[overlap], initial=np.inf))
        undecided = gap_m <= pieces.closing_mps * pieces.width_s / 2
        undecided &= pieces.closing_mps * pieces.width_s > TOLERANCE_M
        undecided |= overlap & (pieces.width_s > FIRST_TOLERANCE_S)
        undecided &= pieces.start_s < first_s
        pieces = pieces.cut(undecided)
    return SweptOverlap(bool(np.isfinite(first_s)), float(first_s) if np.isfinite(first_s) else nan)


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """Stretches of time in which both move smoothly.

    `piece` (n,) says which of the stretches between samples each belongs to, `from_share` and
    `to_share` (n,) where in it; the rest are of the stretches: `origin_s`, `step_s` (n_between,),
    control points of the offset `controls_m` (n_between, 4, 2), headings (n_between, 2, 2) of
    both at both ends, and how fast any two points of the boxes may close.
    """

    piece: NDArray[np.intp]
    from_share: Floats
    to_share: Floats
    origin_s: Floats
    step_s: Floats
    controls_m: Floats
    headings_rad: Floats
    bound_mps: Floats

    @property
    def start_s(self) -> Floats:
        return self._at_s(self.from_share)

    @property
    def middle_s(self) -> Floats:
        return self._at_s((self.from_share + self.to_share) / 2)

    @property
    def width_s(self) -> Floats:
        width_s: Floats = (self.to_share - self.from_share) * self.step_s[self.piece]
        return width_s

    @property
    def closing_mps(self) -> Floats:
        return self.bound_mps[self.piece]

    def cut(self, keep: NDArray[np.bool_]) -> _Pieces:
        """The pieces to keep, each in equal parts."""
        marks = np.linspace(0.0, 1.0, PARTS + 1)
        from_share, to_share = self.from_share[keep, None], self.to_share[keep, None]
        at = from_share + marks * (to_share - from_share)
        return _Pieces(
            np.repeat(self.piece[keep], PARTS),
            at[:, :-1].ravel(),
            at[:, 1:].ravel(),
            self.origin_s,
            self.step_s,
            self.controls_m,
            self.headings_rad,
            self.bound_mps,
        )

    def _at_s(self, share: Floats) -> Floats:
        at_s: Floats = self.origin_s[self.piece] + share * self.step_s[self.piece]
        return at_s


def _first_at_samples(one: Track, other: Track) -> float:
    """Time of the first sample of either at which they overlap; inf if there is none."""
    times_s = np.union1d(one.time_s, other.time_s)
    boxes_m = [_boxes_m(track, sample_track(track, times_s)) for track in (one, other)]
    return float(np.min(times_s[boxes_overlap(*boxes_m)], initial=np.inf))


def _boxes_m(track: Track, states: TrackStates) -> Floats:
    length_m, width_m = _size_m(track)
    return box_corners_m(states.x_m, states.y_m, states.heading_rad, length_m, width_m)


def _size_m(track: Track) -> tuple[float, float]:
    return max(track.length_m - TOUCH_M, 0.0), max(track.width_m - TOUCH_M, 0.0)


def _pieces(one: Track, other: Track) -> _Pieces:
    """What lies between neighbouring samples of either, as far as both are seen there."""
    times_s = np.union1d(one.time_s, other.time_s)
    times_s = times_s[np.diff(times_s, prepend=-np.inf) > 2 * TIME_TOLERANCE_S]
    step_s = np.diff(times_s)
    nodes_s = times_s[:-1, None] + step_s[:, None] * np.array([0, 1 / 3, 2 / 3, 1])
    # The last node is the next sample itself, so that rounding does not put it beside it.
    nodes_s[:, -1] = times_s[1:]
    states = [sample_track(track, nodes_s.ravel()) for track in (one, other)]
    seen = (states[0].valid & states[1].valid).reshape(-1, 4).all(axis=1)
    offset_m = np.stack([states[1].x_m - states[0].x_m, states[1].y_m - states[0].y_m], axis=-1)
    controls_m = np.einsum("ij,njk->nik", CONTROLS, offset_m.reshape(-1, 4, 2)[seen])
    headings_rad = np.stack([s.heading_rad.reshape(-1, 4)[seen][:, [0, 3]] for s in states], axis=1)
    n_pieces = int(seen.sum())
    return _Pieces(
        np.arange(n_pieces),
        np.zeros(n_pieces),
        np.ones(n_pieces),
        times_s[:-1][seen],
        step_s[seen],
        controls_m,
        headings_rad,
        _bound_mps(one, other, controls_m, headings_rad, step_s[seen]),
    )


def _bound_mps(
    one: Track, other: Track, controls_m: Floats, headings_rad: Floats, step_s: Floats
) -> Floats:
    """No two points of the boxes close faster.

    A cubic is nowhere faster than three times its longest control step, a corner turns about
    its centre at half the diagonal.
    """
    centre_m = 3 * np.linalg.norm(np.diff(controls_m, axis=1), axis=2).max(axis=1, initial=0.0)
    turn_rad = np.abs(np.diff(headings_rad, axis=2))[..., 0]
    half_diagonals_m = np.array([np.hypot(*_size_m(track)) / 2 for track in (one, other)])
    bound_mps: Floats = (centre_m + turn_rad @ half_diagonals_m) / step_s
    return bound_mps


def _in_the_middle(pieces: _Pieces, one: Track, other: Track) -> tuple[NDArray[np.bool_], Floats]:
    """Whether the boxes overlap in the middle of each piece, and the gap between them, or less."""
    share = (pieces.from_share + pieces.to_share) / 2
    weights = np.stack(
        [(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3]
    )
    offset_m = np.einsum("in,nik->nk", weights, pieces.controls_m[pieces.piece])
    diagonals_m = sum(np.hypot(*_size_m(track)) for track in (one, other))
    gap_m = np.hypot(offset_m[:, 0], offset_m[:, 1]) - diagonals_m / 2
    near = np.flatnonzero(gap_m <= pieces.closing_mps * pieces.width_s / 2)
    overlap = np.zeros(len(share), dtype=np.bool_)
    headings_rad = pieces.headings_rad[pieces.piece[near]]
    turned_rad = headings_rad[..., 0] + share[near, None] * np.diff(headings_rad, axis=2)[..., 0]
    first_m = box_corners_m(0.0, 0.0, turned_rad[:, 0], *_size_m(one))
    second_m = box_corners_m(
        offset_m[near, 0], offset_m[near, 1], turned_rad[:, 1], *_size_m(other)
    )
    overlap[near] = boxes_overlap(first_m, second_m)
    gap_m[near] = boxes_gap_m(first_m, second_m)
    return overlap, gap_m
