"""Finished films are decoded picture by picture; a damaged, odd or hostile file is a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, cast

import av
from av.container import InputContainer
from av.error import FFmpegError
from av.sidedata.sidedata import SideDataContainer
from av.sidedata.sidedata import Type as SideData
from av.stream import Disposition
from av.video.stream import VideoStream

from app.rendering.film_marks import is_matroska, is_quicktime
from app.rendering.style import MAX_DURATION_S, MAX_FPS

MAX_BYTES = 200_000_000
MAX_SIDE_PX, MAX_PIXELS = 3840, 3840 * 2160
# Decoders are the part that strangers' files attack; these are what people record with.
CODECS = {"h264", "hevc", "av1", "libdav1d", "vp8", "vp9", "libvpx", "libvpx-vp9", "mpeg4", "mjpeg"}
# A film may end a little before its header says; one that was cut off ends well before.
MISSING_END_S = 0.5

# ITU-T H.273: transfers that are linear, logarithmic, PQ or HLG; primaries of BT.2020 and P3.
UNSHOWABLE_TRANSFERS = {8, 9, 10, 16, 18}
WIDE_PRIMARIES = {9, 11, 12}
DOLBY_VISION = (SideData.DOVI_METADATA, SideData.DOVI_RPU_BUFFER)


class FootageError(ValueError):
    """The film cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One decoded picture, from when it is shown and for how long."""

    time_s: float  # since the film's first picture
    duration_s: float
    frame: av.VideoFrame


@dataclass(frozen=True, slots=True)
class OpenFootage:
    """An open film that has passed every check which needs no decoding."""

    container: InputContainer
    stream: VideoStream
    size_bytes: int

    @property
    def has_sound(self) -> bool:
        """Whether there is something to hear, which is left out."""
        return len(self.container.streams.audio) > 0

    @property
    def pixel_shape(self) -> Fraction:
        """Width of a pixel by its height."""
        return self.stream.sample_aspect_ratio or Fraction(1)

    @property
    def declared_s(self) -> float:
        """How long the header says the film is; 0 if it does not say."""
        tick_s = self.stream.time_base or Fraction(0)
        if self.stream.duration is not None:
            return float(self.stream.duration * tick_s)
        # Matroska says when the film ends, counted from zero and not from the first picture.
        end_s = (self.container.duration or 0) / av.time_base
        return end_s - float((self.stream.start_time or 0) * tick_s)

    def pictures(self) -> Iterator[Picture]:
        """Every picture in order; FootageError where decoding stops."""
        end_s = 0.0
        for picture in _checked(self._decoded()):
            end_s = picture.time_s + picture.duration_s
            yield picture
        if end_s < self.declared_s - MISSING_END_S:
            raise _damaged(end_s)

    def _decoded(self) -> Iterator[Picture]:
        start_s, time_s = None, 0.0
        usual_s = 1 / float(self.stream.guessed_rate or 30)
        frames = self.container.decode(self.stream)
        while True:
            try:
                frame = next(frames, None)
            except FFmpegError as error:
                raise _damaged(time_s) from error
            if frame is None:
                return
            if frame.is_corrupt or frame.pts is None or frame.time_base is None:
                raise _damaged(time_s)
            start_s = frame.time if start_s is None else start_s
            time_s = frame.time - start_s
            duration_s = float(frame.duration * frame.time_base) if frame.duration else usual_s
            yield Picture(time_s, duration_s, frame)


def side_data_of(frame: av.VideoFrame, kind: SideData) -> bytes | None:
    """What came with the picture besides its pixels."""
    found = cast(SideDataContainer, frame.side_data).get(kind)
    return None if found is None else bytes(found)


@contextmanager
def open_footage(source: Path | BinaryIO) -> Iterator[OpenFootage]:
    """The film in a file; it is read through Python, so that nothing in it opens another file."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            yield from _open(file)
    else:
        yield from _open(source)


