"""The meadow beside the road."""

import numpy as np
import pytest

from app.rendering.camera import Camera
from app.rendering.ground import MAX_TILE_PX, make_ground, paint_ground
from app.rendering.raster import canvas_on


def painted(x_m, y_m, scale_px_per_m=10.0, width_px=160, height_px=90):
    luma = np.zeros((height_px, width_px), np.uint8)
    blue, red = np.zeros((2, height_px // 2, width_px // 2), np.uint8)
    camera = Camera(x_m, y_m, width_px, height_px, scale_px_per_m)
    paint_ground(canvas_on(width_px, luma, blue, red), make_ground(scale_px_per_m), camera)
    assert len(np.unique(blue)) == len(np.unique(red)) == 1
    return luma.astype(int)


def test_the_ground_moves_against_the_camera():
    before = painted(0.0, 0.0)
    np.testing.assert_array_equal(painted(1.2, 0.0)[:, :-12], before[:, 12:])
    np.testing.assert_array_equal(painted(0.0, 0.7)[7:], before[:-7])


def test_between_pixels_the_ground_is_between():
    half_way = (painted(0.0, 0.0)[:, :-1] + painted(0.0, 0.0)[:, 1:]) / 2
    np.testing.assert_allclose(painted(0.05, 0.0)[:, :-1], half_way, atol=1.01)


def test_the_ground_repeats_without_a_seam():
    tile = make_ground(10.0).tile
    inside = np.abs(np.diff(tile, axis=1)).max()
    assert np.abs(tile[:, 0] - tile[:, -1]).max() <= inside
    assert np.abs(tile[0] - tile[-1]).max() <= inside


def test_the_pattern_is_faint_but_there():
    luma = painted(0.0, 0.0, width_px=640, height_px=360)
    assert 1.0 < luma.std() < 6.0


@pytest.mark.parametrize("scale_px_per_m", [0.05, 1.0, 200.0])
def test_every_scale_has_a_ground_of_bounded_size(scale_px_per_m):
    assert make_ground(scale_px_per_m).tile.shape[0] <= MAX_TILE_PX
    assert painted(3.0, -4.0, scale_px_per_m).std() > 0.1
