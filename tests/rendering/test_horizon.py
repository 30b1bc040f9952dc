"""Sky, hills and haze."""

from dataclasses import replace

import numpy as np
import pytest

from app.rendering.colour import yuv_of
from app.rendering.horizon import HAZE, hazed, make_distance, paint_haze, paint_sky
from app.rendering.perspective import chase_camera
from app.rendering.raster import canvas_on
from app.rendering.style import FilmStyle

STYLE = FilmStyle(width_px=320, height_px=180, chase_down_deg=10.0)


def grey_canvas():
    luma = np.full((180, 320), 90, np.uint8)
    blue, red = np.full((2, 90, 160), 128, np.uint8)
    return canvas_on(320, luma, blue, red)


def sky(heading_rad=0.0, style=STYLE):
    canvas, camera = grey_canvas(), chase_camera(style, 0.0, 0.0, heading_rad)
    paint_sky(canvas, make_distance(camera), camera)
    return canvas.luma.astype(int), camera.horizon_row_px


@pytest.mark.parametrize("down_deg", [3.0, 10.0, 15.0])
def test_the_sky_ends_at_the_horizon(down_deg):
    luma, horizon_px = sky(style=replace(STYLE, chase_down_deg=down_deg))
    assert (luma[: int(horizon_px)] != 90).all()
    assert (luma[int(np.ceil(horizon_px)) :] == 90).all()


def test_without_a_horizon_in_the_picture_there_is_no_sky():
    assert (sky(style=replace(STYLE, chase_down_deg=50.0))[0] == 90).all()


def test_hills_turn_with_the_view_and_are_the_same_after_a_full_turn():
    before, _ = sky(0.0)
    assert (sky(0.3)[0] != before).any()
    np.testing.assert_array_equal(sky(2 * np.pi)[0], before)


def test_the_ground_fades_with_distance():
    canvas, camera = grey_canvas(), chase_camera(STYLE, 0.0, 0.0, 0.0)
    paint_haze(canvas, make_distance(camera))
    first = int(np.ceil(camera.horizon_row_px))
    column = canvas.luma[first:, 10].astype(int)
    assert (np.diff(column) <= 0).all()
    assert column[0] == pytest.approx(yuv_of(HAZE)[0], abs=6)
    assert column[-1] == 90


def test_haze_is_a_share():
    share = hazed(np.array([0.0, 50.0, 200.0, np.inf]))
    assert share[0] == share[1] == 0
    assert 0 < share[2] < 1 == share[3]
