"""The meadow along slanted rows."""

import numpy as np
import pytest

from app.rendering.camera import Camera
from app.rendering.ground import make_ground, paint_ground
from app.rendering.meadow import (
    make_meadow,
    make_near_meadow,
    paint_meadow,
    paint_turned_meadow,
    tilted,
)
from app.rendering.perspective import chase_camera
from app.rendering.raster import canvas_on
from app.rendering.style import FilmStyle

STYLE = FilmStyle(width_px=320, height_px=180)


def canvas(width_px=320, height_px=180):
    luma = np.zeros((height_px, width_px), np.uint8)
    blue, red = np.zeros((2, height_px // 2, width_px // 2), np.uint8)
    return canvas_on(width_px, luma, blue, red)


def turned(x_m, y_m, turn_rad, scale=16.0, width_px=320):
    on = canvas(width_px)
    camera = Camera(x_m, y_m, width_px, 180, scale, turn_rad)
    paint_turned_meadow(on, make_meadow(scale), camera)
    return on.luma.astype(float)


def ahead(x_m, y_m, heading_rad=0.0):
    on = canvas()
    camera = chase_camera(STYLE, x_m, y_m, heading_rad)
    paint_meadow(on, make_near_meadow(), tilted(make_near_meadow(), camera))
    return on.luma.astype(float)


def test_a_turn_by_half_turns_the_picture_by_half():
    # The picture's middle lies between pixels, and samples are every second one.
    upright, other = turned(3.0, 4.0, 0.0), turned(3.0, 4.0, np.pi)
    assert np.abs(upright - other[::-1, ::-1]).mean() < 0.6
    assert np.abs(upright - other).mean() > 1.0


def test_the_pattern_moves_against_the_camera_whatever_the_turn():
    # A quarter turn: north is to the left, so that going north moves all to the right.
    before, after = turned(0.0, 0.0, np.pi / 2), turned(0.0, 1.0, np.pi / 2)
    np.testing.assert_allclose(after[:, 16:], before[:, :-16], atol=1.01)


def test_there_is_about_as_much_to_see_as_on_the_unturned_ground():
    on = canvas()
    paint_ground(on, make_ground(16.0), Camera(0.0, 0.0, 320, 180, 16.0))
    assert turned(0.0, 0.0, 0.3).std() == pytest.approx(on.luma.std(), rel=0.5)


@pytest.mark.parametrize("width_px", [318, 322, 326])
def test_any_even_width_is_covered(width_px):
    assert turned(0.0, 0.0, 0.3, width_px=width_px).min() > 100


def test_far_from_the_origin_the_pattern_is_as_smooth():
    far = turned(9e5, -9e5, 0.7)
    assert np.abs(np.diff(far, axis=1)).max() < 12


def test_in_perspective_the_ground_comes_nearer():
    # What is 1 m farther ahead appears where the camera sees it once it has moved there.
    before, after = ahead(0.0, 0.0), ahead(1.0, 0.0)
    assert before[20:].std() > 1
    assert np.abs(before - after)[60:].mean() > 0.3
    camera = chase_camera(STYLE, 0.0, 0.0, 0.0)
    p = camera.world()[0]
    places = np.array([[x, y] for x in np.linspace(-1, 3, 9) for y in np.linspace(-2, 2, 9)])

    def levels(picture, moved_m):
        c, r, d = p @ np.stack([*(places - [moved_m, 0]).T, np.zeros(81), np.ones(81)])
        return picture[(r / d).astype(int), (c / d).astype(int)]

    near, later = levels(before, 0.0), levels(after, 1.0)
    assert np.corrcoef(near, later)[0, 1] > 0.8


def test_above_the_horizon_there_is_no_meadow():
    row = int(np.ceil(chase_camera(STYLE, 0.0, 0.0, 0.0).horizon_row_px))
    picture = ahead(0.0, 0.0)
    assert (picture[:row] == 0).all()
    assert (picture[row:] > 100).all()
