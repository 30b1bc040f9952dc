"""Coverage is held to an independent measure: many points per pixel."""

import numpy as np
import pytest

from app.rendering.raster import canvas_on, paint_sprites
from app.rendering.sprites import Layer, pack

SIDE_PX, FINE = 48, 16
IDENTITY = np.array([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]])
FIRST = np.zeros(1, np.int32)
WHITE_LEVEL, BLACK_LEVEL = 235, 16


def black_canvas(width_px=SIDE_PX, height_px=SIDE_PX):
    luma = np.full((height_px, width_px), BLACK_LEVEL, np.uint8)
    blue, red = np.full((2, height_px // 2, width_px // 2), 128, np.uint8)
    return canvas_on(width_px, luma, blue, red)


def coverage(*rings, width_px=SIDE_PX, height_px=SIDE_PX, opacity=1.0):
    """Share of each pixel that white rings cover on black."""
    canvas = black_canvas(width_px, height_px)
    atlas = pack([[Layer([np.array(r, float) for r in rings], "#FFFFFF", opacity)]])
    paint_sprites(canvas, atlas, FIRST, IDENTITY)
    assert not canvas.cells.any()
    assert not canvas.touched.any()
    assert (canvas.blue == 128).all()
    return (canvas.luma.astype(float) - BLACK_LEVEL) / (WHITE_LEVEL - BLACK_LEVEL)


def sampled(triangle):
    """The same share, counted on a fine grid."""
    places = (np.arange(SIDE_PX * FINE) + 0.5) / FINE
    x, y = np.meshgrid(places, places)
    sides = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for a, b in zip(triangle, np.roll(triangle, -1, axis=0), strict=True)
    ]
    inside = np.all([s >= 0 for s in sides], axis=0) | np.all([s <= 0 for s in sides], axis=0)
    return inside.reshape(SIDE_PX, FINE, SIDE_PX, FINE).mean(axis=(1, 3))


@pytest.mark.parametrize("reach_px", [20.0, 60.0, 1000.0, 1e7])
def test_triangles_anywhere_cover_what_they_cover(reach_px):
    rng = np.random.default_rng(7)
    for _ in range(60):
        triangle = SIDE_PX / 2 + reach_px * rng.uniform(-1, 1, size=(3, 2))
        np.testing.assert_allclose(coverage(triangle), sampled(triangle), atol=0.09)


def test_a_rectangle_between_pixels_covers_fractions_of_them():
    share = coverage([[2.25, 3.5], [5.0, 3.5], [5.0, 6.0], [2.25, 6.0]])
    np.testing.assert_allclose(share[3, 1:6], [0, 0.375, 0.5, 0.5, 0], atol=0.003)
    np.testing.assert_allclose(share[4, 1:6], [0, 0.75, 1, 1, 0], atol=0.003)
    assert share.sum() == pytest.approx(2.75 * 2.5, abs=0.02)


def test_neighbours_that_meet_at_any_angle_leave_no_seam():
    # The right one has a corner where the left one has none.
    left = [[2.0, 2.0], [20.3, 2.0], [27.7, 45.0], [2.0, 45.0]]
    middle = [20.3 + 7.4 * 0.4, 2 + 43 * 0.4]
    right = [[20.3, 2.0], [46.0, 2.0], [46.0, 45.0], [27.7, 45.0], middle]
    assert (coverage(left, right)[2:45, 2:46] == 1).all()


def test_overlapping_rings_of_a_layer_are_one_surface():
    square = [[4.0, 4.0], [20.0, 4.0], [20.0, 20.0], [4.0, 20.0]]
    other_way_round = square[::-1]
    once = coverage(square, opacity=0.5)
    np.testing.assert_array_equal(coverage(square, other_way_round, opacity=0.5), once)
    assert once[10, 10] == pytest.approx(0.5, abs=0.003)


@pytest.mark.parametrize("width_px", [34, 48, 62, 64, 66])
def test_what_reaches_out_of_the_picture_fills_it_to_the_edge(width_px):
    everywhere = [[-1e6, -1e6], [1e6, -1e6], [1e6, 1e6], [-1e6, 1e6]]
    assert (coverage(everywhere, width_px=width_px) == 1).all()


def test_what_is_outside_leaves_no_trace():
    for x, y in ((-30, 0), (100, 0), (0, -30), (0, 100)):
        assert not coverage([[x, y], [x + 20, y], [x + 20, y + 20], [x, y + 20]]).any()


def test_colour_is_the_mean_of_four_pixels():
    canvas = black_canvas()
    atlas = pack([[Layer([np.array([[3.0, 2.0], [9.0, 2.0], [9.0, 8.0], [3.0, 8.0]])], "#FF0000")]])
    paint_sprites(canvas, atlas, FIRST, IDENTITY)
    assert canvas.red[2, 3] == 240
    assert canvas.red[2, 1] == pytest.approx((240 + 128) / 2, abs=1)
    assert canvas.red[2, 0] == 128


def test_later_layers_lie_over_earlier_ones():
    square = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]])
    canvas = black_canvas()
    atlas = pack([[Layer([square], "#FFFFFF"), Layer([square / 2], "#000000")]])
    paint_sprites(canvas, atlas, FIRST, IDENTITY)
    assert canvas.luma[10, 10] == BLACK_LEVEL
    assert canvas.luma[30, 30] == WHITE_LEVEL
