"""Colours of high-definition video."""

import numpy as np
import pytest

from app.rendering.colour import mix, rgb_of, rgb_picture, yuv_of
from app.rendering.ground import COLOUR
from app.rendering.road import ASPHALT
from app.rendering.style import FilmStyle


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


# Machado, Oliveira & Fernandes (2009), IEEE Trans. Vis. Comput. Graph. 15(6), 1291-1298, Table 1,
# severity 1.0: what is left of linear red, green and blue.
EYES = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
# IEC 61966-2-1: linear sRGB to XYZ under D65.
XYZ_OF_RGB = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)
# ΔE*ab of 2.3 is just noticeable (Mahy et al. 1994, Color Res. Appl. 19(2), 105-121); ten times
# as much is seen at a glance.
CLEAR = 23.0


def seen(colour, eyes):
    """CIE 1976 L*a*b* of a colour as these eyes see it."""
    value = np.array(rgb_of(colour)) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    xyz = XYZ_OF_RGB @ np.clip(EYES[eyes] @ linear, 0, 1) / XYZ_OF_RGB.sum(axis=1)
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eyes", EYES)
def test_everyone_tells_the_ego_from_the_others_and_both_from_the_road(eyes):
    ego, other = (seen(c, eyes) for c in (FilmStyle().ego_colour, FilmStyle().other_colour))
    assert np.linalg.norm(ego - other) > 2 * CLEAR
    for ground in (ASPHALT, COLOUR):
        assert np.linalg.norm(ego - seen(ground, eyes)) > CLEAR
        assert np.linalg.norm(other - seen(ground, eyes)) > CLEAR


def test_the_model_of_eyes_knows_what_is_confused():
    """Red and green of equal brightness: clear to most, nearly one to the red-green blind."""
    red, green = "#C06000", "#7F8000"
    assert np.linalg.norm(seen(red, "usual") - seen(green, "usual")) > CLEAR
    assert np.linalg.norm(seen(red, "deuteranopia") - seen(green, "deuteranopia")) < CLEAR / 2
    assert seen("#FFFFFF", "usual").round(1).tolist() == [100.0, 0.0, 0.0]
