"""Solids in flat arrays."""

import numpy as np

from app.rendering.solids import Face, Part, Solid, loft, outline, pack_solids, patch

SQUARE = np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]])
RED = "#FF0000"


def cube():
    return loft([(0.0, SQUARE), (2.0, SQUARE)], [RED], RED)


def test_the_faces_of_a_loft_look_outwards():
    shapes = pack_solids([Solid([Part(cube())])])
    normals = shapes.face_plane[:, :3]
    expected = [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [0, 0, 1]]
    np.testing.assert_allclose(normals, expected, atol=1e-12)
    np.testing.assert_allclose(shapes.face_plane[:, 3], [1, 1, 1, 1, 2])


def test_an_outline_has_the_size_it_is_given_and_turns_left():
    ring = outline(-2.0, 3.0, 1.0, 0.2, 0.4)
    assert len(ring) == 8
    assert (ring.min(axis=0).tolist(), ring.max(axis=0).tolist()) == ([-2, -1], [3, 1])
    x, y = ring.T
    assert (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0


def test_a_patch_lies_on_its_face():
    front = cube()[0]
    lamp = patch(front, (0.0, 0.25), (0.5, 1.0), RED)
    assert lamp.corners_m.tolist() == [[1, -1, 1], [1, -0.5, 1], [1, -0.5, 2], [1, -1, 2]]


def test_parts_and_faces_keep_their_places():
    lamp = Face(np.array([[1.0, 0, 0], [1, 1, 0], [1, 1, 1]]), "#00FF00")
    shapes = pack_solids([Solid([Part(cube(), [lamp])]), Solid([Part(cube()), Part(cube())], 0.5)])
    assert shapes.solid_start.tolist() == [0, 1, 3]
    assert shapes.part_start.tolist() == [0, 6, 11, 16]
    assert shapes.hull_size.tolist() == [5, 5, 5]
    assert shapes.cut_m.tolist() == [np.inf, 0.5]
