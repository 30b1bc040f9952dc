"""A finished film becomes a clip: looked through whole, then filmed again in the study's style."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import av

from app.rendering import encoder
from app.rendering.fade import count_fading, fade, shown_share
from app.rendering.film import Video, canvas_on_frame, content_key
from app.rendering.footage_file import FootageError, Picture, open_footage
from app.rendering.footage_picture import (
    Projector,
    matrix_of,
    place_within,
    planes_of,
    shown_size_px,
)
from app.rendering.style import MAX_DURATION_S, MAX_FPS, FilmStyle, check_style
from app.rendering.window import times_of_pictures_s
from app.scenes.scene import Floats

# Change it with every change to how footage looks: it is part of every such film's key.
PROJECTOR_VERSION = "2"
MIN_DURATION_S = 1.0
CLOCK_S = 0.001  # WebM counts in milliseconds
# So a film of ten seconds may be a little shorter.
END_TOLERANCE_S = 0.01
RATE_TOLERANCE = 0.002  # 29.97 pictures per second are as good as 30


@dataclass(frozen=True, slots=True)
class FootageFacts:
    """What a finished film is, after every picture of it was decoded."""

    width_px: int  # as shown: upright, in square pixels
    height_px: int
    frames_per_s: float  # on average
    duration_s: float
    n_frames: int
    codec: str
    has_sound: bool
    size_bytes: int


def inspect_footage(source: Path | BinaryIO) -> FootageFacts:
    """Decode the whole film; FootageError with one sentence if it cannot be used.

    What is told apart rightly and kept: turned pictures, pixels that are not square, uneven
    frame rates, 10 bits per colour, the range and the matrix of the colours. What is refused:
    interlaced, HDR, wide-gamut, mirrored, damaged films, and what is too large, long or short.
    """
    with open_footage(source) as footage:
        if footage.declared_s > MAX_DURATION_S + 1:
            raise _wrong_duration(footage.declared_s)
        size_px, end_s, n_frames = (0, 0), 0.0, 0
        for picture in footage.pictures():
            if n_frames == 0:
                size_px = shown_size_px(picture.frame, footage.pixel_shape)
                matrix_of(picture.frame)  # refuses what could not be shown
            end_s, n_frames = picture.time_s + picture.duration_s, n_frames + 1
        if n_frames == 0:
            raise FootageError("the film has no pictures")
        if not MIN_DURATION_S <= end_s <= MAX_DURATION_S + END_TOLERANCE_S:
            raise _wrong_duration(end_s)
        rate = n_frames / end_s
        if rate > MAX_FPS + 1:
            raise FootageError(f"the film has more than {MAX_FPS} pictures per second")
        codec = footage.stream.codec_context.name
        return FootageFacts(
            *size_px, rate, end_s, n_frames, codec, footage.has_sound, footage.size_bytes
        )


def check_window(duration_s: float, style: FilmStyle) -> None:
    """Raise FootageError if a film of this length does not cover the style's window."""
    start_s, wanted_s = style.start_s or 0.0, style.duration_s or 0.0
    if start_s < 0:
        raise FootageError(f"the window starts at {start_s:g} s, before the film does")
    if start_s + wanted_s > duration_s + END_TOLERANCE_S or start_s >= duration_s:
        raise FootageError(
            f"the window from {start_s:g} s to {start_s + wanted_s:g} s is not within the film, "
            f"which is {duration_s:.4g} s long"
        )


def remarks_on(facts: FootageFacts, style: FilmStyle) -> list[str]:
    """What a researcher should know of how the film changes when it is filmed again."""
    place = place_within((facts.width_px, facts.height_px), style.width_px, style.height_px)
    told = []
    if (place.width_px, place.height_px) != (style.width_px, style.height_px):
        told.append(
            f"The film is {facts.width_px} × {facts.height_px} px; around it the picture of "
            f"{style.width_px} × {style.height_px} px is black."
        )
    if abs(facts.frames_per_s - style.fps) > RATE_TOLERANCE * style.fps:
        told.append(
            f"The film has {facts.frames_per_s:.4g} pictures per second and is shown with "
            f"{style.fps}: some are shown longer than others, or left out."
        )
    if facts.has_sound:
        told.append("The film's sound is left out.")
    return told


def refilm(
    source: Path | BinaryIO,
    style: FilmStyle,
    *,
    on_frame: Callable[[int, int], None] = lambda done, total: None,
) -> Video:
    """The film's window in the size, rate, colours and encoding of every other clip.

    It stands still and fades as a filmed scene does, so that nobody can tell them apart by it.
    Only pictures are taken over, so that no sound and no metadata are. A picture is shown from
    the moment of the new film that is nearest to its own until the next one's; where the aspect
    ratio differs, bars are black. The same file and style give the same bytes.
    """
    check_style(style)
    duration_s = style.duration_s
    if duration_s is None:
        duration_s = inspect_footage(source).duration_s - (style.start_s or 0.0)
    times_s = times_of_pictures_s(style, style.start_s or 0.0, duration_s)
    with open_footage(source) as footage:
        projector = Projector(footage.pixel_shape, style.width_px, style.height_px)
        shown = _shown(footage.pictures(), times_s, style)
        frames = _faded(_projected(shown, projector), len(times_s), style, on_frame)
        data = encoder.encode(frames, style.width_px, style.height_px, style.fps)
    n_frames = len(times_s)
    return Video(data, n_frames / style.fps, n_frames, style.width_px, style.height_px, style.fps)


def refilm_key(footage_hash: str, style: FilmStyle) -> str:
    """Hex name of the new film: equal exactly if footage, style and all that renders are equal."""
    return content_key({"footage": footage_hash, "projector": PROJECTOR_VERSION}, style)


def _wrong_duration(duration_s: float) -> FootageError:
    return FootageError(
        f"the film is {duration_s:.4g} s long; it must be {MIN_DURATION_S:g} to "
        f"{MAX_DURATION_S:g} s"
    )


def _shown(
    pictures: Iterator[Picture], times_s: Floats, style: FilmStyle
) -> Iterator[av.VideoFrame]:
    """For each time the last picture that starts by then, or less than half a step later."""
    ahead_s = 0.5 / style.fps - CLOCK_S
    now, following = next(pictures, None), next(pictures, None)
    if now is None:
        raise FootageError("the film has no pictures")
    for time_s in times_s:
        while following is not None and following.time_s <= time_s + ahead_s:
            now, following = following, next(pictures, None)
        yield now.frame
    if following is None:
        check_window(now.time_s + now.duration_s, style)


def _projected(frames: Iterator[av.VideoFrame], projector: Projector) -> Iterator[av.VideoFrame]:
    last = None
    for frame in frames:
        if frame is not last:
            projector.show(frame)
        last = frame
        yield projector.screen


def _faded(
    screens: Iterator[av.VideoFrame],
    n_frames: int,
    style: FilmStyle,
    on_frame: Callable[[int, int], None],
) -> Iterator[av.VideoFrame]:
    # Of its own: the bars and a picture that is shown for long are painted on the screen once.
    fading = av.VideoFrame(style.width_px, style.height_px, "yuv420p")
    n_fading = count_fading(style)
    for k, screen in enumerate(screens):
        share = shown_share(k, n_frames, n_fading)
        if share < 1:
            for source, target in zip(planes_of(screen), planes_of(fading), strict=True):
                target[:] = source
            fade(canvas_on_frame(fading), share)
        yield fading if share < 1 else screen
        on_frame(k + 1, n_frames)
