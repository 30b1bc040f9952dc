"""Which moments of a scene are filmed, and whether the ego is there in all of them."""

from __future__ import annotations

import numpy as np

from app.rendering.fade import count_fading
from app.rendering.style import MAX_DURATION_S, FilmStyle
from app.scenes.resampling import sample_track
from app.scenes.scene import Floats, Scene, Track

# Windows are written in decimals, samples are sums of steps: both miss by rounding.
TIME_TOLERANCE_S = 1e-6
MAX_LENGTH_M = 100.0
# No clip is a journey; beyond this the numbers of a file are wrong.
FARTHEST_M = 1e6


def ego_of(scene: Scene) -> Track:
    """The track the camera follows, in a scene of which everything can be drawn."""
    if scene.ego_id is None:
        raise ValueError("the scene has no ego to follow")
    egos = [track for track in scene.tracks if track.id == scene.ego_id]
    if not egos or not egos[0].valid.any():
        raise ValueError(f"the scene's ego {scene.ego_id!r} is nowhere in its tracks")
    for track in scene.tracks:
        if not (0 < track.length_m <= MAX_LENGTH_M and 0 < track.width_m <= MAX_LENGTH_M):
            raise ValueError(
                f"track {track.id!r} is {track.length_m:g} m × {track.width_m:g} m; to be drawn "
                f"it needs a size up to {MAX_LENGTH_M:g} m"
            )
    return egos[0]


def picture_times_s(ego: Track, style: FilmStyle) -> Floats:
    """Scene time of each picture of the style's window."""
    first_s, last_s = ego.time_s[ego.valid][[0, -1]]
    start_s, end_s = window_s(ego, style)
    duration_s = end_s - start_s
    if start_s < first_s - TIME_TOLERANCE_S or end_s > last_s + TIME_TOLERANCE_S or duration_s < 0:
        raise ValueError(
            f"the window from {start_s:g} s to {end_s:g} s is not within the ego's time from "
            f"{first_s:g} s to {last_s:g} s"
        )
    if duration_s > MAX_DURATION_S:
        raise ValueError(
            f"the window is {duration_s:g} s long; at most {MAX_DURATION_S:g} s can be filmed"
        )
    times_s = times_of_pictures_s(style, start_s, duration_s)
    check_ego_is_there(ego, times_s)
    return times_s


def times_of_pictures_s(style: FilmStyle, start_s: float, duration_s: float) -> Floats:
    """When each picture is: the first stands still as it fades in and for the lead-in, then moves.

    The same for scenes and for finished films, so that nobody can tell them apart by it.
    """
    n_still = count_fading(style) + round(style.lead_in_s * style.fps)
    n_moving = max(1, round(duration_s * style.fps))
    return start_s + np.maximum(np.arange(-n_still, n_moving), 0) / style.fps


def window_s(ego: Track, style: FilmStyle) -> tuple[float, float]:
    """When the style's window starts and ends."""
    first_s, last_s = ego.time_s[ego.valid][[0, -1]]
    start_s = float(first_s) if style.start_s is None else style.start_s
    return start_s, float(last_s) if style.duration_s is None else start_s + style.duration_s


def check_ego_is_there(ego: Track, times_s: Floats) -> None:
    """Raise ValueError with the first time at which the ego has no place, or none within reach."""
    states = sample_track(ego, times_s)
    known = states.valid & np.isfinite(states.x_m + states.y_m + states.heading_rad)
    if not known.all():
        missing_s = round(float(times_s[~known][0]), 2)
        raise ValueError(f"the ego {ego.id!r} is missing at {missing_s:g} s, inside the window")
    x_m, y_m = states.x_m - ego.x_m[ego.valid][0], states.y_m - ego.y_m[ego.valid][0]
    far = np.maximum(np.abs(x_m), np.abs(y_m)) > FARTHEST_M
    if far.any():
        raise ValueError(
            f"the ego {ego.id!r} is more than {FARTHEST_M / 1000:g} km from its start at "
            f"{times_s[far][0]:g} s"
        )
