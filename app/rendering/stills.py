"""One picture of a film as a PNG file."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from app.rendering.film import render_frame
from app.rendering.style import FilmStyle
from app.scenes.scene import Scene

SIGNATURE = b"\x89PNG\r\n\x1a\n"
BITS_PER_CHANNEL, TRUE_COLOUR = 8, 2
SUB_FILTER = 1
COMPRESSION = 6


def still_png(scene: Scene, style: FilmStyle, time_s: float) -> bytes:
    """What the film shows at a time of the scene; the same bytes every time.

    Raises ValueError with one sentence for what cannot be filmed.
    """
    return encode_png(render_frame(scene, style, time_s))


def encode_png(picture: NDArray[np.uint8]) -> bytes:
    """(height, width, 3) RGB as a PNG file that holds nothing but the picture (ISO/IEC 15948)."""
    height_px, width_px, _ = picture.shape
    header = struct.pack(">IIBBBBB", width_px, height_px, BITS_PER_CHANNEL, TRUE_COLOUR, 0, 0, 0)
    # Pictures are flat areas: what is kept is the difference to the pixel on the left.
    rows = np.empty((height_px, 1 + 3 * width_px), np.uint8)
    rows[:, 0] = SUB_FILTER
    rows[:, 1:4] = picture[:, 0]
    rows[:, 4:] = (picture[:, 1:] - picture[:, :-1]).reshape(height_px, -1)
    pixels = zlib.compress(rows.tobytes(), COMPRESSION)
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)
