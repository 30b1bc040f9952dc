"""The meadow seen at an angle: the ground's pattern, fetched along slanted rows.

Where the ground is turned or tilted, each row of the picture is a straight line over the world.
The pattern is so soft that every second pixel of every second row is enough, or every fourth;
what is between them is drawn straight.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, cos, sin
from typing import NamedTuple

import numpy as np

from app.rendering.camera import Camera
from app.rendering.canvas import Bytes, Canvas, Cells, Floats, Indices, kernel
from app.rendering.colour import yuv_of
from app.rendering.ground import COLOUR, MIN_UNIT_PX, PERIOD_UNITS, meadow_tile
from app.rendering.perspective import ChaseCamera

SIDE_PX, N_LEVELS = 1024, 8
TEXELS_PER_UNIT = SIDE_PX / PERIOD_UNITS
# Places along a row are counted in whole steps of a texel: sums of those have no rounding.
STEPS_PER_TEXEL = 65536
STEP_PX, NEAR_STEP_PX = 2, 4
# Along the ground the pattern is foreshortened: it needs more contrast to be seen as much.
CONTRAST = 1.5
NEAR_UNIT_M, NEAR_COLOUR = 0.5, "#C3D2A9"


class Meadow(NamedTuple):
    """A tile of luma about its mean, again and again, each with half the sides of the last.

    Level i is `tiles[tile_start[i]:tile_start[i + 1]]`, row by row.
    """

    tiles: Cells
    tile_start: Indices
    unit_m: float
    luma: float
    blue: int
    red: int


class Slant(NamedTuple):
    """How rows of a picture lie over the world: every `step_px`-th one, from `first_row` on.

    `ways` is (n_lines, 4): place of the first pixel and the way to the next, in texels.
    `levels` says which tile, `contrasts` how much of the pattern shows.
    """

    first_row: int
    step_px: int
    ways: Floats
    levels: Indices
    contrasts: Floats


def make_meadow(scale_px_per_m: float) -> Meadow:
    """The meadow from above, for pictures of this scale."""
    return _meadow(max(1.0, MIN_UNIT_PX / scale_px_per_m), COLOUR)


def make_near_meadow() -> Meadow:
    """The meadow as it is seen from a few metres above it: finer, and greener than on a map."""
    return _meadow(NEAR_UNIT_M, NEAR_COLOUR)


def _meadow(unit_m: float, colour: str) -> Meadow:
    tiles, starts = _levels()
    luma, blue, red = yuv_of(colour)
    return Meadow(tiles, starts, unit_m, luma, round(blue), round(red))


def paint_turned_meadow(canvas: Canvas, meadow: Meadow, camera: Camera) -> None:
    """Cover the whole picture, seen from straight above."""
    n_lines = camera.height_px // STEP_PX + 2
    texels_per_px = TEXELS_PER_UNIT / meadow.unit_m / camera.scale_px_per_m
    along, rise = texels_per_px * cos(camera.turn_rad), texels_per_px * sin(camera.turn_rad)
    right = 0.5 - camera.width_px / 2
    down = STEP_PX * np.arange(n_lines) + 0.5 - camera.height_px / 2
    texels_per_m = TEXELS_PER_UNIT / meadow.unit_m
    ways = np.empty((n_lines, 4))
    ways[:, 0] = camera.x_m * texels_per_m + along * right - rise * down
    ways[:, 1] = camera.y_m * texels_per_m - rise * right - along * down
    ways[:, 2:] = along, -rise
    level = min(max(0, round(np.log2(texels_per_px))), N_LEVELS - 1)
    levels = np.full(n_lines, level, np.int32)
    paint_meadow(canvas, meadow, Slant(0, STEP_PX, ways, levels, np.ones(n_lines)))


def tilted(meadow: Meadow, camera: ChaseCamera) -> Slant:
    """How the rows below a camera's horizon lie over the world."""
    first_row = max(0, ceil(camera.horizon_row_px))
    rows_px = np.arange(first_row, camera.height_px + NEAR_STEP_PX, NEAR_STEP_PX) + 0.5
    depth_m = camera.depths_of_rows_m(rows_px)
    level, steep = cos(camera.down_rad), sin(camera.down_rad)
    ahead_m = (depth_m - steep * camera.up_m) / level
    step_m = depth_m / camera.focal_px
    right_m = step_m * (0.5 - camera.width_px / 2)
    texels_per_m = TEXELS_PER_UNIT / meadow.unit_m
    c, s = cos(camera.heading_rad), sin(camera.heading_rad)
    ways = np.stack(
        [
            camera.x_m + c * ahead_m + s * right_m,
            camera.y_m + s * ahead_m - c * right_m,
            s * step_m,
            -c * step_m,
        ],
        axis=1,
    )
    # A pixel reaches farther ahead than aside: as blurred as it takes for neither to flicker.
    reach_m = np.abs(np.gradient(ahead_m)) / 3
    levels = np.clip(np.rint(np.log2(texels_per_m * np.maximum(reach_m, step_m))), 0, N_LEVELS - 1)
    contrasts = np.full(len(rows_px), CONTRAST)
    return Slant(first_row, NEAR_STEP_PX, texels_per_m * ways, levels.astype(np.int32), contrasts)


