"""A film's picture keeps its shape, its way up and its colours."""

import gc
from fractions import Fraction

import av
import numpy as np
import pytest
from av.video.reformatter import ColorRange

from app.rendering.colour import rgb_picture, yuv_of
from app.rendering.footage_file import FootageError, open_footage
from app.rendering.footage_picture import (
    Place,
    Projector,
    matrix_of,
    place_within,
    planes_of,
    quarter_turns,
    range_of,
    shown_size_px,
)
from tests.factories.footage import BLUE, GREEN, RED, make_film, three_fields

SQUARE = Fraction(1)


@pytest.mark.parametrize(
    ("film_px", "study_px", "place"),
    [
        ((1920, 1080), (1280, 720), Place(0, 0, 1280, 720)),
        ((320, 180), (1280, 720), Place(0, 0, 1280, 720)),
        ((800, 600), (1280, 720), Place(160, 0, 960, 720)),
        ((2000, 500), (1280, 720), Place(0, 200, 1280, 320)),
        ((1080, 1920), (1280, 720), Place(438, 0, 404, 720)),
        ((3840, 2), (160, 90), Place(0, 44, 160, 2)),
    ],
)
def test_a_picture_lies_in_the_middle_as_large_as_it_fits(film_px, study_px, place):
    assert place_within(film_px, *study_px) == place


def flat(rgb, matrix, full, pix_fmt="yuv420p", size_px=(64, 48)):
    """A frame of one colour, mixed by hand with the weights of BT.601, 709 or 2020."""
    red_weight, blue_weight = {601: (0.299, 0.114), 709: (0.2126, 0.0722), 2020: (0.2627, 0.0593)}[
        matrix
    ]
    red, green, blue = (value / 255 for value in rgb)
    luma = red_weight * red + (1 - red_weight - blue_weight) * green + blue_weight * blue
    differences = (blue - luma) / (2 - 2 * blue_weight), (red - luma) / (2 - 2 * red_weight)
    depth = 4 if "10" in pix_fmt else 1
    if full:
        levels = [luma * (256 * depth - 1)]
        levels += [128 * depth + value * (256 * depth - 1) for value in differences]
    else:
        levels = [(16 + 219 * luma) * depth]
        levels += [(128 + 224 * value) * depth for value in differences]
    frame = av.VideoFrame(*size_px, pix_fmt)
    for plane, level in zip(frame.planes, levels, strict=True):
        kind = np.uint16 if depth == 4 else np.uint8
        np.frombuffer(memoryview(plane), kind)[:] = min(round(level), 256 * depth - 1)
    frame.colorspace = {601: 6, 709: 1, 2020: 9}[matrix]
    frame.color_range = ColorRange.JPEG if full else ColorRange.MPEG
    return frame


@pytest.mark.parametrize("matrix", [601, 709, 2020])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("pix_fmt", ["yuv420p", "yuv444p", "yuv420p10le"])
@pytest.mark.parametrize("rgb", [(213, 94, 0), (0, 114, 178), (255, 255, 255), (0, 0, 0)])
def test_colours_become_those_of_bt709_whatever_they_were(matrix, full, pix_fmt, rgb):
    screen = Projector(SQUARE, 96, 72).show(flat(rgb, matrix, full, pix_fmt))
    levels = [plane[10, 10] for plane in planes_of(screen)]
    np.testing.assert_allclose(levels, yuv_of("#{:02X}{:02X}{:02X}".format(*rgb)), atol=2.1)


def test_rgb_pictures_are_shown_in_their_colours():
    frame = av.VideoFrame.from_ndarray(three_fields(64, 48), "rgb24").reformat(format="gbrp")
    picture = rgb_picture(*planes_of(Projector(SQUARE, 64, 48).show(frame)))
    np.testing.assert_allclose(picture[40, 30], BLUE, atol=3)


