"""The ground beside the road: a calm meadow that stays fixed to the world.

Without it a camera that follows a car on a plain road would show no motion at all.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.rendering.camera import Camera
from app.rendering.canvas import Bytes, Canvas, kernel
from app.rendering.colour import yuv_of

COLOUR = "#D6DECA"
# The pattern is drawn in units of a metre, or of as many pixels if a metre is fewer: finer
# detail flickers.
MIN_UNIT_PX = 8.0
PERIOD_UNITS = 64
MAX_TILE_PX = 1024
# Soft light and dark patches, in luma levels and waves per period: enough to see the ground
# pass by, too little to look at.
PATCH_CONTRAST, PATCH_WAVES, N_WAVES = 2.2, (4, 13), 28
# Tufts of grass, darker than the ground.
N_TUFTS, TUFT_CONTRAST, TUFT_UNITS = 170, (7.0, 16.0), (0.22, 0.6)
# Any number will do, but always the same one: two films of a scene must not differ.
SEED = 20
# Levels are kept in steps of 1/64, so that the last bit of a sine never decides a pixel.
STEPS_PER_LEVEL = 64


class Ground(NamedTuple):
    """A tile of luma that repeats in both directions, and the two colour levels."""

    tile: NDArray[np.float32]
    blue: int
    red: int
    shifted: Bytes


def make_ground(scale_px_per_m: float) -> Ground:
    """The ground for pictures of this scale."""
    unit_px = max(scale_px_per_m, MIN_UNIT_PX)
    side_px = min(round(PERIOD_UNITS * unit_px), MAX_TILE_PX)
    _, blue, red = yuv_of(COLOUR)
    tile = meadow_tile(side_px, unit_px)
    return Ground(tile, round(blue), round(red), np.empty((side_px, side_px), np.uint8))


def paint_ground(canvas: Canvas, ground: Ground, camera: Camera) -> None:
    """Cover the whole picture."""
    k = camera.scale_px_per_m
    column = k * camera.x_m - camera.width_px / 2
    row = -k * camera.y_m - camera.height_px / 2
    _shift(ground, column - floor(column), row - floor(row))
    _cover(canvas, ground, floor(column), floor(row))


@lru_cache(maxsize=4)
def meadow_tile(side_px: int, unit_px: float) -> NDArray[np.float32]:
    """(side, side) luma that repeats without a seam."""
    rng = np.random.default_rng(SEED)
    share = side_px / (PERIOD_UNITS * unit_px)
    field = PATCH_CONTRAST * _patches(rng, side_px, share)
    for _ in range(round(N_TUFTS * share**2)):
        _add_tuft(field, rng, unit_px)
    luma, _, _ = yuv_of(COLOUR)
    tile = np.rint((luma + field) * STEPS_PER_LEVEL) / STEPS_PER_LEVEL
    return np.ascontiguousarray(tile, np.float32)


def _patches(rng: np.random.Generator, side_px: int, share: float) -> NDArray[np.float64]:
    """A sum of waves that fit the tile, in all directions, of unit variance."""
    shortest, longest = (max(1, round(share * n)) for n in PATCH_WAVES)
    number = shortest + (longest - shortest) * rng.random(N_WAVES)
    direction, phase = np.pi * rng.random(N_WAVES), 2 * np.pi * rng.random(N_WAVES)
    turn = 2j * np.pi * np.arange(side_px)[:, None] / side_px
    across = np.exp(turn * np.rint(number * np.cos(direction)))
    down = np.exp(turn * np.rint(number * np.sin(direction)) + 1j * phase)
    return np.asarray((down @ across.T).real * np.sqrt(2 / N_WAVES))


def _add_tuft(field: NDArray[np.float64], rng: np.random.Generator, unit_px: float) -> None:
    """Darken a soft spot, round the edge of the tile if it lies there."""
    side_px = len(field)
    x, y = side_px * rng.random(2)
    size_px = unit_px * (TUFT_UNITS[0] + (TUFT_UNITS[1] - TUFT_UNITS[0]) * rng.random())
    depth = TUFT_CONTRAST[0] + (TUFT_CONTRAST[1] - TUFT_CONTRAST[0]) * rng.random()
    reach = np.arange(-floor(3 * size_px), floor(3 * size_px) + 1)
    columns, rows = floor(x) + reach, floor(y) + reach
    across = np.exp(-(((columns - x) / size_px) ** 2))
    down = np.exp(-(((rows - y) / size_px) ** 2))
    field[np.ix_(rows % side_px, columns % side_px)] -= depth * np.outer(down, across)


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
