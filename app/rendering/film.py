"""A scene becomes a video: the only door to this room."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass

import av
import numpy as np
from numpy.typing import NDArray

from app.rendering import encoder
from app.rendering.canvas import Bytes, Canvas
from app.rendering.colour import rgb_picture
from app.rendering.fade import count_fading, fade, shown_share
from app.rendering.painter import Painter, prepare
from app.rendering.raster import canvas_on
from app.rendering.style import FilmStyle, check_style
from app.rendering.window import check_ego_is_there, ego_of, picture_times_s
from app.scenes.scene import Scene

# Change it with every change to how a film looks: it is part of every film's key.
RENDERER_VERSION = "5"


@dataclass(frozen=True, slots=True)
class Video:
    """An MP4 and what is in it."""

    data: bytes
    duration_s: float
    n_frames: int
    width_px: int
    height_px: int
    fps: int


def film(
    scene: Scene, style: FilmStyle, *, on_frame: Callable[[int, int], None] | None = None
) -> Video:
    """Film a scene from above its ego; the same scene and style give the same bytes.

    `on_frame(done, total)` is told after each picture. Raises ValueError with one sentence for
    what cannot be filmed: a film never shows a place where the ego is not known to have been.
    """
    check_style(style)
    ego = ego_of(scene)
    times_s = picture_times_s(ego, style)
    return shoot(prepare(scene, ego, style, times_s), len(times_s), on_frame)


def shoot(
    painter: Painter, n_frames: int, on_frame: Callable[[int, int], None] | None = None
) -> Video:
    """All pictures of a painter, one after the other."""
    style = painter.style
    pictures = _pictures(painter, n_frames, on_frame or (lambda done, total: None))
    data = encoder.encode(pictures, style.width_px, style.height_px, style.fps)
    return Video(data, n_frames / style.fps, n_frames, style.width_px, style.height_px, style.fps)


def film_key(scene_hash: str, style: FilmStyle) -> str:
    """Hex name of a film: equal exactly if scene, style and everything that renders are equal."""
    return content_key({"scene": scene_hash, "renderer": RENDERER_VERSION}, style)


def content_key(source: Mapping[str, str], style: FilmStyle) -> str:
    """Hex name of what comes of a source in a style, with these libraries and this encoder."""
    parts = {
        **source,
        "style": asdict(style),
        "av": av.__version__,
        "libraries": av.library_versions,
        "codec": [encoder.CODEC, encoder.SECONDS_PER_GROUP, encoder.CODEC_OPTIONS],
        "container": [encoder.CONTAINER_OPTIONS, encoder.STREAM_FILTER],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def render_frame(scene: Scene, style: FilmStyle, time_s: float) -> NDArray[np.uint8]:
    """(height, width, 3) RGB still at a time of the scene."""
    check_style(style)
    ego = ego_of(scene)
    times_s = np.array([time_s])
    check_ego_is_there(ego, times_s)
    return rgb_picture(*paint_still(prepare(scene, ego, style, times_s)))


def paint_still(painter: Painter) -> tuple[Bytes, Bytes, Bytes]:
    """The planes of a painter's first picture."""
    height_px, width_px = painter.style.height_px, painter.style.width_px
    luma = np.empty((height_px, width_px), np.uint8)
    blue, red = np.empty((2, height_px // 2, width_px // 2), np.uint8)
    painter.paint(canvas_on(width_px, luma, blue, red), 0)
    return luma, blue, red


def _pictures(
    painter: Painter, n_frames: int, on_frame: Callable[[int, int], None]
) -> Iterator[av.VideoFrame]:
    style = painter.style
    frame = av.VideoFrame(style.width_px, style.height_px, "yuv420p")
    canvas = canvas_on_frame(frame)
    n_fading = count_fading(style)
    for k in range(n_frames):
        painter.paint(canvas, k)
        if (share := shown_share(k, n_frames, n_fading)) < 1:
            fade(canvas, share)
        yield frame
        on_frame(k + 1, n_frames)


def canvas_on_frame(frame: av.VideoFrame) -> Canvas:
    """A canvas on the encoder's own memory, so that no picture is ever copied or converted."""

    def rows(plane: int) -> Bytes:
        part = frame.planes[plane]
        return np.frombuffer(memoryview(part), np.uint8).reshape(-1, part.line_size)

    return canvas_on(frame.width, rows(0)[: frame.height], rows(1), rows(2))
