"""One picture of the film that raters would see of a scene."""

from __future__ import annotations

import av
import numpy as np
from numpy.typing import NDArray

from app.rendering.film import render_frame
from app.rendering.style import FilmStyle
from app.rendering.window import ego_of
from app.scenes.scene import Scene

STILL_STYLE = FilmStyle(width_px=960, height_px=540)


def still_png(scene: Scene) -> bytes:
    """The picture in the middle of the ego's time; ValueError for what cannot be filmed."""
    ego = ego_of(scene)
    times_s = ego.time_s[ego.valid]
    picture = render_frame(scene, STILL_STYLE, float(times_s[len(times_s) // 2]))
    return encode_png(picture)


def encode_png(picture: NDArray[np.uint8]) -> bytes:
    """(height, width, 3) RGB as a PNG file."""
    codec = av.CodecContext.create("png", "w")
    codec.height, codec.width = picture.shape[:2]
    codec.pix_fmt = "rgb24"
    codec.time_base = 1  # type: ignore[assignment]
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
    frame.pts = 0
    packets = [*codec.encode(frame), *codec.encode(None)]
    return b"".join(bytes(packet) for packet in packets)
