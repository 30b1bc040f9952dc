"""Contradictions inside a scene that a researcher must know of: motion against what is stated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats, RoadUser, Scene
from app.scenes.wording import quoted, seconds

# Below this the direction of motion is mostly the noise of places.
MOVING_MPS = 2.0
LARGEST_TURN_RAD = np.radians(30.0)
# A vehicle parks backwards; it does not travel backwards.
LONGEST_REVERSING_M = 30.0
RATIOS = (0.5, 2.0)
FASTEST_MPS = 100.0
# Somebody may speed up between two samples, but not to five times the faster of them.
JUMP_FACTOR = 5.0
LEAST_JUMP_M = 3.0
# Medians of fewer pairs of samples say little.
LEAST_PAIRS = 5
N_INSTANTS = 40
LEAST_SHARED = 5
MOST_AT_ONCE = 2_000
IDS_NAMED = 5

# How many times as large a stated speed is as the motion, if a unit was mistaken.
MISTAKES = {
    3.6: "as if they were in km/h",
    2.237: "as if they were in mph",
    3.281: "as if they were in feet per second",
    0.305: "as if places were in feet",
    0.01: "as if places were in centimetres",
    0.001: "as if places were in millimetres or times in other units",
}
MISTAKE_TOLERANCE = 0.04

Bools = NDArray[np.bool_]


def doubts(scene: Scene) -> list[str]:
    """Sentences about what cannot all be true of the road users, each with how many and who.

    Looked at are headings and speeds against the motion, jumps, and two road users in one place.
    Headings and speeds that were computed from the motion are not looked at. Whether road users
    are on the road is told by `app.scenes.off_road`.
    """
    if not scene.tracks:
        return []
    pairs = _Pairs.of(scene)
    turned, opposite, backwards = _turned(pairs)
    ratios = _speed_ratios(pairs)
    # Formats that state a velocity have it projected on the heading: a wrong one makes it small.
    slow = ratios < RATIOS[0]
    odd_speed = (slow & ~turned) | (ratios > RATIOS[1])
    too_fast = pairs.medians(pairs.motion_mps) > FASTEST_MPS
    return [
        *_about_headings(scene, turned & ~opposite, opposite, backwards),
        *_about_speeds(scene, odd_speed, ratios),
        *_about_fast(scene, too_fast, pairs),
        *_about_jumps(scene, pairs, odd_speed | too_fast),
        *_about_doubles(scene),
    ]


def ego_doubts(scene: Scene, start_s: float | None, end_s: float | None) -> list[str]:
    """A sentence if the ego comes later into the window that was asked for, or leaves earlier."""
    ego = None if scene.ego_id is None else scene.track(scene.ego_id)
    if ego is None or not ego.valid.any():
        return []
    first_s, last_s = (float(time_s) for time_s in ego.time_s[ego.valid][[0, -1]])
    late = start_s is not None and first_s > start_s + scene.step_s
    early = end_s is not None and last_s < end_s - scene.step_s
    if not (late or early):
        return []
    return [
        f"The ego {ego.id!r} is not seen throughout the window, but from {seconds(first_s)} to "
        f"{seconds(last_s)}."
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Neighbouring samples of all tracks: (n_pairs,) arrays, and (n_tracks,) ones at the end."""

    track: NDArray[np.intp]
    start_s: Floats
    duration_s: Floats
    way_m: Floats
    motion_mps: Floats
    course_rad: Floats
    heading_rad: Floats
    speed_mps: Floats
    stated_heading: Bools
    stated_speed: Bools

    @classmethod
    def of(cls, scene: Scene) -> _Pairs:
        tracks = scene.tracks
        number = np.repeat(np.arange(len(tracks)), [len(track.time_s) for track in tracks])
        time_s, x_m, y_m, heading_rad, speed_mps = (
            np.concatenate([getattr(track, name) for track in tracks])
            for name in ("time_s", "x_m", "y_m", "heading_rad", "speed_mps")
        )
        valid = np.concatenate([track.valid for track in tracks])
        first = np.flatnonzero((np.diff(number) == 0) & valid[:-1] & valid[1:])
        after = first + 1
        step_x_m, step_y_m = x_m[after] - x_m[first], y_m[after] - y_m[first]
        turn_rad = _wrapped(heading_rad[after] - heading_rad[first])
        way_m, duration_s = np.hypot(step_x_m, step_y_m), time_s[after] - time_s[first]
        return cls(
            track=number[first],
            start_s=time_s[first],
            duration_s=duration_s,
            way_m=way_m,
            motion_mps=way_m / duration_s,
            course_rad=np.arctan2(step_y_m, step_x_m),
            heading_rad=heading_rad[first] + turn_rad / 2,
            speed_mps=(speed_mps[first] + speed_mps[after]) / 2,
            stated_heading=np.array(["heading" not in track.inferred for track in tracks]),
            stated_speed=np.array(["speed" not in track.inferred for track in tracks]),
        )

    def medians(self, values: Floats, chosen: Bools | None = None) -> Floats:
        """(n_tracks,) array: of each track's chosen pairs; nan where there are too few."""
        chosen = np.ones(len(values), np.bool_) if chosen is None else chosen
        track, values = self.track[chosen], values[chosen]
        order = np.lexsort((values, track))
        numbers, starts, counts = np.unique(track[order], return_index=True, return_counts=True)
        middles = values[order][[starts + (counts - 1) // 2, starts + counts // 2]].mean(axis=0)
        found = np.full(len(self.stated_speed), np.nan)
        found[numbers] = np.where(counts >= LEAST_PAIRS, middles, np.nan)
        return found


def _turned(pairs: _Pairs) -> tuple[Bools, Bools, Bools]:
    """Whose heading is beside the motion, or opposite to it, and who reverses; (n_tracks,) each."""
    moving = pairs.motion_mps > MOVING_MPS
    reversing = pairs.speed_mps < 0
    course_rad = pairs.course_rad + np.where(reversing, np.pi, 0.0)
    beside_rad = np.abs(_wrapped(course_rad - pairs.heading_rad))
    beside_rad = pairs.medians(beside_rad, moving)
    turned = pairs.stated_heading & (beside_rad > LARGEST_TURN_RAD)
    opposite = turned & (beside_rad > np.pi - LARGEST_TURN_RAD)
    n_tracks = len(turned)
    way_m = np.bincount(pairs.track, pairs.way_m * moving, n_tracks)
    back_m = np.bincount(pairs.track, pairs.way_m * (moving & reversing), n_tracks)
    backwards = pairs.stated_heading & (back_m > LONGEST_REVERSING_M) & (back_m > way_m / 2)
    return turned, opposite, backwards & ~turned


def _speed_ratios(pairs: _Pairs) -> Floats:
    """How many times as fast as the motion each track says it is; nan where it says nothing."""
    stated_mps = np.abs(pairs.speed_mps)
    moving = np.maximum(pairs.motion_mps, stated_mps) > MOVING_MPS
    ratios = pairs.medians(stated_mps / np.maximum(pairs.motion_mps, 1e-9), moving)
    ratios[~pairs.stated_speed] = np.nan
    return ratios


def _about_headings(scene: Scene, turned: Bools, opposite: Bools, backwards: Bools) -> list[str]:
    sentences = []
    if turned.any():
        sentences.append(
            f"{_who(scene, turned)} face more than 30° beside the way they move; the heading may "
            "have another unit, begin at another axis or turn the other way round."
        )
    if opposite.any():
        sentences.append(
            f"{_who(scene, opposite)} move the other way than their heading and the sign of their "
            "speed say; heading or velocity may be turned round."
        )
    if backwards.any():
        sentences.append(
            f"{_who(scene, backwards)} travel backwards for most of their way; heading or "
            "velocity may be turned round."
        )
    return sentences


def _about_speeds(scene: Scene, odd: Bools, ratios: Floats) -> list[str]:
    if not odd.any():
        return []
    ratio = float(np.median(ratios[odd]))
    hints = [words for factor, words in MISTAKES.items() if _is_near(ratio, factor)]
    return [
        f"{_who(scene, odd)} have speeds that contradict their motion, "
        f"{_factor(ratio)} times as large (median){''.join(f', {hint}' for hint in hints)}."
    ]


def _about_fast(scene: Scene, too_fast: Bools, pairs: _Pairs) -> list[str]:
    if not too_fast.any():
        return []
    median_mps = float(np.nanmax(pairs.medians(pairs.motion_mps)))
    return [
        f"{_who(scene, too_fast)} move faster than 100 m/s most of the time, up to "
        f"{median_mps:,.0f} m/s; places or times may have another unit."
    ]


def _about_jumps(scene: Scene, pairs: _Pairs, odd: Bools) -> list[str]:
    stated_mps = np.where(pairs.stated_speed[pairs.track], np.abs(pairs.speed_mps), np.inf)
    sudden = (pairs.motion_mps > JUMP_FACTOR * stated_mps) & (pairs.way_m > LEAST_JUMP_M)
    jumps = np.flatnonzero(((pairs.motion_mps > FASTEST_MPS) | sudden) & ~odd[pairs.track])
    if not len(jumps):
        return []
    who = np.zeros(len(scene.tracks), np.bool_)
    who[pairs.track[jumps]] = True
    worst = jumps[np.argmax(pairs.way_m[jumps])]
    from_s, to_s = pairs.start_s[worst], pairs.start_s[worst] + pairs.duration_s[worst]
    return [
        f"{_who(scene, who)} jump, {len(jumps):,} times in all; the farthest jump is "
        f"{pairs.way_m[worst]:,.0f} m by {scene.tracks[pairs.track[worst]].id!r} between "
        f"{seconds(from_s)} and {seconds(to_s)}."
    ]


def _about_doubles(scene: Scene) -> list[str]:
    """Two records of one vehicle: nobody drives inside another."""
    solid = [i for i, track in enumerate(scene.tracks) if _is_solid(track.kind)]
    if len(solid) < 2:
        return []
    times_s = np.linspace(scene.start_s, scene.end_s, N_INSTANTS)
    places_m = np.array([_places_m(scene, i, times_s) for i in solid])
    width_m = np.array([scene.tracks[i].width_m for i in solid])
    shared: dict[tuple[int, int], int] = {}
    for at_m in places_m.transpose(1, 0, 2):
        here = np.flatnonzero(np.isfinite(at_m[:, 0]))[:MOST_AT_ONCE]
        apart_m = np.hypot(*(at_m[here, None] - at_m[None, here]).transpose(2, 0, 1))
        inside = apart_m < np.minimum(width_m[here, None], width_m[None, here]) / 2
        for one, other in np.argwhere(np.triu(inside, 1)):
            pair = int(here[one]), int(here[other])
            shared[pair] = shared.get(pair, 0) + 1
    seen = np.isfinite(places_m[..., 0])
    names = [
        f"{scene.tracks[solid[one]].id!r} and {scene.tracks[solid[other]].id!r}"
        for (one, other), n in shared.items()
        if n >= max(LEAST_SHARED, (seen[one] & seen[other]).sum() / 2)
    ]
    if not names:
        return []
    more = f" and {len(names) - IDS_NAMED:,} more" if len(names) > IDS_NAMED else ""
    return [
        f"{len(names):,} pair{'s' * (len(names) > 1)} of road users in one place for most of the "
        f"time, perhaps two records of one vehicle: {'; '.join(names[:IDS_NAMED])}{more}."
    ]


def _is_solid(kind: RoadUser) -> bool:
    """People walk in groups, and what a trailer covers is its truck's."""
    return kind not in (RoadUser.pedestrian, RoadUser.other)


def _places_m(scene: Scene, i: int, times_s: Floats) -> Floats:
    """(n_times, 2) array: the place at the sample before each time; nan where there is none."""
    track = scene.tracks[i]
    last = np.searchsorted(track.time_s, times_s + 1e-6, side="right") - 1
    there = (last >= 0) & (times_s <= track.time_s[-1] + 1e-6)
    there &= track.valid[np.maximum(last, 0)]
    places_m = np.stack([track.x_m, track.y_m], axis=1)[np.maximum(last, 0)]
    return np.where(there[:, None], places_m, np.nan)


def _who(scene: Scene, chosen: Bools) -> str:
    names = [track.id for track, is_chosen in zip(scene.tracks, chosen, strict=True) if is_chosen]
    return f"{len(names):,} of {len(chosen):,} road users ({quoted(names, IDS_NAMED)})"


def _is_near(ratio: float, factor: float) -> bool:
    return abs(ratio / factor - 1) <= MISTAKE_TOLERANCE


def _factor(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 1e4 else "more than 10,000"


def _wrapped(angle_rad: Floats) -> Floats:
    wrapped_rad: Floats = (angle_rad + np.pi) % (2 * np.pi) - np.pi
    return wrapped_rad
