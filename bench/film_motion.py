"""How evenly things move, and stay sharp, while the camera pans slowly: painted pictures, measured.

The camera drifts an eighth of a pixel per picture. A place is the middle of what differs between
two films of the same scene, one of them without the thing that is looked at, along the way of the
camera. (Across a line of 1.6 pixels this measure would find its own error: the middle of the
pixels that such a line covers exactly is up to 0.08 pixels from the middle of the line.)
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.rendering.painter import prepare
from app.rendering.raster import canvas_on
from app.rendering.style import FilmStyle
from app.rendering.window import ego_of
from app.scenes.road_map import Boundary, Lane, Marking, RoadMap
from app.scenes.scene import RoadUser, Scene, Source, Track

STYLE = FilmStyle(lead_in_s=0.0)
N_PICTURES = 40
PX_PER_M = STYLE.width_px / STYLE.width_m
ALONG_MPS, ASLANT_MPS = (0.35, 0.0), (0.3, 0.2)


def car_motion_error_px() -> float:
    """Root of the mean square of how far a standing car is from where it should be."""
    return _motion_error_px(12.3, _scene(BARE, _track("car", 12.3, 6.2, 4.5, 1.8)))


def dash_motion_error_px() -> float:
    """The same of one dash of a lane's line."""
    dash = Boundary(np.array([[6.0, 6.2], [18.0, 6.2]]), Marking.dashed)
    return _motion_error_px(12.0, _scene(replace(BARE, boundaries=(dash,))))


def sharpness_change(road_map: RoadMap) -> float:
    """From the softest to the sharpest picture of a road, over the mean of all.

    Sharpness is the mean square of the steps between neighbouring pixels; the camera moves aslant.
    """
    energy = []
    for luma in _pictures(_scene(road_map, pan_mps=ASLANT_MPS)):
        steps = np.diff(luma, axis=1)[:-1] ** 2 + np.diff(luma, axis=0)[:, :-1] ** 2
        energy.append(steps.mean())
    return float(np.ptp(energy) / np.mean(energy))


ASPHALT = Lane("1", np.array([[-200.0, -20.0], [200.0, -20.0], [200.0, 40.0], [-200.0, 40.0]]))


BARE = RoadMap((ASPHALT,))


def _track(
    track_id: str,
    x_m: float,
    y_m: float,
    length_m: float,
    width_m: float,
    velocity_mps: tuple[float, float] = (0.0, 0.0),
) -> Track:
    time_s = np.arange(101) * 0.1
    return Track(
        id=track_id,
        kind=RoadUser.car,
        length_m=length_m,
        width_m=width_m,
        time_s=time_s,
        x_m=x_m + velocity_mps[0] * time_s,
        y_m=y_m + velocity_mps[1] * time_s,
        heading_rad=np.full(101, np.arctan2(velocity_mps[1], velocity_mps[0])),
        speed_mps=np.full(101, np.hypot(*velocity_mps)),
        acceleration_mps2=np.zeros(101),
        valid=np.ones(101, np.bool_),
    )


def _scene(road_map: RoadMap, *others: Track, pan_mps: tuple[float, float] = ALONG_MPS) -> Scene:
    """An ego too small to be seen, and what it passes."""
    ego = _track("ego", 0.0, 3.0, 0.1, 0.1, pan_mps)
    return Scene("pan", 0.1, (ego, *others), road_map, Source("bench"), ego_id="ego")


def _pictures(scene: Scene) -> list[np.ndarray]:
    """(height, width) luma of every picture."""
    times_s = np.arange(N_PICTURES) / STYLE.fps
    painter = prepare(scene, ego_of(scene), STYLE, times_s)
    luma = np.empty((STYLE.height_px, STYLE.width_px), np.uint8)
    blue, red = np.empty((2, STYLE.height_px // 2, STYLE.width_px // 2), np.uint8)
    canvas, found = canvas_on(STYLE.width_px, luma, blue, red), []
    for k in range(N_PICTURES):
        painter.paint(canvas, k)
        found.append(luma.astype(np.float64))
    return found


def _motion_error_px(x_m: float, with_it: Scene) -> float:
    columns = np.arange(STYLE.width_px) + 0.5
    misses = []
    pairs = zip(_pictures(with_it), _pictures(_scene(BARE)), strict=True)
    for k, (one, other) in enumerate(pairs):
        expected = STYLE.width_px / 2 + (x_m - ALONG_MPS[0] * k / STYLE.fps) * PX_PER_M
        weight = (one - other).sum(axis=0)
        misses.append(weight @ columns / weight.sum() - expected)
    return float(np.std(misses))
