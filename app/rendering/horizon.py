"""What is far away: sky, hills along the horizon, and the haze in which the ground ends."""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.rendering.canvas import Atlas, Canvas, Cells, kernel
from app.rendering.colour import mix, yuv_of
from app.rendering.perspective import ChaseCamera
from app.rendering.raster import paint_sprites
from app.scenes.scene import Floats

ZENITH, LOW_SKY = "#8FB9DD", "#E4EEF3"
HAZE = "#C8D5D3"
HILLS, WOODS = "#B3C5CC", "#A3B8AF"
# The sky has its full colour this many rows above the horizon, as a share of the focal length.
SKY_SHARE = 0.35
# Up to here the air is clear; behind it this far until haze hides two thirds.
CLEAR_M, FADING_M = 60.0, 240.0
# Hills are angles above the horizon: the mean, and waves of so many periods all round.
HILL_RISE_RAD, HILL_WAVES = 0.018, ((5, 0.0065, 0.3), (11, 0.004, 1.9), (23, 0.0022, 4.1))
WOOD_RISE_RAD, WOOD_WAVES = 0.006, ((17, 0.002, 0.8), (41, 0.0013, 2.7), (89, 0.0008, 5.2))
BEARING_STEP_RAD = pi / 180
# Below a level of the largest step between two colours nothing changes.
LEAST_SHARE = 1 / 512


class Distance(NamedTuple):
    """Colours of the rows above the horizon and of hills, and share of haze in rows below."""

    sky: Cells
    hills: Cells
    haze_share: Cells
    haze: Cells


def make_distance(camera: ChaseCamera) -> Distance:
    """The same for all pictures of a camera that never nods."""
    rows_px = np.arange(camera.height_px) + 0.5
    above = np.clip((camera.horizon_row_px - rows_px) / (SKY_SHARE * camera.focal_px), 0, 1)
    sky = np.array([yuv_of(mix(LOW_SKY, ZENITH, float(share) ** 0.8)) for share in above])
    below = rows_px > camera.horizon_row_px
    distances_m = np.full(camera.height_px, np.inf)
    distances_m[below] = camera.depths_of_rows_m(rows_px[below])
    share = np.where(below, hazed(distances_m), 0.0)
    return Distance(
        sky=sky.astype(np.float32),
        hills=np.array([(*yuv_of(colour), 1.0) for colour in (HILLS, WOODS)], np.float32),
        haze_share=share.astype(np.float32),
        haze=np.array(yuv_of(HAZE), np.float32),
    )


def hazed(distances_m: Floats) -> Floats:
    """How much of the haze's colour is in what is this far away, 0 to 1."""
    return np.asarray(1 - np.exp(-np.maximum(distances_m - CLEAR_M, 0) / FADING_M))


def paint_sky(canvas: Canvas, distance: Distance, camera: ChaseCamera) -> None:
    """Cover the rows down to the horizon, hills included."""
    horizon = camera.horizon_row_px
    if horizon <= 0:
        return
    _fill_rows(canvas, distance.sky, min(int(np.ceil(horizon)), camera.height_px))
    hills = _skyline(camera, HILL_RISE_RAD, HILL_WAVES)
    woods = _skyline(camera, WOOD_RISE_RAD, WOOD_WAVES)
    atlas = Atlas(
        points=np.concatenate([hills, woods]),
        ring_start=np.array([0, len(hills), len(hills) + len(woods)], np.int32),
        ring_box=np.array([_box(hills), _box(woods)]),
        layer_start=np.array([0, 1, 2], np.int32),
        layer_paint=distance.hills,
        sprite_start=np.array([0, 2], np.int32),
    )
    paint_sprites(canvas, atlas, np.zeros(1, np.int32), np.array([[1.0, 0, 0, 0, 1.0, 0]]))


def _skyline(
    camera: ChaseCamera, rise_rad: float, waves: tuple[tuple[int, float, float], ...]
) -> NDArray[np.float64]:
    """Ring in pixels between a silhouette fixed to the world and the horizon."""
    half_rad = np.arctan(camera.width_px / 2 / camera.focal_px / cos(camera.down_rad)) + 0.1
    first = np.floor((camera.heading_rad - half_rad) / BEARING_STEP_RAD)
    last = np.ceil((camera.heading_rad + half_rad) / BEARING_STEP_RAD)
    bearing_rad = np.arange(first, last + 1)[::-1] * BEARING_STEP_RAD
    up_rad = rise_rad + sum(a * np.sin(n * bearing_rad + phase) for n, a, phase in waves)
    column, row = _at_infinity(camera, bearing_rad, np.tan(up_rad))
    corners = np.array([[column[-1], camera.horizon_row_px], [column[0], camera.horizon_row_px]])
    return np.concatenate([np.stack([column, row], axis=1), corners])


def _at_infinity(camera: ChaseCamera, bearing_rad: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Pixels of directions, given by bearing and rise per metre of ground."""
    ahead = np.cos(bearing_rad - camera.heading_rad)
    right = -np.sin(bearing_rad - camera.heading_rad)
    level, steep = cos(camera.down_rad), sin(camera.down_rad)
    depth = level * ahead - steep * up
    down = -steep * ahead - level * up
    k = camera.focal_px
    return camera.width_px / 2 + k * right / depth, camera.height_px / 2 + k * down / depth


def _box(ring_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre and half size of the box around a ring."""
    least, most = ring_px.min(axis=0), ring_px.max(axis=0)
    return np.concatenate([(least + most) / 2, (most - least) / 2 + 1e-6])


@kernel
def _fill_rows(canvas: Canvas, colours: Cells, n_rows: int) -> None:
    half = np.float32(0.5)
    for row in range(n_rows):
        canvas.luma[row, : canvas.width_px] = np.uint8(colours[row, 0] + half)
    for row in range((n_rows + 1) // 2):
        canvas.blue[row, : canvas.width_px // 2] = np.uint8(colours[2 * row, 1] + half)
        canvas.red[row, : canvas.width_px // 2] = np.uint8(colours[2 * row, 2] + half)


@kernel
def paint_haze(canvas: Canvas, distance: Distance) -> None:
    """Fade all that lies on the ground into the distance; each row is equally far away."""
    shares, haze = distance.haze_share, distance.haze
    for row in range(canvas.luma.shape[0]):
        if shares[row] > LEAST_SHARE:
            _fade(canvas.luma[row, : canvas.width_px], haze[0], shares[row])
    for row in range(canvas.blue.shape[0]):
        share = np.float32(0.5) * (shares[2 * row] + shares[2 * row + 1])
        if share > LEAST_SHARE:
            _fade(canvas.blue[row, : canvas.width_px // 2], haze[1], share)
            _fade(canvas.red[row, : canvas.width_px // 2], haze[2], share)


@kernel
def _fade(values: NDArray[np.uint8], colour: np.float32, share: np.float32) -> None:
    for x in range(len(values)):
        before = np.float32(values[x])
        values[x] = np.uint8(before + (colour - before) * share + np.float32(0.5))
