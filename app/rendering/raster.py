"""Kernels that paint polygons with exact coverage straight into Y, U and V planes.

Every edge adds its signed area to the cells it passes; a running sum along the row then gives how
much of each pixel is covered. The edges that two neighbouring polygons of a layer share cancel,
so no seam shows between them. Cells are grouped in blocks of 16 × 2 pixels: a block that no edge
passes is covered evenly and filled at once, which makes large areas cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Indices = NDArray[np.int32]
Affine = tuple[float, float, float, float, float, float]

BLOCK_PX = 16
# Below half a level of the largest step between two colours there is nothing to paint.
INVISIBLE = np.float32(1 / 512)

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile at the first call, keep the machine code on disk, and run without the GIL."""
    return cast(Function, njit(cache=True, nogil=True, fastmath=False)(function))


class Canvas(NamedTuple):
    """Three planes to paint on, and scratch space that is clean between calls.

    `luma` is (height, stride), `blue` and `red` are half of that each way; only the first
    `width_px` columns (half as many of colour) belong to the picture. A tuple because kernels
    take tuples.
    """

    width_px: int
    luma: Bytes
    blue: Bytes
    red: Bytes
    cells: NDArray[np.float32]
    shares: NDArray[np.float32]
    touched: Bytes


class Atlas(NamedTuple):
    """Sprites made of layers made of rings, in flat arrays.

    Ring r is `points[ring_start[r]:ring_start[r + 1]]`, and likewise for the rings of a layer
    and the layers of a sprite. `ring_box` is (n_rings, 4): centre and half size.
    `layer_paint` is (n_layers, 4): luma, blue, red, opacity.
    """

    points: Floats
    ring_start: Indices
    ring_box: Floats
    layer_start: Indices
    layer_paint: NDArray[np.float32]
    sprite_start: Indices


