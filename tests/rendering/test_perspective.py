"""Where places appear to a camera that looks ahead."""

from dataclasses import replace
from math import cos, radians, sin, tan

import numpy as np
import pytest

from app.rendering.perspective import chase_camera
from app.rendering.style import FilmStyle

STYLE = FilmStyle()
FOCAL_PX = 640 / tan(radians(37.5))


def seen_at(camera, x_m, y_m, z_m):
    column, row, depth = camera.world()[0] @ (x_m, y_m, z_m, 1.0)
    return column / depth, row / depth


@pytest.mark.parametrize("heading_rad", [0.0, 1.2, -2.5])
def test_a_place_is_projected_as_by_hand(heading_rad):
    # 12 m ahead of the ego, 3 m to its right, 2 m up: from the camera 22 m ahead and 3 m down.
    camera = chase_camera(STYLE, 100.0, -50.0, heading_rad)
    x_m = 100.0 + 12 * cos(heading_rad) + 3 * sin(heading_rad)
    y_m = -50.0 + 12 * sin(heading_rad) - 3 * cos(heading_rad)
    down_rad = radians(20)
    depth_m = 22 * cos(down_rad) + 3 * sin(down_rad)
    below_m = 3 * cos(down_rad) - 22 * sin(down_rad)
    expected = 640 + FOCAL_PX * 3 / depth_m, 360 + FOCAL_PX * below_m / depth_m
    np.testing.assert_allclose(seen_at(camera, x_m, y_m, 2.0), expected, atol=1e-6)


def test_the_ego_is_always_at_the_same_place():
    places = [
        seen_at(chase_camera(STYLE, x, y, h), x, y, 0.7)
        for x, y, h in ((0, 0, 0), (1e5, -3e4, 2.0), (7.0, 8.0, -3.0))
    ]
    np.testing.assert_allclose(places, [places[0]] * 3, atol=1e-5)
    assert places[0][0] == pytest.approx(640)


def test_flat_ground_ends_at_the_horizon():
    camera = chase_camera(STYLE, 0.0, 0.0, 0.0)
    assert camera.horizon_row_px == pytest.approx(360 - FOCAL_PX * tan(radians(20)))
    assert seen_at(camera, 1e7, 0.0, 0.0)[1] == pytest.approx(camera.horizon_row_px, abs=0.01)


def test_rows_know_how_deep_the_ground_is():
    camera = chase_camera(replace(STYLE, chase_down_deg=12.0), 0.0, 0.0, 0.0)
    for x_m in (0.0, 20.0, 300.0):
        _, row, depth_m = camera.world()[0] @ (x_m, 4.0, 0.0, 1.0)
        assert camera.depths_of_rows_m(np.array(row / depth_m)) == pytest.approx(depth_m)


def test_a_body_has_its_own_axes():
    camera = chase_camera(STYLE, 0.0, 0.0, 0.4)
    own = camera.bodies(np.array([20.0]), np.array([5.0]), np.array([1.1]))[0]
    world = camera.world()[0]
    ahead = np.array([20.0 + 2 * cos(1.1) - 1 * sin(1.1), 5.0 + 2 * sin(1.1) + 1 * cos(1.1)])
    np.testing.assert_allclose(own @ (2, 1, 0.5, 1), world @ (*ahead, 0.5, 1), atol=1e-9)
