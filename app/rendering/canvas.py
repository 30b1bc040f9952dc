"""What the kernels work on: planes to paint on, sprites to paint, and how a kernel is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Cells = NDArray[np.float32]
Indices = NDArray[np.int32]

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
    cells: Cells
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