@lru_cache(maxsize=1)
def _levels() -> tuple[Cells, Indices]:
    luma, _, _ = yuv_of(COLOUR)
    levels = [meadow_tile(SIDE_PX, TEXELS_PER_UNIT) - np.float32(luma)]
    for _ in range(N_LEVELS - 1):
        t = levels[-1]
        levels.append((t[::2, ::2] + t[1::2, ::2] + t[::2, 1::2] + t[1::2, 1::2]) / 4)
    starts = np.cumsum([0, *(level.size for level in levels)])
    return np.concatenate([level.ravel() for level in levels]), starts.astype(np.int32)


@kernel
def paint_meadow(canvas: Canvas, meadow: Meadow, slant: Slant) -> None:
    """Cover the rows of the picture from the first on."""
    height, n_samples = canvas.luma.shape[0], canvas.width_px // slant.step_px + 2
    before, after = np.empty(n_samples, np.float32), np.empty(n_samples, np.float32)
    between, step = np.empty(n_samples, np.float32), slant.step_px
    _sample(meadow, slant, 0, before)
    for line in range(len(slant.ways) - 1):
        _sample(meadow, slant, line + 1, after)
        for k in range(step):
            row = slant.first_row + step * line + k
            if row < height:
                share = np.float32(k / step)
                for i in range(n_samples):
                    between[i] = before[i] + share * (after[i] - before[i])
                _draw(between, step, canvas.luma[row, : canvas.width_px])
        before, after = after, before
    canvas.blue[slant.first_row // 2 :] = meadow.blue
    canvas.red[slant.first_row // 2 :] = meadow.red


@kernel
def _sample(meadow: Meadow, slant: Slant, line: int, out: Cells) -> None:
    """Luma along a line over the world, between the texels of its tile."""
    level = slant.levels[line]
    side, tile = SIDE_PX >> level, meadow.tiles[meadow.tile_start[level] :]
    size, contrast = float(1 << level), np.float32(slant.contrasts[line])
    mask, whole = side - 1, side * STEPS_PER_TEXEL
    u = np.int64(((slant.ways[line, 0] / size - 0.5) % side) * STEPS_PER_TEXEL) % whole
    v = np.int64(((slant.ways[line, 1] / size - 0.5) % side) * STEPS_PER_TEXEL) % whole
    du = np.int64(np.rint(slant.ways[line, 2] * slant.step_px / size * STEPS_PER_TEXEL))
    dv = np.int64(np.rint(slant.ways[line, 3] * slant.step_px / size * STEPS_PER_TEXEL))
    luma, share = np.float32(meadow.luma), np.float32(1 / STEPS_PER_TEXEL)
    for i in range(len(out)):
        x, y = (u >> 16) & mask, (v >> 16) & mask
        right, below = np.float32(u & 65535) * share, np.float32(v & 65535) * share
        next_x, upper, lower = (x + 1) & mask, y * side, ((y + 1) & mask) * side
        first = tile[upper + x] + right * (tile[upper + next_x] - tile[upper + x])
        second = tile[lower + x] + right * (tile[lower + next_x] - tile[lower + x])
        out[i] = luma + contrast * (first + below * (second - first))
        u, v = u + du, v + dv


@kernel
def _draw(samples: Cells, step_px: int, out: Bytes) -> None:
    half, quarter = np.float32(0.5), np.float32(0.25)
    if step_px == 2:
        for i in range(len(out) >> 1):
            out[2 * i] = np.uint8(samples[i] + half)
            out[2 * i + 1] = np.uint8(half * (samples[i] + samples[i + 1]) + half)
    else:
        for i in range(len(out) >> 2):
            start, rise = samples[i] + half, quarter * (samples[i + 1] - samples[i])
            out[4 * i] = np.uint8(start)
            out[4 * i + 1] = np.uint8(start + rise)
            out[4 * i + 2] = np.uint8(start + rise + rise)
            out[4 * i + 3] = np.uint8(start + rise + rise + rise)
        for x in range(len(out) & ~3, len(out)):
            out[x] = np.uint8(samples[x >> 2] + half)
