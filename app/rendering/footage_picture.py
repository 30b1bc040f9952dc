"""A finished film's picture is laid into a study's: turned upright, scaled, in BT.709 colours."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from fractions import Fraction

import av
import numpy as np
from av.sidedata.sidedata import Type as SideData
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter

from app.rendering.canvas import Bytes
from app.rendering.footage_file import FootageError, side_data_of

# Exact rounding, and the same bytes whatever the processor can do.
SCALING = (
    Interpolation.BICUBIC
    | Interpolation.ACCURATE_RND
    | Interpolation.BITEXACT
    | Interpolation.FULL_CHR_H_INP
)
BLACK, GREY = 16, 128

# ITU-T H.273, table 4: matrix coefficients, as far as swscale knows them.
MATRICES = {
    0: Colorspace.ITU709,  # RGB, which has none
    1: Colorspace.ITU709,
    4: Colorspace.FCC,
    5: Colorspace.ITU601,
    6: Colorspace.ITU601,
    7: Colorspace.SMPTE240M,
    9: Colorspace.BT2020,
}
UNSAID = 2
# Where a file does not say, players take it by its size: BT.709 from here on.
HD_WIDTH_PX, SD_HEIGHT_PX = 1280, 576

# How the axes of a picture lie when it is shown, and the clockwise quarter turns that do it.
TURNS = {(1, 0, 0, 1): 0, (0, 1, -1, 0): 1, (-1, 0, 0, -1): 2, (0, -1, 1, 0): 3}


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the study's picture the film's lies; the rest is black."""

    left_px: int
    top_px: int
    width_px: int
    height_px: int


def quarter_turns(frame: av.VideoFrame) -> int:
    """How often the picture is turned clockwise by a quarter to stand upright."""
    matrix = side_data_of(frame, SideData.DISPLAYMATRIX)
    if matrix is None:
        return 0
    a, b, _, c, d = struct.unpack("=5i", matrix[:20])
    most = max(map(abs, (a, b, c, d)), default=0) or 1
    axes = (round(a / most), round(b / most), round(c / most), round(d / most))
    if axes not in TURNS:
        raise FootageError("the film is mirrored or tilted; please export it upright")
    return TURNS[axes]


def shown_size_px(frame: av.VideoFrame, pixel_shape: Fraction) -> tuple[int, int]:
    """Width and height of the upright picture in square pixels."""
    width_px = max(1, round(frame.width * pixel_shape))
    return (frame.height, width_px) if quarter_turns(frame) % 2 else (width_px, frame.height)


def place_within(size_px: tuple[int, int], width_px: int, height_px: int) -> Place:
    """The largest place with the film's aspect ratio, in the middle, on even pixels.

    >>> place_within((640, 480), 1280, 720)
    Place(left_px=160, top_px=0, width_px=960, height_px=720)
    """
    scale = min(width_px / size_px[0], height_px / size_px[1])
    inner = [
        min(side_px, max(2, 2 * round(own_px * scale / 2)))
        for own_px, side_px in zip(size_px, (width_px, height_px), strict=True)
    ]
    left_px, top_px = (width_px - inner[0]) // 4 * 2, (height_px - inner[1]) // 4 * 2
    return Place(left_px, top_px, inner[0], inner[1])


class Projector:
    """Lays one film's pictures into frames of the study's size."""

    def __init__(self, pixel_shape: Fraction, width_px: int, height_px: int) -> None:
        self.pixel_shape = pixel_shape
        self.reformatter = VideoReformatter()
        # Found with the first picture, the same for all: to look at a picture's side data makes
        # a circle of references, and hundreds of pictures would wait for the collector.
        self.laid: tuple[Place, int] | None = None
        # Its own frame: a decoded one carries captions and time codes, which must not travel on.
        self.screen = av.VideoFrame(width_px, height_px, "yuv420p")
        for plane, level in zip(planes_of(self.screen), (BLACK, GREY, GREY), strict=True):
            plane[:] = level

    def show(self, frame: av.VideoFrame) -> av.VideoFrame:
        """The screen with this picture on it; painted over by the next."""
        if self.laid is None:
            size_px = shown_size_px(frame, self.pixel_shape)
            place = place_within(size_px, self.screen.width, self.screen.height)
            self.laid = place, quarter_turns(frame)
        place, turns = self.laid
        scaled = self._scaled(frame, place, turns)
        for part, (source, target) in enumerate(
            zip(planes_of(scaled), planes_of(self.screen), strict=True)
        ):
            step = 1 if part == 0 else 2  # colour has half the rows and columns
            top, left = place.top_px // step, place.left_px // step
            rows, columns = place.height_px // step, place.width_px // step
            target[top : top + rows, left : left + columns] = np.rot90(source, -turns)
        return self.screen

    def _scaled(self, frame: av.VideoFrame, place: Place, turns: int) -> av.VideoFrame:
        lying = turns % 2 == 1
        return self.reformatter.reformat(
            frame,
            place.height_px if lying else place.width_px,
            place.width_px if lying else place.height_px,
            format="yuv420p",
            src_colorspace=matrix_of(frame),
            dst_colorspace=Colorspace.ITU709,
            src_color_range=range_of(frame),
            dst_color_range=ColorRange.MPEG,
            interpolation=SCALING,
            threads=1,
        )


def matrix_of(frame: av.VideoFrame) -> Colorspace:
    """How the picture's colours were mixed, as it says or as its size suggests."""
    if frame.colorspace == UNSAID:
        is_hd = frame.width >= HD_WIDTH_PX or frame.height > SD_HEIGHT_PX
        return Colorspace.ITU709 if is_hd else Colorspace.ITU601
    if frame.colorspace not in MATRICES:
        raise FootageError(
            f"the film's colours are mixed in a way that is not read (matrix {frame.colorspace}); "
            "please export it in BT.709"
        )
    return MATRICES[frame.colorspace]


def range_of(frame: av.VideoFrame) -> ColorRange:
    """Whether black is 0 or 16; limited where the file does not say, as players take it."""
    full = frame.color_range == ColorRange.JPEG or frame.format.name.startswith(("yuvj", "gbr"))
    return ColorRange.JPEG if full else ColorRange.MPEG


def planes_of(frame: av.VideoFrame) -> tuple[Bytes, Bytes, Bytes]:
    """The three planes without the padding at the ends of rows."""
    luma, blue, red = (
        np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)[
            : plane.height, : plane.width
        ]
        for plane in frame.planes
    )
    return luma, blue, red
