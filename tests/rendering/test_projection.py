"""What comes out on the sheet."""

import numpy as np

from app.rendering.perspective import chase_camera
from app.rendering.projection import Light, atlas_on, make_sheet, project_flat, project_solids
from app.rendering.solids import Part, Solid, loft, outline, pack_solids
from app.rendering.sprites import Layer, pack
from app.rendering.style import FilmStyle

CAMERA = chase_camera(FilmStyle(), 0.0, 0.0, 0.0)
SIZE_PX = np.array([1280.0, 720.0])
LIGHT = Light(np.array([0.0, 0.0, 1.0]), np.array([200.0, 128.0, 128.0]), 50.0, 100.0)
BLUE = "#0072B2"


def flat(ring_m, near_m=5.0):
    ring = np.array(ring_m, float)
    sheet = make_sheet(2 * len(ring), 1, 1)
    first = np.zeros(1, np.int32)
    project_flat(pack([[Layer([ring], BLUE)]]), first, CAMERA.world(), near_m, SIZE_PX, sheet)
    return atlas_on(sheet)


def block(x_m, y_m=0.0, height_m=1.0, opacity=1.0):
    square = outline(-1.0, 1.0, 1.0, 0.0, 0.0)[[0, 2, 4, 6]]
    shapes = pack_solids([Solid([Part(loft([(0, square), (height_m, square)], [BLUE], BLUE))])])
    sheet = make_sheet(200, 50, 50)
    here = [1.0, 0.0, CAMERA.x_m - x_m, -y_m, CAMERA.up_m, abs(x_m - CAMERA.x_m), opacity]
    one = np.zeros(1, np.int32)
    places = CAMERA.bodies(np.array([x_m]), np.array([y_m]), np.zeros(1))
    project_solids(shapes, one, places, np.array([here]), one, LIGHT, SIZE_PX, sheet)
    return atlas_on(sheet)


def test_a_ring_on_the_ground_is_where_the_camera_says():
    ring_m = np.array([[5.0, -2.0], [9.0, -2.0], [9.0, 2.0], [5.0, 2.0]])
    columns, rows, depths = CAMERA.world()[0] @ np.vstack([ring_m.T, np.zeros(4), np.ones(4)])
    expected = np.stack([columns / depths, rows / depths], axis=1)
    np.testing.assert_allclose(flat(ring_m).points, expected)


def test_what_reaches_behind_the_camera_is_cut_off_below_the_picture():
    atlas = flat([[-1e6, -2.0], [50.0, -2.0], [50.0, 2.0], [-1e6, 2.0]])
    assert np.isfinite(atlas.points).all()
    assert len(atlas.points) == 4
    assert atlas.points[:, 1].max() > 720


def test_what_is_behind_the_camera_is_not_there():
    assert len(flat([[-30.0, -2.0], [-20.0, -2.0], [-20.0, 2.0], [-30.0, 2.0]]).points) == 0
    assert len(block(-30.0).points) == 0


def test_a_block_ahead_shows_its_rear_and_its_top():
    # The hull in one piece, then one layer for each of the two faces.
    atlas = block(10.0)
    assert np.diff(atlas.layer_start).tolist() == [2, 1, 1]
    rear, top = atlas.layer_paint[1:, 0]
    assert top > rear


def test_distance_fades_a_block():
    near, far = block(10.0).layer_paint[-1, 0], block(150.0).layer_paint[-1, 0]
    assert near < far < 200


def test_a_block_through_the_near_plane_is_finite():
    for x_m in np.linspace(-12.0, -7.0, 51):
        atlas = block(float(x_m), height_m=6.0)
        assert np.isfinite(atlas.points).all()
        assert np.isfinite(atlas.ring_box).all()
