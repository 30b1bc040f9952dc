"""Road users seen from above."""

import numpy as np
import pytest

from app.rendering.vehicles import body_sprite, brake_sprite, disc, shadow_sprite
from app.scenes.scene import RoadUser

BLUE = "#0072B2"
SIZES_M = [(4.5, 1.8), (0.5, 0.6), (18.0, 2.5), (1.5, 1.5), (0.2, 0.2)]


def corners(sprite):
    return np.concatenate([ring for layer in sprite for ring in layer.rings_m])


@pytest.mark.parametrize("kind", [RoadUser.car, RoadUser.van, RoadUser.truck, RoadUser.bus])
def test_a_vehicle_is_exactly_as_large_as_it_is(kind):
    body = corners(body_sprite(kind, 9.0, 2.4, BLUE))
    np.testing.assert_allclose(np.abs(body).max(axis=0), (4.5, 1.2))
    np.testing.assert_allclose(np.ptp(body, axis=0), (9.0, 2.4))


@pytest.mark.parametrize("kind", list(RoadUser))
@pytest.mark.parametrize("size_m", SIZES_M)
def test_every_kind_is_drawn_in_every_size(kind, size_m):
    for sprite in (body_sprite(kind, *size_m, BLUE), shadow_sprite(kind, *size_m)):
        assert np.isfinite(corners(sprite)).all()


@pytest.mark.parametrize("kind", list(RoadUser))
def test_left_and_right_mirror_each_other(kind):
    for layer in body_sprite(kind, 9.0, 2.4, BLUE):
        points = np.concatenate(layer.rings_m).round(6) + 0.0
        mirrored = (points * (1, -1)).round(6) + 0.0
        assert set(map(tuple, points)) == set(map(tuple, mirrored))


@pytest.mark.parametrize("kind", list(RoadUser))
def test_front_and_rear_differ(kind):
    layers = body_sprite(kind, 4.5, 1.8, BLUE)
    assert any(
        set(map(tuple, np.concatenate(layer.rings_m).round(3)))
        != set(map(tuple, (np.concatenate(layer.rings_m) * (-1, 1)).round(3)))
        for layer in layers
        if layer.rings_m
    )


def test_every_kind_looks_different():
    looks = {
        tuple(
            (layer.colour, corners([layer]).round(3).tobytes())
            for layer in body_sprite(k, 4, 2, BLUE)
            if layer.rings_m
        )
        for k in RoadUser
    }
    assert len(looks) == len(RoadUser)


def test_brake_lights_are_at_the_rear():
    lamps = brake_sprite(RoadUser.car, 4.5, 1.8)[-1]
    assert corners([lamps])[:, 0].max() < -1.9


def test_who_has_no_brake_lights_shows_none():
    for kind in (RoadUser.bicycle, RoadUser.pedestrian):
        assert brake_sprite(kind, 1.8, 0.6) == []


def test_a_shadow_reaches_beyond_the_body():
    assert np.abs(corners(shadow_sprite(RoadUser.car, 4.5, 1.8))).max(axis=0)[1] > 0.9


def test_who_walks_stands_out_and_keeps_the_true_size():
    ring, outline, *_ = body_sprite(RoadUser.pedestrian, 0.5, 0.6, BLUE)
    assert ring.opacity < 1
    assert np.abs(corners([ring])).max() > 0.6
    np.testing.assert_allclose(np.abs(corners([outline])).max(axis=0), (0.25, 0.3))


def test_a_disc_is_round():
    away = np.hypot(*(disc(1.0, 2.0, 0.5, 0.5) - (1.0, 2.0)).T)
    np.testing.assert_allclose(away, 0.5)