def test_bars_are_black_and_stay_black():
    projector = Projector(SQUARE, 128, 72)
    for rgb in ((255, 255, 255), (200, 40, 30)):
        luma, blue, red = planes_of(projector.show(flat(rgb, 709, full=False)))
        for bar in (np.s_[:, :16], np.s_[:, -16:]):
            assert (luma[bar] == 16).all()
        assert (blue[:, :8] == 128).all()
        assert (red[:, -8:] == 128).all()
        assert luma[36, 17] > 60


@pytest.mark.parametrize(
    ("turned_deg", "corners"),
    [
        (0, (RED, GREEN, BLUE, BLUE)),
        (90, (GREEN, BLUE, RED, BLUE)),
        (180, (BLUE, BLUE, GREEN, RED)),
        (270, (BLUE, RED, BLUE, GREEN)),
    ],
)
def test_a_turned_film_is_shown_upright(tmp_path, turned_deg, corners):
    film = make_film(
        tmp_path / "a.mp4",
        size_px=(128, 64),
        paint=lambda number: three_fields(128, 64),
        turned_deg=turned_deg,
        colorspace=1,
    )
    with open_footage(film) as footage:
        frame = next(footage.pictures()).frame
    size_px = (64, 128) if turned_deg % 180 else (128, 64)
    assert shown_size_px(frame, SQUARE) == size_px
    picture = rgb_picture(*planes_of(Projector(SQUARE, *size_px).show(frame)))
    seen = [picture[row, column] for row in (8, -8) for column in (8, -8)]
    np.testing.assert_allclose(seen, corners, atol=6)
    assert quarter_turns(frame) == -turned_deg // 90 % 4


def test_pixels_that_are_not_square_are_stretched(tmp_path):
    film = make_film(tmp_path / "a.mp4", size_px=(180, 144), pixel_shape=Fraction(16, 11))
    with open_footage(film) as footage:
        assert shown_size_px(next(footage.pictures()).frame, footage.pixel_shape) == (262, 144)


@pytest.mark.parametrize(
    ("size_px", "name"), [((1280, 720), "ITU709"), ((720, 576), "ITU601"), ((800, 600), "ITU709")]
)
def test_where_a_film_does_not_say_its_size_tells_its_colours(size_px, name):
    frame = av.VideoFrame(*size_px, "yuv420p")
    frame.colorspace = 2
    assert matrix_of(frame).name == name
    assert range_of(frame) == ColorRange.MPEG


def test_an_old_name_of_full_range_is_known():
    assert range_of(av.VideoFrame(64, 64, "yuvj420p")) == ColorRange.JPEG


def test_colours_that_nobody_knows_are_refused():
    frame = av.VideoFrame(64, 64, "yuv444p")
    frame.colorspace = 8  # YCgCo
    with pytest.raises(FootageError, match="matrix 8"):
        matrix_of(frame)


def test_shown_pictures_are_let_go_at_once(tmp_path):
    """A second of 4K has 360 MB; the collector of circles counts objects, not bytes."""
    projector = Projector(SQUARE, 64, 48)
    gc.collect()
    gc.disable()
    try:
        with open_footage(make_film(tmp_path / "a.mp4", n_frames=24)) as footage:
            for picture in footage.pictures():
                projector.show(picture.frame)
            alive = [thing for thing in gc.get_objects() if type(thing) is av.VideoFrame]
        assert len(alive) < 6
    finally:
        gc.enable()


def test_a_mirrored_film_is_refused(tmp_path):
    film = make_film(tmp_path / "a.mov", turned_deg=180).read_bytes()
    upside_down = (-65536).to_bytes(4, "big", signed=True)
    mirrored = film.replace(upside_down, (65536).to_bytes(4, "big"), 1)
    (tmp_path / "b.mov").write_bytes(mirrored)
    with open_footage(tmp_path / "b.mov") as footage, pytest.raises(FootageError, match="mirrored"):
        quarter_turns(next(footage.pictures()).frame)
