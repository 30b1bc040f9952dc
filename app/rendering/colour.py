"""BT.709 limited range, the colours of high-definition video."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# ITU-R BT.709-6, items 3.2-3.4: luma weights, and the scale of the two colour differences.
RED_WEIGHT, GREEN_WEIGHT, BLUE_WEIGHT = 0.2126, 0.7152, 0.0722
BLUE_DIFFERENCE, RED_DIFFERENCE = 1.8556, 1.5748


def rgb_of(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of #RRGGBB, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """`colour` with a share of `other` stirred in, 0 to 1.

    >>> mix("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    pairs = zip(rgb_of(colour), rgb_of(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def yuv_of(colour: str) -> tuple[float, float, float]:
    """Luma 16-235 and the two colour differences 16-240, unrounded.

    >>> yuv_of("#FFFFFF")
    (235.0, 128.0, 128.0)
    >>> [round(value) for value in yuv_of("#FF0000")]
    [63, 102, 240]
    """
    red, green, blue = (value / 255 for value in rgb_of(colour))
    luma = RED_WEIGHT * red + GREEN_WEIGHT * green + BLUE_WEIGHT * blue
    return (
        16 + 219 * luma,
        128 + 224 * (blue - luma) / BLUE_DIFFERENCE,
        128 + 224 * (red - luma) / RED_DIFFERENCE,
    )


def rgb_picture(
    luma: NDArray[np.uint8], blue: NDArray[np.uint8], red: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """(height, width, 3) RGB of a (height, width) luma plane and two planes of half its size."""
    y = (luma.astype(np.float32) - 16) / 219
    u, v = (
        (plane.astype(np.float32).repeat(2, axis=0).repeat(2, axis=1) - 128) / 224
        for plane in (blue, red)
    )
    r, b = y + RED_DIFFERENCE * v, y + BLUE_DIFFERENCE * u
    g = (y - RED_WEIGHT * r - BLUE_WEIGHT * b) / GREEN_WEIGHT
    return np.clip(np.stack([r, g, b], axis=-1) * 255 + 0.5, 0, 255).astype(np.uint8)
