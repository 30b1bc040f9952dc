"""Letters are painted and looked at."""

import string

import numpy as np
import pytest

from app.rendering.lettering import STROKES, glyph, text_width_px, write
from app.rendering.raster import canvas_on

GREY = 140


def written(*texts, height_px=12.0, **options):
    """(90, 320) luma with texts on grey."""
    luma = np.full((90, 320), GREY, np.uint8)
    blue, red = np.full((2, 45, 160), 128, np.uint8)
    write(canvas_on(320, luma, blue, red), list(texts), height_px, **options)
    return luma


def test_there_are_all_letters_and_digits():
    assert set(string.ascii_letters + string.digits + ".,:;-+/()%=_#") <= set(STROKES)


def test_no_two_characters_look_the_same():
    looks = {written((character, 20, 40)).tobytes() for character in STROKES}
    assert len(looks) == len(STROKES)


@pytest.mark.parametrize("character", STROKES)
def test_a_letter_stays_within_its_line(character):
    points = np.concatenate(glyph(character))
    assert points.min(axis=0)[1] >= -2
    assert points.max(axis=0)[1] <= 7
    assert 0 <= points.min(axis=0)[0] <= points.max(axis=0)[0] <= 4


@pytest.mark.parametrize("ground", [16, GREY, 235])
def test_letters_stand_out_from_any_ground(ground):
    luma = np.full((90, 320), ground, np.uint8)
    blue, red = np.full((2, 45, 160), 128, np.uint8)
    write(canvas_on(320, luma, blue, red), [("V1 88 km/h", 20, 40)], 12.0)
    assert luma.max() >= 225
    assert luma.min() <= 75


def test_capitals_are_as_high_as_asked_and_stand_on_the_line():
    rows = np.nonzero((written(("H", 20, 60), height_px=24.0) > 200).any(axis=1))[0]
    assert rows.max() + 1 == pytest.approx(60, abs=2.1)
    assert np.ptp(rows) + 1 == pytest.approx(24, abs=4)


def test_a_text_is_as_wide_as_it_says_wherever_it_is():
    text = "TTC 2.4 s"
    width_px = text_width_px(text, 12.0)
    for options, left in (({}, 100.0), ({"middle": True}, 100.0 - width_px / 2)):
        columns = np.nonzero((written((text, 100.0, 40), **options) > 200).any(axis=0))[0]
        assert columns.min() == pytest.approx(left, abs=2)
        assert columns.max() + 1 == pytest.approx(left + width_px, abs=3)


def test_no_text_leaves_the_picture_alone():
    assert (written(("", 20, 40), ("  ", 20, 60)) == GREY).all()


def test_what_has_no_letter_is_a_box():
    box = written(("ж", 20, 40))
    assert box.max() > 200
    np.testing.assert_array_equal(box, written(("漢", 20, 40)))


def test_text_beyond_the_picture_is_cut():
    assert written(("far away", 300, 85), ("gone", 900, 900)).max() > 200
