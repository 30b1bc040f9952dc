"""Finished films, as a driving simulator or a camera would leave them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

Rgb = NDArray[np.uint8]

# Three fields whose colours are told apart after any conversion.
RED, GREEN, BLUE = (200, 40, 30), (40, 160, 60), (30, 60, 180)


def three_fields(width_px: int, height_px: int) -> Rgb:
    """Red in the upper left, green in the upper right, blue below."""
    picture = np.empty((height_px, width_px, 3), np.uint8)
    picture[: height_px // 2, : width_px // 2] = RED
    picture[: height_px // 2, width_px // 2 :] = GREEN
    picture[height_px // 2 :] = BLUE
    return picture


def grey_level(number: int) -> int:
    """Tells pictures apart by their brightness; neighbours differ by at least 30 levels."""
    return 40 + 35 * (number * 2 % 5)


def make_film(
    path: Path,
    *,
    n_frames: int = 48,
    fps: int = 24,
    size_px: tuple[int, int] = (320, 180),
    paint: Callable[[int], Rgb] | None = None,
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    times: Callable[[int], int] = lambda number: number,
    codec_options: Mapping[str, str] | None = None,
    container_options: Mapping[str, str] | None = None,
    metadata: Mapping[str, str] | None = None,
    turned_deg: int | None = None,
    pixel_shape: Fraction | None = None,
    with_sound: bool = False,
    **context: Any,
) -> Path:
    """Write a film; pictures are counted in grey unless painted, and shown at times / fps."""
    width_px, height_px = size_px
    with av.open(str(path), "w", options=dict(container_options or {})) as container:
        container.metadata.update(metadata or {})
        stream: Any = container.add_stream(codec, rate=fps, options=dict(codec_options or {}))
        stream.width, stream.height, stream.pix_fmt = width_px, height_px, pix_fmt
        if turned_deg is not None:
            stream.set_display_rotation(turned_deg)
        if pixel_shape is not None:
            stream.codec_context.sample_aspect_ratio = pixel_shape
        for name, value in context.items():
            setattr(stream.codec_context, name, value)
        sound: Any = container.add_stream("aac", rate=48_000) if with_sound else None
        for number in range(n_frames):
            picture = paint(number) if paint else _grey(size_px, grey_level(number))
            frame = _in_bt709(picture, pix_fmt)
            frame.pts, frame.time_base = times(number), Fraction(1, fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if sound is not None:
            _hum(container, sound, n_frames / fps)
    return path


def _grey(size_px: tuple[int, int], level: int) -> Rgb:
    return np.full((size_px[1], size_px[0], 3), level, np.uint8)


def _in_bt709(picture: Rgb, pix_fmt: str) -> av.VideoFrame:
    return av.VideoFrame.from_ndarray(picture, "rgb24").reformat(
        format=pix_fmt, dst_colorspace="itu709", dst_color_range="MPEG"
    )


def _hum(container: Any, sound: Any, duration_s: float) -> None:
    n_samples = int(48_000 * duration_s)
    wave = np.sin(np.arange(n_samples) * 0.05).astype(np.float32)[np.newaxis]
    for start in range(0, n_samples - 1024, 1024):
        frame = av.AudioFrame.from_ndarray(wave[:, start : start + 1024], "fltp", "mono")
        frame.sample_rate, frame.pts = 48_000, start
        container.mux(sound.encode(frame))
    container.mux(sound.encode(None))