def _open(file: BinaryIO) -> Iterator[OpenFootage]:
    size_bytes = file.seek(0, 2)
    if size_bytes > MAX_BYTES:
        raise FootageError(
            f"the film has {size_bytes / 1e6:.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read"
        )
    file.seek(0)
    demuxer = _demuxer(file.read(12))
    file.seek(0)
    try:
        container = av.open(
            file,
            "r",
            format=demuxer,
            # Also for the few pictures that are decoded while the file is opened.
            options={"max_pixels": str(MAX_PIXELS), "protocol_whitelist": "file,pipe"},
            metadata_errors="replace",
            io_open=_open_nothing,
        )
    except FFmpegError as error:
        raise FootageError("the film is damaged or was cut off: it has no index") from error
    with container:
        yield OpenFootage(container, _only_stream(container), size_bytes)


def _demuxer(head: bytes) -> str:
    """By what is in the file, never by its name; playlists and lists of files have no place."""
    if not head:
        raise FootageError("the file is empty")
    if is_quicktime(head):
        return "mov"
    if is_matroska(head):
        return "matroska"
    raise FootageError("this is no film in an MP4, MOV or WebM file")


def _open_nothing(url: str, flags: int, options: dict[str, str]) -> object:
    raise PermissionError("a film may not refer to another file")


def _only_stream(container: InputContainer) -> VideoStream:
    streams = [
        stream
        for stream in container.streams.video
        if not stream.disposition & Disposition.attached_pic
    ]
    if len(streams) != 1:
        raise FootageError(f"the file has {len(streams)} video tracks; it must have one")
    stream = streams[0]
    codec = stream.codec_context.name if stream.codec_context else "unknown"
    if codec not in CODECS:
        raise FootageError(f"the film is compressed with {codec}, which is not read; use H.264")
    _check_size(stream.codec_context.width, stream.codec_context.height)
    stream.codec_context.options = {"err_detect": "explode", "max_pixels": str(MAX_PIXELS)}
    stream.codec_context.thread_count = 1  # a worker films as many clips at once as it has cores
    return stream


def _check_size(width_px: int, height_px: int) -> None:
    if not 0 < width_px * height_px <= MAX_PIXELS or max(width_px, height_px) > MAX_SIDE_PX:
        raise FootageError(
            f"the picture is {width_px} × {height_px} px; it may have up to {MAX_SIDE_PX} × "
            f"{MAX_PIXELS // MAX_SIDE_PX} px"
        )


def _checked(pictures: Iterator[Picture]) -> Iterator[Picture]:
    """The pictures as long as each follows the one before, in the same form."""
    first, last_s = None, 0.0
    for number, picture in enumerate(pictures):
        if first is None:
            first = picture.frame
            _check_colours(first)
        elif picture.time_s <= last_s:
            raise FootageError(f"the times of the pictures go backwards after {last_s:.2f} s")
        last_s = picture.time_s
        _check_form(picture, first)
        if last_s > MAX_DURATION_S:
            raise FootageError(f"the film is longer than {MAX_DURATION_S:g} s")
        if number > MAX_FPS * (last_s + 1):
            raise FootageError(f"the film has more than {MAX_FPS} pictures per second")
        yield picture


def _check_colours(frame: av.VideoFrame) -> None:
    wide = frame.color_trc in UNSHOWABLE_TRANSFERS or frame.color_primaries in WIDE_PRIMARIES
    if wide or any(side_data_of(frame, kind) is not None for kind in DOLBY_VISION):
        raise FootageError(
            "the film's colours are HDR or wide gamut; please export it in BT.709 (SDR)"
        )


def _check_form(picture: Picture, first: av.VideoFrame) -> None:
    frame = picture.frame
    if frame.interlaced_frame:
        raise FootageError("the film is interlaced; please export it progressive")
    if _form(frame) != _form(first):
        raise FootageError(f"the size or format of the pictures changes at {picture.time_s:.2f} s")


def _form(frame: av.VideoFrame) -> tuple[int, int, str, int]:
    return frame.width, frame.height, frame.format.name, frame.rotation


def _damaged(time_s: float) -> FootageError:
    return FootageError(f"decoding stopped at {time_s:.2f} s: the film is damaged or was cut off")
