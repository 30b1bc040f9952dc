"""A small moving picture of a clip, made of its file, whatever the clip was made of."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import av
import numpy as np
from av.video.reformatter import Interpolation

from app.rendering.stills import encode_png

SIDE_PX = 320
FPS = 8
LOOP_S = 2.5
# How a clip begins and ends (still, or fading) is not what happens in it.
MARGIN_S = 0.5
# All pictures of a longer film would not fit into a worker's memory.
LOOKED_AT_S = 60.0
MAX_BYTES = 150_000
# Tried in this order until the file is small enough; the last is taken as it is.
QUALITIES = (60, 40, 20, 5)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """An animation that repeats for ever, and its first picture for who wants no motion."""

    data: bytes
    still_png: bytes
    media_type: str
    width_px: int
    height_px: int
    n_frames: int


def thumbnail(video: bytes) -> Thumbnail:
    """The part of a clip's first minute in which most changes, as an animated WebP.

    Raises ValueError if the bytes hold no picture.
    """
    frames = _most_changing(list(_small_frames(video)))
    if not frames:
        raise ValueError("the film has no picture to make a thumbnail of")
    for quality in QUALITIES:
        data = _animation(frames, quality)
        if len(data) <= MAX_BYTES:
            break
    first = frames[0]
    still = encode_png(np.asarray(first.to_ndarray()[..., 2::-1], np.uint8))
    return Thumbnail(data, still, "image/webp", first.width, first.height, len(frames))


def _small_frames(video: bytes) -> Iterator[av.VideoFrame]:
    """Eight pictures per second of the first minute, scaled down; at least the first."""
    due_s = 0.0
    try:
        with av.open(io.BytesIO(video), "r") as container:
            for frame in container.decode(video=0):
                if due_s >= LOOKED_AT_S:
                    return
                if frame.time is None or frame.time >= due_s - 1e-6:
                    due_s += 1 / FPS
                    yield _scaled(frame)
    except (av.FFmpegError, IndexError) as error:
        raise ValueError(f"the film cannot be read: {error}") from error


def _scaled(frame: av.VideoFrame) -> av.VideoFrame:
    share = SIDE_PX / max(frame.width, frame.height)
    return frame.reformat(
        width=max(2, round(frame.width * share)),
        height=max(2, round(frame.height * share)),
        format="bgra",
        src_colorspace="ITU709",
        interpolation=Interpolation.AREA,
    )


def _most_changing(frames: Sequence[av.VideoFrame]) -> Sequence[av.VideoFrame]:
    """The pictures of the loop: as many in a row as it lasts, between the margins if they fit."""
    n_loop, margin = round(LOOP_S * FPS), round(MARGIN_S * FPS)
    if len(frames) > n_loop + 2 * margin:
        frames = frames[margin:-margin]
    if len(frames) <= n_loop:
        return frames
    changes = [_change(*pair) for pair in pairwise(frames)]
    start = int(np.convolve(changes, np.ones(n_loop - 1), mode="valid").argmax())
    return frames[start : start + n_loop]


def _change(before: av.VideoFrame, after: av.VideoFrame) -> float:
    """Mean difference of the colours, 0 to 255."""
    difference = after.to_ndarray()[..., :3].astype(np.int16) - before.to_ndarray()[..., :3]
    return float(np.abs(difference).mean())


def _animation(frames: Sequence[av.VideoFrame], quality: int) -> bytes:
    file = io.BytesIO()
    options = {"loop": "0", "fflags": "+bitexact"}
    with av.open(file, "w", format="webp", options=options) as container:
        codec = {"quality": str(quality), "compression_level": "4"}
        stream = container.add_stream("libwebp_anim", rate=FPS, options=codec)
        context = stream.codec_context
        context.width, context.height = frames[0].width, frames[0].height
        context.pix_fmt, context.time_base = "bgra", Fraction(1, FPS)
        for k, frame in enumerate(frames):
            frame.pts, frame.time_base = k, Fraction(1, FPS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()
