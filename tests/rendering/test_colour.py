"""Colours of high-definition video."""

import numpy as np
import pytest

from app.rendering.colour import mix, rgb_of, rgb_picture, yuv_of


@pytest.mark.parametrize(
    ("colour", "levels"),
    [
        # SMPTE RP 219, 100 % colour bars in BT.709: white, yellow, cyan, green, magenta, red, blue.
        ("#FFFFFF", (235, 128, 128)),
        ("#FFFF00", (219, 16, 138)),
        ("#00FFFF", (188, 154, 16)),
        ("#00FF00", (173, 42, 26)),
        ("#FF00FF", (78, 214, 230)),
        ("#FF0000", (63, 102, 240)),
        ("#0000FF", (32, 240, 118)),
        ("#000000", (16, 128, 128)),
    ],
)
def test_colour_bars_have_their_published_levels(colour, levels):
    assert [round(level) for level in yuv_of(colour)] == list(levels)


@pytest.mark.parametrize("colour", ["#D55E00", "#0072B2", "#868C93", "#F7F7F4"])
def test_a_colour_comes_back_from_video(colour):
    luma, blue, red = (np.full((2, 2), round(level), np.uint8) for level in yuv_of(colour))
    picture = rgb_picture(luma, blue[:1, :1], red[:1, :1])
    assert picture.shape == (2, 2, 3)
    assert np.abs(picture[0, 0].astype(int) - rgb_of(colour)).max() <= 2


def test_mixing_goes_from_one_colour_to_the_other():
    assert mix("#102030", "#FFFFFF", 0.0) == "#102030"
    assert mix("#102030", "#FFFFFF", 1.0) == "#FFFFFF"