def canvas_on(width_px: int, luma: Bytes, blue: Bytes, red: Bytes) -> Canvas:
    """A canvas on existing planes."""
    height_px, n_blocks = len(luma), width_px // BLOCK_PX + 1
    cells = np.zeros((height_px, n_blocks * BLOCK_PX), np.float32)
    touched = np.zeros((height_px // 2, n_blocks), np.uint8)
    return Canvas(width_px, luma, blue, red, cells, np.zeros((3, BLOCK_PX), np.float32), touched)


@kernel
def paint_sprites(canvas: Canvas, atlas: Atlas, sprites: Indices, affines: Floats) -> None:
    """Paint `sprites[i]` through `affines[i]`, in order, each layer over the one before."""
    for i in range(len(sprites)):
        m = affines[i]
        affine = (m[0], m[1], m[2], m[3], m[4], m[5])
        for layer in range(atlas.sprite_start[sprites[i]], atlas.sprite_start[sprites[i] + 1]):
            _paint_layer(canvas, atlas, layer, affine)


@kernel
def _paint_layer(canvas: Canvas, atlas: Atlas, layer: int, affine: Affine) -> None:
    a, b, c, d, e, f = affine
    width, height = canvas.width_px, canvas.luma.shape[0]
    left, top, bottom = float(width), float(height), 0.0
    for ring in range(atlas.layer_start[layer], atlas.layer_start[layer + 1]):
        x, y = atlas.ring_box[ring, 0], atlas.ring_box[ring, 1]
        half_x, half_y = atlas.ring_box[ring, 2], atlas.ring_box[ring, 3]
        column, reach = a * x + b * y + c, abs(a) * half_x + abs(b) * half_y
        row, rise = d * x + e * y + f, abs(d) * half_x + abs(e) * half_y
        if column - reach >= width or column + reach <= 0:
            continue
        if row - rise >= height or row + rise <= 0:
            continue
        left = min(left, column - reach)
        top, bottom = min(top, row - rise), max(bottom, row + rise)
        start, end = atlas.ring_start[ring], atlas.ring_start[ring + 1]
        _add_ring(canvas, atlas.points[start:end], affine)
    if top < bottom:
        first_block = int(max(left, 0.0)) // BLOCK_PX
        first_pair = int(max(top, 0.0)) // 2
        end_pair = (min(ceil(bottom), height) + 1) // 2
        _sweep(canvas, first_block, first_pair, end_pair, atlas.layer_paint[layer])


@kernel
def _add_ring(canvas: Canvas, points: Floats, affine: Affine) -> None:
    a, b, c, d, e, f = affine
    last = len(points) - 1
    x0 = a * points[last, 0] + b * points[last, 1] + c
    y0 = d * points[last, 0] + e * points[last, 1] + f
    for k in range(len(points)):
        x1 = a * points[k, 0] + b * points[k, 1] + c
        y1 = d * points[k, 0] + e * points[k, 1] + f
        if y0 < y1:
            _add_edge(canvas, x0, y0, x1, y1, 1.0)
        elif y1 < y0:
            _add_edge(canvas, x1, y1, x0, y0, -1.0)
        x0, y0 = x1, y1


@kernel
def _add_edge(canvas: Canvas, x0: float, y0: float, x1: float, y1: float, sign: float) -> None:
    """Clip a downward edge to the picture; its part to the left counts along column 0."""
    width, height = float(canvas.width_px), float(canvas.luma.shape[0])
    if y1 <= 0 or y0 >= height or (x0 >= width and x1 >= width):
        return
    slope = (x1 - x0) / (y1 - y0)
    if y0 < 0:
        x0, y0 = x0 - slope * y0, 0.0
    if y1 > height:
        x1, y1 = x1 + slope * (height - y1), height
    if x0 <= 0 and x1 <= 0:
        _add_piece(canvas, 0.0, y0, y1, 0.0, sign)
        return
    if x0 < 0:
        split = min(y0 - x0 / slope, y1)
        _add_piece(canvas, 0.0, y0, split, 0.0, sign)
        x0, y0 = 0.0, split
    elif x1 < 0:
        split = min(y0 - x0 / slope, y1)
        _add_piece(canvas, 0.0, split, y1, 0.0, sign)
        y1 = split
    if x0 > width:
        x0, y0 = width, min(y0 + (width - x0) / slope, y1)
    elif x1 > width:
        y1 = min(y0 + (width - x0) / slope, y1)
    _add_piece(canvas, x0, y0, y1, slope, sign)


@kernel
def _add_piece(canvas: Canvas, x0: float, y0: float, y1: float, slope: float, sign: float) -> None:
    """Add the signed area of an edge inside the picture to the cells it passes."""
    width, cells = float(canvas.width_px), canvas.cells
    x, y, row = x0, y0, int(y0)
    while y < y1:
        y_next = min(float(row + 1), y1)
        x_next = min(max(x0 + slope * (y_next - y0), 0.0), width)
        area = np.float32(sign * (y_next - y))
        low, high = min(x, x_next), max(x, x_next)
        first, last = int(low), ceil(high)
        if last <= first + 1:
            beyond = np.float32(0.5 * (low + high) - first)
            cells[row, first] += area * (np.float32(1) - beyond)
            cells[row, first + 1] += area * beyond
            last = first + 1
        else:
            _add_slanted(cells[row], first, last, low, high, area)
        for block in range(first // BLOCK_PX, last // BLOCK_PX + 1):
            canvas.touched[row >> 1, block] = 1
        x, y, row = x_next, y_next, row + 1


@kernel
def _add_slanted(
    cells: NDArray[np.float32], first: int, last: int, low: float, high: float, area: np.float32
) -> None:
    """One row of an edge that passes several cells: a triangle, a ramp, a triangle."""
    step = 1 / (high - low)
    start = 0.5 * step * (first + 1 - low) ** 2
    end = 0.5 * step * (high - last + 1) ** 2
    cells[first] += area * np.float32(start)
    if last == first + 2:
        cells[first + 1] += area * np.float32(1 - start - end)
    else:
        second = step * (first + 1.5 - low)
        cells[first + 1] += area * np.float32(second - start)
        for column in range(first + 2, last - 1):
            cells[column] += area * np.float32(step)
        before = second + (last - first - 3) * step
        cells[last - 1] += area * np.float32(1 - before - end)
    cells[last] += area * np.float32(end)


@kernel
def _sweep(
    canvas: Canvas, first_block: int, first_pair: int, end_pair: int, paint: NDArray[np.float32]
) -> None:
    """Turn the cells of some pairs of rows into paint, and clean them."""
    touched = canvas.touched
    n_blocks = touched.shape[1]
    for pair in range(first_pair, end_pair):
        upper, lower = np.float32(0), np.float32(0)
        block = first_block
        while block < n_blocks:
            start = block * BLOCK_PX
            if touched[pair, block]:
                touched[pair, block] = 0
                upper, lower = _paint_block(canvas, pair, start, upper, lower, paint)
                block += 1
                continue
            block += 1
            while block < n_blocks and not touched[pair, block]:
                block += 1
            if abs(upper) > INVISIBLE or abs(lower) > INVISIBLE:
                end = min(block * BLOCK_PX, canvas.width_px)
                _paint_span(canvas, pair, start, end, upper, lower, paint)


@kernel
def _paint_block(
    canvas: Canvas,
    pair: int,
    start: int,
    upper: np.float32,
    lower: np.float32,
    paint: NDArray[np.float32],
) -> tuple[np.float32, np.float32]:
    """Paint one block and return the running sums behind it."""
    top, end = 2 * pair, start + BLOCK_PX
    shares_above, shares_below = canvas.shares[0], canvas.shares[1]
    upper = _take_shares(canvas.cells[top, start:end], shares_above, upper, paint[3])
    lower = _take_shares(canvas.cells[top + 1, start:end], shares_below, lower, paint[3])
    if start >= canvas.width_px:
        return upper, lower
    _blend_block(canvas.luma[top, start:end], paint[0], shares_above)
    _blend_block(canvas.luma[top + 1, start:end], paint[0], shares_below)
    colour_shares = canvas.shares[2]
    for k in range(BLOCK_PX // 2):
        above = shares_above[2 * k] + shares_above[2 * k + 1]
        below = shares_below[2 * k] + shares_below[2 * k + 1]
        colour_shares[k] = np.float32(0.25) * (above + below)
    blue = canvas.blue[pair, start >> 1 : end >> 1]
    red = canvas.red[pair, start >> 1 : end >> 1]
    for k in range(BLOCK_PX // 2):
        blue[k] = _blend(blue[k], paint[1], colour_shares[k])
        red[k] = _blend(red[k], paint[2], colour_shares[k])
    return upper, lower


@kernel
def _take_shares(
    cells: NDArray[np.float32], shares: NDArray[np.float32], total: np.float32, opacity: np.float32
) -> np.float32:
    for k in range(BLOCK_PX):
        total += cells[k]
        shares[k] = min(abs(total), np.float32(1)) * opacity
        cells[k] = np.float32(0)
    return total


@kernel
def _blend_block(values: Bytes, colour: np.float32, shares: NDArray[np.float32]) -> None:
    for k in range(BLOCK_PX):
        values[k] = _blend(values[k], colour, shares[k])


@kernel
def _paint_span(
    canvas: Canvas,
    pair: int,
    start: int,
    end: int,
    upper: np.float32,
    lower: np.float32,
    paint: NDArray[np.float32],
) -> None:
    above = min(abs(upper), np.float32(1)) * paint[3]
    below = min(abs(lower), np.float32(1)) * paint[3]
    mean = np.float32(0.5) * (above + below)
    _blend_all(canvas.luma[2 * pair, start:end], paint[0], above)
    _blend_all(canvas.luma[2 * pair + 1, start:end], paint[0], below)
    _blend_all(canvas.blue[pair, start >> 1 : end >> 1], paint[1], mean)
    _blend_all(canvas.red[pair, start >> 1 : end >> 1], paint[2], mean)


@kernel
def _blend_all(values: Bytes, colour: np.float32, share: np.float32) -> None:
    if share > np.float32(1) - INVISIBLE:
        values[:] = np.uint8(colour + np.float32(0.5))
        return
    for k in range(len(values)):
        values[k] = _blend(values[k], colour, share)


@kernel
def _blend(before: np.uint8, colour: np.float32, share: np.float32) -> np.uint8:
    value = np.float32(before)
    return np.uint8(value + (colour - value) * share + np.float32(0.5))
