"""People on foot and on two wheels."""

import numpy as np

from app.rendering.riders import HAIR, bicycle, motorcycle, pedestrian
from app.rendering.solids import Shine
from app.rendering.vehicles import SKIN

BLUE = "#0072B2"


def faces(solid):
    return [face for part in solid.parts for face in (*part.hull, *part.on_it)]


def test_a_face_looks_ahead():
    head = pedestrian(0.6, 0.6, BLUE).parts[-1].hull
    skin = np.concatenate([face.corners_m for face in head if face.colour == SKIN])
    hair = np.concatenate([face.corners_m for face in head if face.colour == HAIR])
    assert skin[:, 0].mean() > 0 > hair[:, 0].mean()


def test_a_motorcycle_is_broader_than_a_bicycle_but_for_its_rider():
    widths = [
        np.ptp(np.concatenate([f.corners_m for f in solid.parts[1].hull])[:, 1])
        for solid in (motorcycle(2.2, 0.8, BLUE), bicycle(2.2, 0.8, BLUE))
    ]
    assert widths[0] > 2 * widths[1]


def test_a_motorcycle_brakes_visibly_and_a_bicycle_does_not():
    assert any(face.shine is Shine.braking for face in faces(motorcycle(2.2, 0.8, BLUE)))
    assert not any(face.shine is Shine.braking for face in faces(bicycle(2.2, 0.8, BLUE)))
