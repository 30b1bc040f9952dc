"""Road users as solids."""

import numpy as np
import pytest

from app.rendering.bodies import body_solid
from app.rendering.solids import Shine, pack_solids
from app.scenes.scene import RoadUser

SIZES_M = {
    RoadUser.car: (4.5, 1.8),
    RoadUser.van: (5.6, 2.0),
    RoadUser.truck: (12.0, 2.5),
    RoadUser.bus: (12.0, 2.5),
    RoadUser.motorcycle: (2.2, 0.85),
    RoadUser.bicycle: (1.8, 0.6),
    RoadUser.pedestrian: (0.6, 0.6),
    RoadUser.other: (3.0, 1.5),
}


def faces(kind, length_m=None, width_m=None):
    usual = SIZES_M[kind]
    solid = body_solid(kind, length_m or usual[0], width_m or usual[1], "#0072B2")
    return [face for part in solid.parts for face in (*part.hull, *part.on_it)]


@pytest.mark.parametrize("kind", list(RoadUser))
def test_a_body_fills_its_box_and_stands_on_the_road(kind):
    corners = np.concatenate([face.corners_m for face in faces(kind)])
    length_m, width_m = SIZES_M[kind]
    np.testing.assert_allclose(np.ptp(corners[:, :2], axis=0), (length_m, width_m), atol=0.02)
    assert 0 <= corners[:, 2].min() < 0.3
    assert 1.2 < corners[:, 2].max() < 4


@pytest.mark.parametrize("kind", list(RoadUser))
@pytest.mark.parametrize("size_m", [(0.01, 0.01), (0.1, 5.0), (5.0, 0.1), (100.0, 100.0)])
def test_a_body_of_any_size_is_finite(kind, size_m):
    shapes = pack_solids([body_solid(kind, *size_m, "#0072B2")])
    assert np.isfinite(shapes.corners).all()
    assert np.isfinite(shapes.face_plane).all()


@pytest.mark.parametrize("kind", [RoadUser.car, RoadUser.van, RoadUser.truck, RoadUser.bus])
def test_brake_lights_are_behind_and_headlights_before(kind):
    lit = [face for face in faces(kind) if face.shine is Shine.braking]
    lamps = [face for face in faces(kind) if face.shine is Shine.itself]
    half_m = SIZES_M[kind][0] / 2
    assert all(face.corners_m[:, 0].max() < -0.8 * half_m for face in lit)
    assert all(face.corners_m[:, 0].min() > 0.8 * half_m for face in lamps)
    assert len(lit) >= 2 <= len(lamps)
