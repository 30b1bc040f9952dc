"""Who is beside the road for most of the time: the sign of a map with another origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.scenes.road_map import Points, RoadMap
from app.scenes.scene import Floats, RoadUser, Scene, Track
from app.scenes.wording import quoted

# Lanes are drawn narrower than they are, and vehicles cut corners.
MARGIN_M = 2.0
LEAST_WAY_M = 5.0
MOST_POINTS = 3_000
SAMPLES_PER_TRACK = (3, 20)
IDS_NAMED = 5
# People and bicycles have ways of their own, which few maps hold.
ON_ROADS = frozenset(RoadUser) - {RoadUser.pedestrian, RoadUser.bicycle, RoadUser.other}


def off_road_doubts(
    scene: Scene, offsets_m: Mapping[str, tuple[float, float]] | None = None
) -> list[str]:
    """A sentence if moving motor vehicles are on the road for less than half of their time.

    Parameters
    ----------
    offsets_m : names to pairs of x and y
        By how much the map might have to be moved, besides what the centres suggest.
    """
    tracks = [track for track in scene.tracks if track.kind in ON_ROADS and _moves(track)]
    if not (scene.road_map.lanes and tracks):
        return []
    points_m = _sampled_m(tracks)
    off = _share_on_road(points_m, scene.road_map) < 0.5
    if not off.any():
        return []
    names = [track.id for track, is_off in zip(tracks, off, strict=True) if is_off]
    sentence = (
        f"{len(names):,} of {len(tracks):,} moving vehicles ({quoted(names, IDS_NAMED)}) are on "
        "the road for less than half of their time"
    )
    if off.sum() <= len(tracks) / 2:
        return [f"{sentence}."]
    return [f"{sentence}; {_shift_words(points_m, scene.road_map, offsets_m or {})}."]


def on_road(points_m: Points, road_map: RoadMap, margin_m: float = MARGIN_M) -> NDArray[np.bool_]:
    """Whether points are on a lane, or this near to one.

    Parameters
    ----------
    points_m : (n, 2) array

    Returns
    -------
    (n,) array of bool
    """
    found = np.zeros(len(points_m), np.bool_)
    for lane in road_map.lanes:
        low_m, high_m = lane.polygon_m.min(axis=0), lane.polygon_m.max(axis=0)
        near = ((points_m >= low_m - margin_m) & (points_m <= high_m + margin_m)).all(axis=1)
        rest = np.flatnonzero(near & ~found)
        if len(rest):
            found[rest] = _in_polygon(points_m[rest], lane.polygon_m, margin_m)
    return found


def _moves(track: Track) -> bool:
    x_m, y_m = track.x_m[track.valid], track.y_m[track.valid]
    return len(x_m) > 1 and float(np.hypot(np.ptp(x_m), np.ptp(y_m))) >= LEAST_WAY_M


def _sampled_m(tracks: Sequence[Track]) -> Floats:
    """(n_tracks, n_samples, 2) array: some places of each, evenly chosen."""
    n_samples = int(np.clip(MOST_POINTS // len(tracks), *SAMPLES_PER_TRACK))
    return np.array([_some_places_m(track, n_samples) for track in tracks])


def _some_places_m(track: Track, n_samples: int) -> Floats:
    valid = np.flatnonzero(track.valid)
    chosen = valid[np.linspace(0, len(valid) - 1, n_samples).round().astype(np.intp)]
    return np.stack([track.x_m[chosen], track.y_m[chosen]], axis=1)


def _share_on_road(points_m: Floats, road_map: RoadMap) -> Floats:
    """(n_tracks,) array."""
    share: Floats = on_road(points_m.reshape(-1, 2), road_map).reshape(points_m.shape[:2]).mean(1)
    return share


def _in_polygon(points_m: Points, ring_m: Points, margin_m: float) -> NDArray[np.bool_]:
    """Inside by the even-odd rule, or nearer to an edge than the margin."""
    starts_m, sides_m = ring_m, np.roll(ring_m, -1, axis=0) - ring_m
    from_start_m = points_m[:, None] - starts_m
    rises = (from_start_m[..., 1] >= 0) != (from_start_m[..., 1] >= sides_m[:, 1])
    level = np.where(sides_m[:, 1] == 0, 1.0, sides_m[:, 1])
    left_of = from_start_m[..., 0] < from_start_m[..., 1] * sides_m[:, 0] / level
    inside: NDArray[np.bool_] = (rises & left_of).sum(axis=1) % 2 == 1
    squared_m2 = np.maximum((sides_m**2).sum(axis=1), np.finfo(np.float64).tiny)
    share = np.clip((from_start_m * sides_m).sum(axis=-1) / squared_m2, 0.0, 1.0)
    away_m = from_start_m - share[..., None] * sides_m
    near: NDArray[np.bool_] = (away_m**2).sum(axis=-1).min(axis=1) <= margin_m**2
    return inside | near


def _shift_words(
    points_m: Floats, road_map: RoadMap, offsets_m: Mapping[str, tuple[float, float]]
) -> str:
    """What moving the map would do: the first offset that puts most vehicles on it."""
    n_tracks = len(points_m)
    between = {"from centre to centre": _between_centres_m(points_m, road_map)}
    for name, (x_m, y_m) in (dict(offsets_m) | between).items():
        n_on = int((_share_on_road(points_m - (x_m, y_m), road_map) >= 0.5).sum())
        if n_on > n_tracks / 2:
            return (
                f"the map may have another origin: moved by {x_m:g}, {y_m:g} m ({name}), it "
                f"would have {n_on:,} of {n_tracks:,} on its roads; give this as the map's offset"
            )
    return "the map may have another origin, or be of another place"


def _between_centres_m(points_m: Floats, road_map: RoadMap) -> tuple[float, float]:
    """From the middle of the map to that of the tracks, in whole metres."""
    x_m, y_m = _middle_m(points_m.reshape(-1, 2)) - _middle_m(
        np.concatenate([lane.polygon_m for lane in road_map.lanes])
    )
    return round(float(x_m)), round(float(y_m))


def _middle_m(points_m: Points) -> Floats:
    middle_m: Floats = (points_m.min(axis=0) + points_m.max(axis=0)) / 2
    return middle_m
