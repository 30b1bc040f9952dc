"""Where places appear."""

import numpy as np

from app.rendering.camera import Camera

CAMERA = Camera(x_m=10.0, y_m=20.0, width_px=200, height_px=100, scale_px_per_m=4.0)


def seen_at(affine, x_m, y_m):
    a, b, c, d, e, f = affine
    return a * x_m + b * y_m + c, d * x_m + e * y_m + f


def body(x_m, y_m, heading_rad):
    return CAMERA.bodies(np.array([x_m]), np.array([y_m]), np.array([heading_rad]))[0]


def test_what_the_camera_is_above_is_in_the_middle():
    assert seen_at(CAMERA.world()[0], 10.0, 20.0) == (100.0, 50.0)
    assert seen_at(body(10.0, 20.0, 1.2), 0.0, 0.0) == (100.0, 50.0)


def test_north_is_up_and_east_is_right():
    np.testing.assert_allclose(seen_at(CAMERA.world()[0], 11.0, 20.0), (104.0, 50.0))
    np.testing.assert_allclose(seen_at(CAMERA.world()[0], 10.0, 21.0), (100.0, 46.0))


def test_a_body_that_looks_north_points_up():
    northward = body(10.0, 20.0, np.pi / 2)
    np.testing.assert_allclose(seen_at(northward, 1.0, 0.0), (100.0, 46.0), atol=1e-9)
    np.testing.assert_allclose(seen_at(northward, 0.0, 1.0), (96.0, 50.0), atol=1e-9)


def test_only_what_may_reach_into_the_picture_is_seen():
    x_m, y_m = np.array([10.0, 36.0, 36.0, np.nan]), np.full(4, 20.0)
    assert CAMERA.sees(x_m, y_m, reach_m=0.0).tolist() == [True, False, False, False]
    assert CAMERA.sees(x_m, y_m, reach_m=2.0).tolist() == [True, True, True, False]
