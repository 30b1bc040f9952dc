"""Sprites in flat arrays."""

import numpy as np

from app.rendering.sprites import Layer, pack

TRIANGLE = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0]])


def test_sprites_keep_their_layers_and_rings():
    atlas = pack(
        [[Layer([TRIANGLE, TRIANGLE + 9], "#FFFFFF", 0.5)], [], [Layer([TRIANGLE], "#000000")]]
    )
    assert atlas.sprite_start.tolist() == [0, 1, 1, 2]
    assert atlas.layer_start.tolist() == [0, 2, 3]
    assert atlas.ring_start.tolist() == [0, 3, 6, 9]
    np.testing.assert_allclose(atlas.layer_paint, [[235, 128, 128, 0.5], [16, 128, 128, 1]])


def test_a_box_holds_its_ring():
    x_m, y_m, half_x_m, half_y_m = pack([[Layer([TRIANGLE], "#FFFFFF")]]).ring_box[0]
    np.testing.assert_allclose((x_m, y_m, half_x_m, half_y_m), (2, 1, 2, 1), atol=1e-5)
    assert half_x_m > 2
    assert half_y_m > 1


def test_all_rings_turn_the_same_way():
    atlas = pack([[Layer([TRIANGLE, TRIANGLE[::-1]], "#FFFFFF")]])
    assert {tuple(p) for p in atlas.points[:3]} == {tuple(p) for p in atlas.points[3:]}
    for start in (0, 3):
        (ax, ay), (bx, by), (cx, cy) = atlas.points[start : start + 3]
        assert (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0


def test_rings_around_holes_keep_turning_right():
    atlas = pack([[Layer([TRIANGLE, TRIANGLE[::-1]], "#FFFFFF", has_holes=True)]])
    np.testing.assert_array_equal(atlas.points[:3], atlas.points[3:][::-1])


def test_nothing_to_draw_is_an_empty_atlas():
    atlas = pack([[]])
    assert atlas.points.shape == (0, 2)
    assert atlas.ring_box.shape == atlas.layer_paint.shape == (0, 4)
