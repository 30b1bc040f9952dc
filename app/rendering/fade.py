"""A film comes out of the colour of the ground, and goes back into it."""

from __future__ import annotations

import numpy as np

from app.rendering.canvas import Bytes, Canvas, kernel
from app.rendering.colour import yuv_of
from app.rendering.ground import COLOUR
from app.rendering.style import FilmStyle


def fade(canvas: Canvas, share: float) -> None:
    """Leave a share of the picture, from 0 to 1; the rest becomes bare ground."""
    for plane, level in zip((canvas.luma, canvas.blue, canvas.red), yuv_of(COLOUR), strict=True):
        _blend(plane, np.float32(level), np.float32(share))


def count_fading(style: FilmStyle) -> int:
    """How many pictures fade at the start, and as many at the end."""
    return round(style.fade_s * style.fps)


def shown_share(k: int, n_frames: int, n_fading: int) -> float:
    """How much of the k-th picture is to be seen; none is bare.

    >>> [shown_share(k, 6, 1) for k in range(6)]
    [0.5, 1.0, 1.0, 1.0, 1.0, 0.5]
    """
    return min(1.0, (min(k, n_frames - 1 - k) + 1) / (n_fading + 1))


@kernel
def _blend(plane: Bytes, level: np.float32, share: np.float32) -> None:
    for row in range(plane.shape[0]):
        line = plane[row]
        for x in range(len(line)):
            line[x] = np.uint8(level + (np.float32(line[x]) - level) * share + np.float32(0.5))
