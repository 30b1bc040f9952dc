"""Kernels that paint polygons with exact coverage straight into Y, U and V planes.

Every edge adds its signed area to the cells it passes; a running sum along the row then gives how
much of each pixel is covered. The edges that two neighbouring polygons of a layer share cancel,
so no seam shows between them. Cells are grouped in blocks of 16 × 2 pixels: a block that no edge
passes is covered evenly and filled at once, which makes large areas cheap.

All these kernels and their constants live in one file because the compiler's cache on disk asks
only whether the file of the outermost one has changed.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from app.rendering.canvas import Atlas, Bytes, Canvas, Cells, Floats, Indices, kernel

Affine = tuple[float, float, float, float, float, float]
Edge = tuple[float, float, float, float]
Paint = tuple[np.float32, np.float32, np.float32, np.float32]
# Unsigned in compiled code: a signed index costs a test for negative values each time.
Index = int | np.uint64

BLOCK_PX = 16
ONE, TWO, BLOCK = np.uint64(1), np.uint64(2), np.uint64(BLOCK_PX)
QUARTER = np.float32(0.25)
# Below half a level of the largest step between two colours there is nothing to paint.
INVISIBLE = np.float32(1 / 512)


def canvas_on(width_px: int, luma: Bytes, blue: Bytes, red: Bytes) -> Canvas:
    """A canvas on existing planes."""
    height_px, n_blocks = len(luma), width_px // BLOCK_PX + 1
    cells = np.zeros((height_px, n_blocks * BLOCK_PX), np.float32)
    touched = np.zeros((height_px // 2, n_blocks), np.uint8)
    return Canvas(width_px, luma, blue, red, cells, touched)


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
    cells, touched, points, boxes = canvas.cells, canvas.touched, atlas.points, atlas.ring_box
    left, right, top, bottom = float(width), 0.0, float(height), 0.0
    for ring in range(atlas.layer_start[layer], atlas.layer_start[layer + 1]):
        x, y, half_x, half_y = boxes[ring, 0], boxes[ring, 1], boxes[ring, 2], boxes[ring, 3]
        column, reach = a * x + b * y + c, abs(a) * half_x + abs(b) * half_y
        row, rise = d * x + e * y + f, abs(d) * half_x + abs(e) * half_y
        if column - reach >= width or column + reach <= 0:
            continue
        if row - rise >= height or row + rise <= 0:
            continue
        left, right = min(left, column - reach), max(right, column + reach)
        top, bottom = min(top, row - rise), max(bottom, row + rise)
        start, end = atlas.ring_start[ring], atlas.ring_start[ring + 1]
        _add_ring(cells, touched, float(width), float(height), points, start, end, affine)
    if top < bottom:
        paint = atlas.layer_paint[layer]
        first_block, end_block = _blocks(left, right, touched.shape[1])
        _sweep(
            canvas.luma, canvas.blue, canvas.red, cells, touched,
            np.uint64(max(top, 0.0)) >> ONE,
            (np.uint64(min(ceil(bottom), height)) + ONE) >> ONE,
            first_block, end_block, np.uint64(width),
            (paint[0], paint[1], paint[2], paint[3]),
        )  # fmt: skip


@kernel
def _blocks(left: float, right: float, n_blocks: int) -> tuple[np.uint64, np.uint64]:
    """The blocks from one column to the cell behind another."""
    first = np.uint64(max(left, 0.0)) // BLOCK
    end = (np.uint64(max(right, 0.0)) + ONE) // BLOCK + ONE
    return first, min(end, np.uint64(n_blocks))


@kernel
def _add_ring(
    cells: Cells,
    touched: Bytes,
    width: float,
    height: float,
    points: Floats,
    start: int,
    end: int,
    affine: Affine,
) -> None:
    a, b, c, d, e, f = affine
    x0 = a * points[end - 1, 0] + b * points[end - 1, 1] + c
    y0 = d * points[end - 1, 0] + e * points[end - 1, 1] + f
    for k in range(start, end):
        x1 = a * points[k, 0] + b * points[k, 1] + c
        y1 = d * points[k, 0] + e * points[k, 1] + f
        if y0 < y1:
            _add_edge(cells, touched, width, height, (x0, y0, x1, y1), 1.0)
        elif y1 < y0:
            _add_edge(cells, touched, width, height, (x1, y1, x0, y0), -1.0)
        x0, y0 = x1, y1


@kernel
def _add_edge(
    cells: Cells, touched: Bytes, width: float, height: float, edge: Edge, sign: float
) -> None:
    """Clip a downward edge to the picture; its part to the left counts along column 0."""
    x0, y0, x1, y1 = edge
    if y1 <= 0 or y0 >= height:
        return
    slope = (x1 - x0) / (y1 - y0)
    if y0 < 0:
        x0, y0 = x0 - slope * y0, 0.0
    if y1 > height:
        x1, y1 = x1 + slope * (height - y1), height
    if x0 >= width and x1 >= width:
        return
    if x0 <= 0 and x1 <= 0:
        _add_piece(cells, touched, width, 0.0, y0, y1, 0.0, sign)
        return
    if x0 < 0:
        split = min(y0 - x0 / slope, y1)
        _add_piece(cells, touched, width, 0.0, y0, split, 0.0, sign)
        x0, y0 = 0.0, split
    elif x1 < 0:
        split = min(y0 - x0 / slope, y1)
        _add_piece(cells, touched, width, 0.0, split, y1, 0.0, sign)
        y1 = split
    if x0 > width:
        x0, y0 = width, min(y0 + (width - x0) / slope, y1)
    elif x1 > width:
        y1 = min(y0 + (width - x0) / slope, y1)
    _add_piece(cells, touched, width, x0, y0, y1, slope, sign)


@kernel
def _add_piece(
    cells: Cells,
    touched: Bytes,
    width: float,
    x0: float,
    y0: float,
    y1: float,
    slope: float,
    sign: float,
) -> None:
    """Add the signed area of an edge inside the picture to the cells it passes."""
    # Conversions go through signed numbers, and rows are counted twice, because processors
    # turn unsigned numbers to floats and back several times slower.
    x, y, row = x0, y0, np.uint64(np.int64(y0))
    border = float(np.int64(y0)) + 1.0
    while y < y1:
        y_next = min(border, y1)
        x_next = min(max(x0 + slope * (y_next - y0), 0.0), width)
        area = np.float32(sign * (y_next - y))
        low, high = min(x, x_next), max(x, x_next)
        left = float(np.int64(low))
        first = np.uint64(np.int64(low))
        last = first + ONE
        if high <= left + 1.0:
            beyond = area * np.float32(0.5 * (low + high) - left)
            cells[row, first] += area - beyond
            cells[row, last] += beyond
        else:
            last = np.uint64(np.int64(ceil(high)))
            _add_slanted(cells, row, first, last, low - left, high - left, area)
        touched[row >> ONE, first // BLOCK] = 1
        for block in range(first // BLOCK + ONE, last // BLOCK + ONE):
            touched[row >> ONE, block] = 1
        x, y, row, border = x_next, y_next, row + ONE, border + 1.0


@kernel
def _add_slanted(
    cells: Cells, row: Index, first: Index, last: Index, low: float, high: float, area: np.float32
) -> None:
    """One row of an edge over several cells, from `low` to `high` behind the first cell's left.

    What the edge leaves to its right grows by a triangle, by even steps, and by a triangle.
    """
    n_cells = float(np.int64(last - first))
    step = 1 / (high - low)
    start = 0.5 * step * (1 - low) ** 2
    end = 0.5 * step * (high - n_cells + 1) ** 2
    cells[row, first] += area * np.float32(start)
    if last == first + TWO:
        cells[row, first + ONE] += area * np.float32(1 - start - end)
    else:
        second = step * (1.5 - low)
        cells[row, first + ONE] += area * np.float32(second - start)
        for column in range(first + TWO, last - ONE):
            cells[row, column] += area * np.float32(step)
        before = second + (n_cells - 3) * step
        cells[row, last - ONE] += area * np.float32(1 - before - end)
    cells[row, last] += area * np.float32(end)


@kernel
def _sweep(
    luma: Bytes,
    blue: Bytes,
    red: Bytes,
    cells: Cells,
    touched: Bytes,
    first_pair: Index,
    end_pair: Index,
    first_block: Index,
    end_block: Index,
    width: Index,
    colour: Paint,
) -> None:
    """Turn the cells of two rows into paint, and clean them."""
    for pair in range(first_pair, end_pair):
        top = pair + pair
        upper, lower = np.float32(0), np.float32(0)
        block = first_block
        while block < end_block:
            start, is_touched = block * BLOCK, touched[pair, block]
            while block < end_block and touched[pair, block] == is_touched:
                touched[pair, block] = 0
                block += ONE
            end = block * BLOCK
            inside = min(end, width)
            if is_touched:
                upper, lower = _sum_up(cells, top, start, end, upper, lower, colour[3])
                _blend_cells(luma, cells, top, start, inside, colour[0])
                _blend_cells(luma, cells, top + ONE, start, inside, colour[0])
                for x in range(start >> ONE, inside >> ONE):
                    share = cells[top, x + x] + cells[top, x + x + ONE]
                    share += cells[top + ONE, x + x] + cells[top + ONE, x + x + ONE]
                    blue[pair, x] = _blend(blue[pair, x], colour[1], QUARTER * share)
                    red[pair, x] = _blend(red[pair, x], colour[2], QUARTER * share)
                for x in range(start, end):
                    cells[top, x] = 0
                for x in range(start, end):
                    cells[top + ONE, x] = 0
            elif abs(upper) > INVISIBLE or abs(lower) > INVISIBLE:
                above = min(abs(upper), np.float32(1)) * colour[3]
                below = min(abs(lower), np.float32(1)) * colour[3]
                mean = np.float32(0.5) * (above + below)
                _blend_all(luma, top, start, inside, colour[0], above)
                _blend_all(luma, top + ONE, start, inside, colour[0], below)
                _blend_all(blue, pair, start >> ONE, inside >> ONE, colour[1], mean)
                _blend_all(red, pair, start >> ONE, inside >> ONE, colour[2], mean)


@kernel
def _sum_up(
    cells: Cells,
    top: Index,
    start: Index,
    end: Index,
    upper: np.float32,
    lower: np.float32,
    opacity: np.float32,
) -> tuple[np.float32, np.float32]:
    """Cells of two rows become shares; both at once, since each sum waits for the one before."""
    for x in range(start, end):
        upper += cells[top, x]
        lower += cells[top + ONE, x]
        cells[top, x] = min(abs(upper), np.float32(1)) * opacity
        cells[top + ONE, x] = min(abs(lower), np.float32(1)) * opacity
    return upper, lower


@kernel
def _blend_cells(
    luma: Bytes, cells: Cells, row: Index, start: Index, end: Index, colour: np.float32
) -> None:
    for x in range(start, end):
        luma[row, x] = _blend(luma[row, x], colour, cells[row, x])


@kernel
def _blend_all(
    plane: Bytes, row: Index, start: Index, end: Index, colour: np.float32, share: np.float32
) -> None:
    if share > np.float32(1) - INVISIBLE:
        value = np.uint8(colour + np.float32(0.5))
        for x in range(start, end):
            plane[row, x] = value
    else:
        for x in range(start, end):
            plane[row, x] = _blend(plane[row, x], colour, share)


@kernel
def _blend(before: np.uint8, colour: np.float32, share: np.float32) -> np.uint8:
    value = np.float32(before)
    return np.uint8(value + (colour - value) * share + np.float32(0.5))
