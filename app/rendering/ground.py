"""The ground beside the road: a calm colour with a faint pattern that stays fixed to the world."""

from __future__ import annotations

from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.rendering.camera import Camera
from app.rendering.canvas import Bytes, Canvas, kernel
from app.rendering.colour import yuv_of

COLOUR = "#D3DBC6"
PERIOD_M = 48.0
MIN_TILE_PX, MAX_TILE_PX = 64, 1024
# Luma levels. Enough to see the ground pass by, too little to look at.
CONTRAST = 3.2
# Blotches between these sizes: smaller ones flicker, larger ones hide the motion.
SMALLEST_M, LARGEST_M = 1.1, 6.0
# Any number will do, but always the same one: two films of a scene must not differ.
SEED = 20


class Ground(NamedTuple):
    """A tile of luma that repeats in both directions, and the two colour levels."""

    tile: NDArray[np.float32]
    blue: int
    red: int
    shifted: Bytes


def make_ground(scale_px_per_m: float) -> Ground:
    """The ground for pictures of this scale."""
    side_px = int(np.clip(round(PERIOD_M * scale_px_per_m), MIN_TILE_PX, MAX_TILE_PX))
    luma, blue, red = yuv_of(COLOUR)
    tile = (luma + CONTRAST * _blotches(side_px)).astype(np.float32)
    return Ground(tile, round(blue), round(red), np.empty((side_px, side_px), np.uint8))


def paint_ground(canvas: Canvas, ground: Ground, camera: Camera) -> None:
    """Cover the whole picture."""
    k = camera.scale_px_per_m
    column = k * camera.x_m - camera.width_px / 2
    row = -k * camera.y_m - camera.height_px / 2
    _shift(ground, column - floor(column), row - floor(row))
    _cover(canvas, ground, floor(column), floor(row))


def _blotches(side_px: int) -> NDArray[np.float64]:
    """(side, side) random field of unit variance that repeats without a seam."""
    cycles = np.fft.fftfreq(side_px, 1 / side_px)
    size_m = PERIOD_M / np.maximum(np.hypot(cycles[:, None], cycles[None, :]), 1e-9)
    noise = np.random.default_rng(SEED).normal(size=(side_px, side_px))
    band = (size_m > SMALLEST_M) & (size_m < LARGEST_M)
    field = np.fft.ifft2(np.fft.fft2(noise) * band).real
    spread = field.std()
    return np.asarray(field / spread if spread > 0 else field)


@kernel
def _shift(ground: Ground, share_x: float, share_y: float) -> None:
    """The tile between its pixels; its blotches are so smooth that straight lines between do."""
    tile, side = ground.tile, ground.tile.shape[0]
    right, below = np.float32(share_x), np.float32(share_y)
    left, above = np.float32(1) - right, np.float32(1) - below
    half = np.float32(0.5)
    for row in range(side):
        upper, lower = tile[row], tile[(row + 1) % side]
        out = ground.shifted[row]
        for x in range(side - 1):
            first = above * upper[x] + below * lower[x]
            second = above * upper[x + 1] + below * lower[x + 1]
            out[x] = np.uint8(left * first + right * second + half)
        first = above * upper[side - 1] + below * lower[side - 1]
        second = above * upper[0] + below * lower[0]
        out[side - 1] = np.uint8(left * first + right * second + half)


@kernel
def _cover(canvas: Canvas, ground: Ground, column: int, row: int) -> None:
    side, width = ground.shifted.shape[0], canvas.width_px
    for y in range(canvas.luma.shape[0]):
        line = ground.shifted[(row + y) % side]
        at, x = column % side, 0
        while x < width:
            n = min(side - at, width - x)
            _copy(line[at : at + n], canvas.luma[y, x : x + n])
            x, at = x + n, 0
    canvas.blue[:] = ground.blue
    canvas.red[:] = ground.red


@kernel
def _copy(values: Bytes, out: Bytes) -> None:
    for k in range(len(values)):
        out[k] = values[k]
