"""Stills are read back by another program."""

import io

import numpy as np
import pytest
from PIL import Image

from app.rendering.film import render_frame
from app.rendering.stills import encode_png, still_png
from app.rendering.style import FilmStyle
from tests.factories.scenes import straight_road_scene

STYLE = FilmStyle(width_px=160, height_px=90, width_m=40.0)


def test_a_still_is_the_picture_of_the_film():
    picture = Image.open(io.BytesIO(still_png(straight_road_scene(), STYLE, 1.0)))
    assert picture.format == "PNG"
    np.testing.assert_array_equal(picture, render_frame(straight_road_scene(), STYLE, 1.0))


def test_a_still_is_the_same_every_time_and_holds_nothing_else():
    data = still_png(straight_road_scene(), STYLE, 1.0)
    assert data == still_png(straight_road_scene(), STYLE, 1.0)
    assert Image.open(io.BytesIO(data)).info == {}


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 2, 3), (2, 7, 3)])
def test_every_pixel_comes_back(shape):
    picture = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    np.testing.assert_array_equal(Image.open(io.BytesIO(encode_png(picture))), picture)


def test_no_still_where_the_ego_is_not():
    with pytest.raises(ValueError, match="missing at 99 s"):
        still_png(straight_road_scene(), STYLE, 99.0)
