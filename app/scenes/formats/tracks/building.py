"""Rows become tracks; whatever has to be computed or filled in is noted and flagged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.report import Notes
from app.scenes.formats.tracks.motion import (
    heading_from_motion,
    mean_course_rad,
    rate_of_change,
    speed_from_motion,
)
from app.scenes.formats.tracks.rows import Rows
from app.scenes.scene import Floats, RoadUser, Track
from app.scenes.wording import quoted

MAX_TRACKS = 20_000
# One lost sample is bridged; more are a gap in which nobody knows where the road user was.
LONGEST_BRIDGE_STEPS = 2.5
# Two samples closer in time than this are the same moment, written with rounding.
SAME_TIME_S = 1e-9
STEP_OF_ONE_MOMENT_S = 0.1
IDS_NAMED = 5

# Length and width of common vehicles; people and bicycles as they are seen from above.
DEFAULT_SIZES_M: dict[RoadUser, tuple[float, float]] = {
    RoadUser.car: (4.5, 1.8),
    RoadUser.van: (5.5, 2.0),
    RoadUser.truck: (10.0, 2.5),
    RoadUser.bus: (12.0, 2.5),
    RoadUser.motorcycle: (2.2, 0.9),
    RoadUser.bicycle: (1.8, 0.65),
    RoadUser.pedestrian: (0.6, 0.6),
    RoadUser.other: (4.5, 1.8),
}


@dataclass(frozen=True, slots=True)
class RoadUserFacts:
    """What a file says of a road user apart from where it was; nan where it does not say."""

    id: str
    kind: RoadUser
    length_m: float = nan
    width_m: float = nan


@dataclass(frozen=True, slots=True, eq=False)
class BuiltTracks:
    """Tracks in the order of their first rows, and the usual time between two samples."""

    tracks: tuple[Track, ...]
    step_s: float


def build_tracks(
    rows: Rows, users: Mapping[int, RoadUserFacts], notes: Notes, where: str
) -> BuiltTracks:
    """Tracks of everybody in `rows`; `where` is the file's name, for what is refused.

    Rows may be in any order. The same row twice is one; two rows of one road user at one time
    that differ, and positions that are not finite, are refused. Headings, speeds and
    accelerations that are nan are computed from the motion. Where samples are missing, an
    invalid one is put in, so that nothing is drawn in between.
    """
    _check_finite(rows, users, where)
    order = _order_of_first_rows(rows, where)
    rows = _without_repetitions(_sorted(rows, notes), users, notes, where)
    step_s = _usual_step_s(rows, notes)
    starts = np.flatnonzero(np.diff(rows.track, prepend=rows.track[0] - 1))
    parts = {
        int(rows.track[start]): rows.take(slice(start, end))
        for start, end in zip(starts, [*starts[1:], len(rows)], strict=True)
    }
    tracks = tuple(_TrackBuilder(parts[i], users[i], step_s, notes, where).build() for i in order)
    gaps = {track.id: int((~track.valid).sum()) for track in tracks if not track.valid.all()}
    notes.assumed(
        f"Gaps of several samples, in which nothing is drawn, of {quoted(list(gaps), IDS_NAMED)}.",
        sum(gaps.values()),
    )
    return BuiltTracks(tracks, step_s)


def _check_finite(rows: Rows, users: Mapping[int, RoadUserFacts], where: str) -> None:
    finite = np.isfinite(rows.time_s) & np.isfinite(rows.x_m) & np.isfinite(rows.y_m)
    if not finite.all():
        i = int(np.argmin(finite))
        raise SceneFormatError(
            f"{where}: road user {users[int(rows.track[i])].id!r} is at x {rows.x_m[i]:g} m, "
            f"y {rows.y_m[i]:g} m at {rows.time_s[i]:g} s; places and times must be finite"
        )


def _order_of_first_rows(rows: Rows, where: str) -> list[int]:
    tracks, firsts = np.unique(rows.track, return_index=True)
    if len(tracks) > MAX_TRACKS:
        raise SceneFormatError(
            f"{where}: there are {len(tracks):,} road users, but a scene may have {MAX_TRACKS:,}; "
            "please choose a shorter window"
        )
    return [int(track) for track in tracks[np.argsort(firsts)]]


def _sorted(rows: Rows, notes: Notes) -> Rows:
    by_track = rows.take(np.argsort(rows.track, kind="stable"))
    backwards = (np.diff(by_track.track) == 0) & (np.diff(by_track.time_s) < 0)
    if not backwards.any():
        return by_track
    notes.assumed("Rows earlier than the row before them; they were sorted.", int(backwards.sum()))
    return by_track.take(np.lexsort((by_track.time_s, by_track.track)))


def _without_repetitions(
    rows: Rows, users: Mapping[int, RoadUserFacts], notes: Notes, where: str
) -> Rows:
    repeated = np.zeros(len(rows), np.bool_)
    repeated[1:] = (np.diff(rows.track) == 0) & (np.diff(rows.time_s) <= SAME_TIME_S)
    contradicting = repeated & _differs_from_row_before(rows)
    if contradicting.any():
        i = int(np.argmax(contradicting))
        raise SceneFormatError(
            f"{where}: road user {users[int(rows.track[i])].id!r} has two different rows "
            f"at {rows.time_s[i]:g} s"
        )
    notes.dropped("Rows that repeat the row before them.", int(repeated.sum()))
    return rows.take(~repeated) if repeated.any() else rows


def _differs_from_row_before(rows: Rows) -> NDArray[np.bool_]:
    differs = np.zeros(len(rows), np.bool_)
    for field in fields(rows)[2:]:
        values = getattr(rows, field.name)
        both_unknown = np.isnan(values[1:]) & np.isnan(values[:-1])
        differs[1:] |= (values[1:] != values[:-1]) & ~both_unknown
    return differs


def _usual_step_s(rows: Rows, notes: Notes) -> float:
    steps_s = np.diff(rows.time_s)[np.diff(rows.track) == 0]
    if len(steps_s):
        # Times are sums of rounded steps, and those that count from 1970 have six decimals.
        noise_s = 4 * np.spacing(np.abs(rows.time_s).max())
        decimals = min(9, max(0, int(-np.log10(noise_s))))
        return round(float(np.median(steps_s)), decimals) or float(np.median(steps_s))
    notes.assumed(f"There is one moment only; the time step is set to {STEP_OF_ONE_MOMENT_S} s.")
    return STEP_OF_ONE_MOMENT_S


@dataclass(slots=True)
class _TrackBuilder:
    """One road user: its rows in the order of time, and what had to be found out."""

    rows: Rows
    user: RoadUserFacts
    step_s: float
    notes: Notes
    where: str

    def build(self) -> Track:
        """The track, with its gaps marked."""
        rows, breaks = self.rows, self._breaks()
        length_m, width_m = self._size_m()
        heading_rad = self._heading_rad(breaks)
        speed_mps = self._speed_mps(heading_rad, breaks)
        columns = (rows.x_m, rows.y_m, heading_rad, speed_mps, self._rates(speed_mps, breaks))
        time_s, valid = _with_gaps(rows.time_s, breaks)
        x_m, y_m, heading_rad, speed_mps, acceleration_mps2 = (
            _spread(values, valid) if len(breaks) else values for values in columns
        )
        return Track(
            id=self.user.id,
            kind=self.user.kind,
            length_m=length_m,
            width_m=width_m,
            time_s=time_s,
            x_m=x_m,
            y_m=y_m,
            heading_rad=heading_rad,
            speed_mps=speed_mps,
            acceleration_mps2=acceleration_mps2,
            valid=valid,
            inferred=self._inferred(),
        )

    def _inferred(self) -> frozenset[str]:
        unknown = {
            "size": np.array([self.user.length_m, self.user.width_m]),
            "heading": self.rows.heading_rad,
            "speed": self.rows.speed_mps,
            "acceleration": self.rows.acceleration_mps2,
        }
        return frozenset(name for name, values in unknown.items() if not _all_known(values))

    def _breaks(self) -> NDArray[np.intp]:
        """Samples after which nobody knows where the road user was."""
        steps_s = np.diff(self.rows.time_s)
        self.notes.inferred(
            "Lost samples, each between two known ones; the way between them is drawn.",
            int(((steps_s > 1.5 * self.step_s) & (steps_s <= self._bridge_s)).sum()),
        )
        return np.flatnonzero(steps_s > self._bridge_s)

    @property
    def _bridge_s(self) -> float:
        return LONGEST_BRIDGE_STEPS * self.step_s

    def _size_m(self) -> tuple[float, float]:
        for name, size_m in (("length", self.user.length_m), ("width", self.user.width_m)):
            if isfinite(size_m) and size_m <= 0:
                raise SceneFormatError(
                    f"{self.where}: road user {self.user.id!r}: the {name} is {size_m:g} m; "
                    "it must be above 0"
                )
        usual_m = DEFAULT_SIZES_M[self.user.kind]
        given_m = (self.user.length_m, self.user.width_m)
        if not _all_known(np.array(given_m)):
            self.notes.defaulted(
                f"Road users of kind {self.user.kind} without a size, drawn "
                f"{usual_m[0]:g} m × {usual_m[1]:g} m."
            )
        length_m, width_m = (
            given if isfinite(given) else usual
            for given, usual in zip(given_m, usual_m, strict=True)
        )
        return length_m, width_m

    def _heading_rad(self, breaks: NDArray[np.intp]) -> Floats:
        rows, given = self.rows, self.rows.heading_rad
        if _all_known(given):
            return given
        found = _by_segment(heading_from_motion, breaks, rows.x_m, rows.y_m)
        if not _all_known(found):  # a part of the track too short to have a direction
            found = np.where(np.isfinite(found), found, heading_from_motion(rows.x_m, rows.y_m))
        if _all_known(found):
            self.notes.inferred("Road users whose heading was computed from their motion.")
        elif isfinite(course_rad := mean_course_rad(rows.course_rad)):
            self.notes.inferred("Road users that hardly move; they face as their velocity points.")
            found = np.full(len(rows), course_rad)
        else:
            self.notes.assumed("Road users that never move and have no heading; they face east.")
            found = np.zeros(len(rows))
        return np.where(np.isfinite(given), given, found)

    def _speed_mps(self, heading_rad: Floats, breaks: NDArray[np.intp]) -> Floats:
        rows, given = self.rows, self.rows.speed_mps
        if _all_known(given):
            return given
        self.notes.inferred("Road users whose speed was computed from their motion.")
        columns = (rows.time_s, rows.x_m, rows.y_m, heading_rad)
        return np.where(np.isfinite(given), given, _by_segment(speed_from_motion, breaks, *columns))

    def _rates(self, speed_mps: Floats, breaks: NDArray[np.intp]) -> Floats:
        given = self.rows.acceleration_mps2
        if _all_known(given):
            return given
        self.notes.inferred("Road users whose acceleration was computed from their speed.")
        found = _by_segment(rate_of_change, breaks, self.rows.time_s, speed_mps)
        return np.where(np.isfinite(given), given, found)


def _all_known(values: Floats) -> bool:
    return bool(np.isfinite(values).all())


def _by_segment(
    function: Callable[..., Floats], breaks: NDArray[np.intp], *columns: Floats
) -> Floats:
    """What the function gives for each part of the track that has no gap."""
    parts = zip(*(np.split(column, breaks + 1) for column in columns), strict=True)
    return np.concatenate([function(*part) for part in parts])


def _with_gaps(time_s: Floats, breaks: NDArray[np.intp]) -> tuple[Floats, NDArray[np.bool_]]:
    """The times with one more in the middle of each gap, and which of them are samples."""
    if not len(breaks):
        return time_s, np.ones(len(time_s), np.bool_)
    middles_s = (time_s[breaks] + time_s[breaks + 1]) / 2
    valid = np.insert(np.ones(len(time_s), np.bool_), breaks + 1, False)
    return np.insert(time_s, breaks + 1, middles_s), valid


def _spread(values: Floats, valid: NDArray[np.bool_]) -> Floats:
    spread = np.full(len(valid), np.nan)
    spread[valid] = values
    return spread
