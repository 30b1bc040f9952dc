"""Pictures to an MP4 that browsers start at once and show in the right colours."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
from av.bitstream import BitStreamFilterContext
from av.container import OutputContainer
from av.video.stream import VideoStream

CODEC = "libx264"
SECONDS_PER_GROUP = 2
# One thread: the bytes must not depend on the machine. The rest is x264's fastest preset with
# the few tools back that pay: entropy coding, a little motion search, and deblocking.
CODEC_OPTIONS = {
    "preset": "ultrafast",
    "profile": "main",
    "crf": "24",
    "x264-params": "bframes=3:b-adapt=0:cabac=1:subme=1:no-deblock=0:threads=1",
    "color_primaries": "bt709",
    "color_trc": "bt709",
    "colorspace": "bt709",
    "color_range": "tv",
}
# bitexact: no names or versions of programs; faststart: the index before the pictures.
CONTAINER_OPTIONS = {"movflags": "+faststart", "fflags": "+bitexact"}
# x264 signs its streams in a message of type 6 (SEI), which no player needs.
STREAM_FILTER = "filter_units=remove_types=6"


def encode(pictures: Iterable[av.VideoFrame], width_px: int, height_px: int, fps: int) -> bytes:
    """The file; a picture may be painted over as soon as the next one is asked for."""
    with tempfile.TemporaryDirectory(prefix="film-") as folder:
        path = Path(folder) / "film.mp4"
        # The index can only be moved to the front of a real file.
        with av.open(str(path), "w", format="mp4", options=CONTAINER_OPTIONS) as container:
            stream = _add_stream(container, width_px, height_px, fps)
            messages_out = BitStreamFilterContext(STREAM_FILTER, "h264")
            for k, picture in enumerate(pictures):
                picture.pts = k
                for packet in stream.encode(picture):
                    container.mux(messages_out.filter(packet))
            for packet in stream.encode(None):
                container.mux(messages_out.filter(packet))
            container.mux(messages_out.filter(None))
        return path.read_bytes()


def _add_stream(container: OutputContainer, width_px: int, height_px: int, fps: int) -> VideoStream:
    stream = cast(VideoStream, container.add_stream(CODEC, rate=fps, options=CODEC_OPTIONS))
    context = stream.codec_context
    context.width, context.height, context.pix_fmt = width_px, height_px, "yuv420p"
    context.time_base = Fraction(1, fps)
    context.gop_size = SECONDS_PER_GROUP * fps
    context.thread_count = 1
    return stream
