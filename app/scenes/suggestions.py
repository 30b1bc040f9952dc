"""Whom to follow, when, and who matters to them: suggestions that a researcher may change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.meetings import (
    REACH_M,
    Rows,
    Snapshots,
    count_meetings,
    distances_m,
    interact,
    others_of,
    take_snapshots,
)
from app.scenes.resampling import TIME_TOLERANCE_S
from app.scenes.scene import Floats, RoadUser, Scene, Track
from app.scenes.selection import check_known

WINDOW_S = 10.0
NEAREST_ROLES = ("V1", "V2", "V3", "V4")

# A study of driving follows those who drive, then those who ride, then those who walk.
TIERS = {RoadUser.bicycle: 1, RoadUser.other: 2, RoadUser.pedestrian: 3}


@dataclass(frozen=True, slots=True)
class EgoSuggestion:
    """A road user worth following, and the window in which most happens around it.

    `interaction_s` are the seconds of the window in which it interacts with anybody, `n_others`
    is with how many; `duration_s` is how long it is seen without a gap.
    """

    track_id: str
    start_s: float
    end_s: float
    reason: str
    interaction_s: float
    duration_s: float
    n_others: int


def suggest_egos(scene: Scene, limit: int = 5) -> tuple[EgoSuggestion, ...]:
    """Road users worth following, best first: those who interact longest within ten seconds.

    What interacting means is said in `app.scenes.meetings`. Motor vehicles come before bicycles,
    these before all others; who stands all the time is suggested only if everybody does. The
    one seen longest is among the suggestions, if there is room for two.
    """
    snapshots = take_snapshots(scene.tracks)
    counts = count_meetings(snapshots)
    windows = {
        i: _best_window(scene.tracks[i], _activity(snapshots, rows, counts[rows]), WINDOW_S)
        for i, rows in _candidates(scene, snapshots).items()
    }
    tiers = {i: TIERS.get(scene.tracks[i].kind, 0) for i in windows}
    best = sorted(windows, key=lambda i: (tiers[i], windows[i].order))
    longest = min(best, key=lambda i: (tiers[i], -windows[i].run_s), default=None)
    chosen = best[:limit]
    if longest is not None and longest not in chosen and limit > 1:
        chosen[-1] = longest
    return tuple(_suggestion(scene, snapshots, i, windows[i], i == longest) for i in chosen)


def suggest_window(scene: Scene, ego_id: str, duration_s: float = WINDOW_S) -> tuple[float, float]:
    """First and last time of the `duration_s` in which the ego interacts longest.

    The ego is seen throughout, without a gap; where it never is for so long, the window is its
    longest time without one. Both ends are samples of the ego.
    """
    ego = _index_of(scene, ego_id)
    snapshots = take_snapshots(scene.tracks)
    ego_rows, met = snapshots.rows_of(ego), _met_rows(snapshots, ego)
    counts = np.bincount(snapshots.instant[met], minlength=len(snapshots.times_s))
    activity = _activity(snapshots, ego_rows, counts[snapshots.instant[ego_rows]])
    window = _best_window(scene.tracks[ego], activity, duration_s)
    return window.start_s, window.end_s


def suggest_roles(
    scene: Scene, ego_id: str, start_s: float = -np.inf, end_s: float = np.inf
) -> dict[str, str]:
    """E is the ego, T the one it interacts with longest, V1 to V4 are who come nearest else.

    Only what happens from `start_s` to `end_s` counts. T is left out where nobody interacts with
    the ego. Who stands all the time, or never comes within 100 m, has no role.
    """
    ego = _index_of(scene, ego_id)
    snapshots = take_snapshots(scene.tracks)
    others, ego_rows = others_of(snapshots, ego)
    inside = _inside(snapshots, others, start_s, end_s)
    others, ego_rows = others[inside], ego_rows[inside]
    nearest_m = np.full(len(scene.tracks), np.inf)
    np.minimum.at(nearest_m, snapshots.track[others], distances_m(snapshots, ego_rows, others))
    met = others[interact(snapshots, ego_rows, others)]
    n_met = np.bincount(snapshots.track[met], minlength=len(scene.tracks))
    order = [i for i in np.argsort(nearest_m, kind="stable").tolist() if nearest_m[i] <= REACH_M]
    roles = {"E": ego_id}
    if n_met.any():
        target = max(order, key=lambda i: n_met[i])
        roles["T"] = scene.tracks[target].id
        order.remove(target)
    return roles | {role: scene.tracks[i].id for role, i in zip(NEAREST_ROLES, order, strict=False)}


@dataclass(frozen=True, slots=True, eq=False)
class _Activity:
    """With how many others a road user interacts at regular instants; arrays (n_instants,)."""

    times_s: Floats
    look_s: float
    n_others: NDArray[np.int64]

    def within(self, starts_s: Floats, ends_s: Floats) -> tuple[NDArray[np.int64], ...]:
        """Instants with any interaction, and interactions, in each window."""
        first = np.searchsorted(self.times_s, starts_s - TIME_TOLERANCE_S)
        last = np.searchsorted(self.times_s, ends_s + TIME_TOLERANCE_S)
        sums = (np.concatenate([[0], np.cumsum(n)]) for n in (self.n_others > 0, self.n_others))
        return tuple(so_far[last] - so_far[first] for so_far in sums)


@dataclass(frozen=True, slots=True)
class _Window:
    """The best window of a road user, and what speaks for it."""

    start_s: float
    end_s: float
    run_s: float
    interaction_s: float
    n_meetings: int

    @property
    def order(self) -> tuple[float, int, float]:
        """Most interaction first, then with most others, then the longest seen."""
        return (-self.interaction_s, -self.n_meetings, -self.run_s)


def _candidates(scene: Scene, snapshots: Snapshots) -> dict[int, Rows]:
    """Rows of each road user that may be followed."""
    seen = [i for i, track in enumerate(scene.tracks) if track.valid.any()]
    moving = [i for i in seen if snapshots.moves[i]]
    by_track = np.argsort(snapshots.track, kind="stable")
    bounds = np.searchsorted(snapshots.track[by_track], np.arange(len(scene.tracks) + 1))
    return {i: by_track[bounds[i] : bounds[i + 1]] for i in moving or seen}


def _activity(snapshots: Snapshots, rows: Rows, n_others: NDArray[np.int64]) -> _Activity:
    times_s = snapshots.times_s[snapshots.instant[rows]]
    return _Activity(times_s, snapshots.look_s, n_others)


def _best_window(track: Track, activity: _Activity, duration_s: float) -> _Window:
    """The window that `suggest_window` describes; of equal ones the middle one."""
    runs = _runs(track)
    longest_s = max(runs, key=lambda run_s: float(run_s[-1] - run_s[0]))
    wanted_s = min(duration_s, float(longest_s[-1] - longest_s[0]))
    starts_s = np.concatenate(
        [run_s[run_s + wanted_s <= run_s[-1] + TIME_TOLERANCE_S] for run_s in runs]
    )
    busy, n_meetings = activity.within(starts_s, starts_s + wanted_s)
    equal = np.flatnonzero(busy == busy.max())
    equal = equal[n_meetings[equal] == n_meetings[equal].max()]
    best = equal[len(equal) // 2]
    return _Window(
        start_s=float(starts_s[best]),
        end_s=_last_sample_s(track, float(starts_s[best]) + wanted_s),
        run_s=float(longest_s[-1] - longest_s[0]),
        interaction_s=min(float(busy[best]) * activity.look_s, wanted_s),
        n_meetings=int(n_meetings[best]),
    )


def _runs(track: Track) -> list[Floats]:
    """Times of each stretch of valid samples."""
    valid = np.flatnonzero(track.valid)
    if not len(valid):
        raise ValueError(f"track {track.id!r} is never seen")
    return [track.time_s[run] for run in np.split(valid, np.flatnonzero(np.diff(valid) > 1) + 1)]


def _last_sample_s(track: Track, end_s: float) -> float:
    return float(track.time_s[track.time_s <= end_s + TIME_TOLERANCE_S][-1])


def _suggestion(
    scene: Scene, snapshots: Snapshots, i: int, window: _Window, is_longest: bool
) -> EgoSuggestion:
    met = _met_rows(snapshots, i)
    inside = _inside(snapshots, met, window.start_s, window.end_s)
    n_others = len(np.unique(snapshots.track[met[inside]]))
    return EgoSuggestion(
        track_id=scene.tracks[i].id,
        start_s=window.start_s,
        end_s=window.end_s,
        reason=_reason(scene.tracks[i], window, n_others, is_longest),
        interaction_s=window.interaction_s,
        duration_s=window.run_s,
        n_others=n_others,
    )


def _inside(snapshots: Snapshots, rows: Rows, start_s: float, end_s: float) -> NDArray[np.bool_]:
    """Which of the rows are of the window."""
    times_s = snapshots.times_s[snapshots.instant[rows]]
    inside: NDArray[np.bool_] = (times_s >= start_s - TIME_TOLERANCE_S) & (
        times_s <= end_s + TIME_TOLERANCE_S
    )
    return inside


def _reason(track: Track, window: _Window, n_others: int, is_longest: bool) -> str:
    users = "one other road user" if n_others == 1 else f"{n_others} other road users"
    sentences = [
        f"This {_called(track)} interacts with {users} for {window.interaction_s:.1f} of the "
        f"{window.end_s - window.start_s:.1f} s."
        if n_others
        else f"Nobody comes into the way of this {_called(track)}."
    ]
    if is_longest:
        sentences.append(f"It is seen longest, for {window.run_s:.1f} s without a gap.")
    return " ".join(sentences)


def _called(track: Track) -> str:
    return "road user" if track.kind == RoadUser.other else track.kind.value


def _met_rows(snapshots: Snapshots, ego: int) -> Rows:
    """Rows of those who interact with the ego."""
    others, ego_rows = others_of(snapshots, ego)
    return others[interact(snapshots, ego_rows, others)]


def _index_of(scene: Scene, ego_id: str) -> int:
    check_known(scene, ego_id)
    return next(i for i, track in enumerate(scene.tracks) if track.id == ego_id)
