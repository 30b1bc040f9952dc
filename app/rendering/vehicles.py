"""Road users seen from above: true size, an unmistakable front, one colour each.

Coordinates are a body's own: x ahead, y to its left, metres from the centre of its box.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.rendering.colour import mix
from app.rendering.sprites import Layer, Sprite
from app.scenes.road_map import Points
from app.scenes.scene import RoadUser

GLASS = "#22303A"
HEADLIGHT = "#FFF6D8"
REAR_LIGHT = "#7E1F1F"
BRAKE_LIGHT = "#FF2A1F"
GLOW = "#FF3B2F"
TYRE = "#2B2E31"
SKIN = "#F0D2B6"
WHITE, BLACK = "#FFFFFF", "#000000"

OUTLINE_M = 0.09
# Rings of a soft edge, from the outside in, and the opacity that each adds.
SHADOW_REACHES_M = (0.26, 0.06)
SHADOW_OPACITY = 0.17
CORNER_STEPS = 3
# Around people on foot, who are a few pixels large and would be overlooked.
PALE_RING_M, PALE_RING_OPACITY = 0.35, 0.55


def body_sprite(kind: RoadUser, length_m: float, width_m: float, colour: str) -> Sprite:
    """What is always drawn of a road user."""
    return _BODIES[kind](length_m, width_m, colour)


def shadow_sprite(kind: RoadUser, length_m: float, width_m: float) -> Sprite:
    """A soft shadow where the body meets the ground."""
    half_l, half_w = length_m / 2, width_m / 2
    radius = half_w if kind in _ROUND else 0.35 * half_w
    reaches_m = [reach * min(1.0, width_m) for reach in SHADOW_REACHES_M]
    return [
        Layer([box(-half_l - r, half_l + r, half_w + r, radius + r)], BLACK, SHADOW_OPACITY)
        for r in reaches_m
    ]


def brake_sprite(kind: RoadUser, length_m: float, width_m: float) -> Sprite:
    """Lit brake lights; nothing for those who have none."""
    if kind in (RoadUser.bicycle, RoadUser.pedestrian, RoadUser.other):
        return []
    rear = -length_m / 2
    if kind is RoadUser.motorcycle:
        return [Layer([box(rear, rear + 0.25, 0.15, 0.05)], BRAKE_LIGHT)]
    lamp_m = 0.16 * width_m
    y_m = width_m / 2 - lamp_m
    glow = [disc(rear, side * y_m, 0.5, lamp_m + 0.22) for side in (-1, 1)]
    lamps = _pair(rear, rear + 0.26, y_m - lamp_m, y_m + 0.8 * lamp_m)
    return [Layer(glow, GLOW, 0.3), Layer(lamps, BRAKE_LIGHT)]


def box(rear_m: float, front_m: float, half_width_m: float, radius_m: float) -> Points:
    """A rectangle with round corners, symmetric about the x axis."""
    radius_m = min(radius_m, half_width_m, (front_m - rear_m) / 2)
    return rounded(rear_m, front_m, half_width_m, half_width_m, radius_m, radius_m)


def rounded(
    rear_m: float,
    front_m: float,
    half_rear_m: float,
    half_front_m: float,
    rear_radius_m: float,
    front_radius_m: float,
) -> Points:
    """A trapezium with round corners, symmetric about the x axis."""
    turn = np.linspace(0, np.pi / 2, CORNER_STEPS + 1)
    front = np.stack(
        [
            front_m - front_radius_m * (1 - np.cos(turn)),
            half_front_m - front_radius_m * (1 - np.sin(turn)),
        ],
        axis=1,
    )
    rear = np.stack(
        [
            rear_m + rear_radius_m * (1 - np.sin(turn)),
            half_rear_m - rear_radius_m * (1 - np.cos(turn)),
        ],
        axis=1,
    )
    left = np.concatenate([front, rear])
    return np.concatenate([left, left[::-1] * (1, -1)])


def disc(x_m: float, y_m: float, half_x_m: float, half_y_m: float) -> Points:
    """An ellipse as a ring of straight pieces too short to see."""
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    return np.stack([x_m + half_x_m * np.cos(turn), y_m + half_y_m * np.sin(turn)], axis=1)


def _pair(rear_m: float, front_m: float, inner_m: float, outer_m: float) -> list[Points]:
    """The same rectangle on the left and on the right."""
    left = np.array([[rear_m, inner_m], [front_m, inner_m], [front_m, outer_m], [rear_m, outer_m]])
    return [left, left * (1, -1)]


def _shell(length_m: float, width_m: float, colour: str, rear: float, front: float) -> list[Layer]:
    """Outline and paint of a body; the radii are shares of its half width."""
    half_l, half_w = length_m / 2, width_m / 2
    outer = rounded(-half_l, half_l, half_w, half_w, rear * half_w, front * half_w)
    inner_w = half_w - OUTLINE_M
    inner = rounded(
        -half_l + OUTLINE_M, half_l - OUTLINE_M, inner_w, inner_w, rear * inner_w, front * inner_w
    )
    return [Layer([outer], mix(colour, BLACK, 0.45)), Layer([inner], colour)]


def _lights(length_m: float, width_m: float) -> list[Layer]:
    half_l, half_w = length_m / 2, width_m / 2
    # Swept back, as the corners of the body are.
    lamp = np.array([[-0.16, 0.5], [-0.1, 0.62], [-0.3, 0.84], [-0.46, 0.88], [-0.36, 0.56]])
    left = lamp * (1, half_w) + (half_l, 0)
    rear = _pair(-half_l + 0.07, -half_l + 0.22, 0.5 * half_w, 0.84 * half_w)
    return [Layer([left, left * (1, -1)], HEADLIGHT), Layer(rear, REAR_LIGHT)]


def _car(length_m: float, width_m: float, colour: str) -> Sprite:
    half_w = width_m / 2
    cabin = rounded(
        -0.42 * length_m, 0.22 * length_m, 0.74 * half_w, 0.84 * half_w,
        0.3 * half_w, 0.45 * half_w,
    )  # fmt: skip
    roof = rounded(
        -0.31 * length_m, 0.06 * length_m, 0.66 * half_w, 0.70 * half_w,
        0.15 * half_w, 0.25 * half_w,
    )  # fmt: skip
    return [
        *_shell(length_m, width_m, colour, 0.45, 0.72),
        *_lights(length_m, width_m),
        Layer([cabin], GLASS),
        Layer([roof], colour),
    ]


def _van(length_m: float, width_m: float, colour: str) -> Sprite:
    half_w = width_m / 2
    glass = rounded(
        0.22 * length_m, 0.40 * length_m, 0.86 * half_w, 0.74 * half_w, 0.05, 0.25 * half_w
    )
    rear_glass = box(-0.47 * length_m, -0.44 * length_m, 0.7 * half_w, 0.02)
    return [
        *_shell(length_m, width_m, colour, 0.2, 0.5),
        *_lights(length_m, width_m),
        Layer([glass, rear_glass], GLASS),
    ]


def _truck(length_m: float, width_m: float, colour: str) -> Sprite:
    half_l, half_w = length_m / 2, width_m / 2
    cab_m = min(2.3, 0.3 * length_m)
    cab_rear = half_l - cab_m
    cargo = box(-half_l, cab_rear - 0.25, half_w, 0.1)
    inner = box(-half_l + OUTLINE_M, cab_rear - 0.25 - OUTLINE_M, half_w - OUTLINE_M, 0.06)
    cab = rounded(cab_rear, half_l, 0.96 * half_w, 0.94 * half_w, 0.1, 0.3 * half_w)
    roof = rounded(
        cab_rear + OUTLINE_M, half_l - OUTLINE_M, 0.9 * half_w, 0.88 * half_w, 0.08, 0.25 * half_w
    )
    glass = rounded(half_l - 0.75, half_l - 0.22, 0.84 * half_w, 0.80 * half_w, 0.05, 0.15)
    chassis = box(-half_l + 0.3, cab_rear + 0.3, 0.4 * half_w, 0.05)
    dark = mix(colour, BLACK, 0.45)
    ribs = [
        box(x - 0.04, x + 0.04, half_w - 2 * OUTLINE_M, 0.0)
        for x in np.arange(-half_l + 2.0, cab_rear - 1.2, 2.0)
    ]
    return [
        Layer([chassis], TYRE),
        Layer([cargo, cab], dark),
        Layer([inner], colour),
        Layer(ribs, mix(colour, BLACK, 0.14)),
        Layer([roof], mix(colour, WHITE, 0.25)),
        Layer([glass], GLASS),
        Layer(_pair(half_l - 0.2, half_l - 0.06, 0.55 * half_w, 0.85 * half_w), HEADLIGHT),
        Layer(_pair(-half_l + 0.03, -half_l + 0.2, 0.6 * half_w, 0.92 * half_w), REAR_LIGHT),
    ]


def _bus(length_m: float, width_m: float, colour: str) -> Sprite:
    half_l, half_w = length_m / 2, width_m / 2
    glass = rounded(half_l - 0.8, half_l - 0.12, 0.88 * half_w, 0.82 * half_w, 0.04, 0.3 * half_w)
    rear_glass = box(-half_l + 0.12, -half_l + 0.4, 0.75 * half_w, 0.05)
    hatches = [
        box(x - 0.55, x + 0.55, 0.42 * half_w, 0.1) for x in (-0.25 * length_m, 0.25 * length_m)
    ]
    return [
        *_shell(length_m, width_m, colour, 0.25, 0.35),
        Layer(_pair(-half_l + 0.9, half_l - 1.2, 0.86 * half_w, 0.93 * half_w), GLASS),
        Layer([glass, rear_glass], GLASS),
        Layer(hatches, mix(colour, WHITE, 0.45)),
        Layer(_pair(-half_l + 0.03, -half_l + 0.2, 0.6 * half_w, 0.9 * half_w), REAR_LIGHT),
    ]


def _two_wheeler(length_m: float, width_m: float, colour: str, body_share: float) -> Sprite:
    """Wheels, a frame as wide as its share, handlebar, and a rider as wide as the box."""
    half_l, half_w = length_m / 2, width_m / 2
    wheels = box(-half_l, half_l, 0.09, 0.09)
    frame = rounded(
        -0.32 * length_m,
        0.36 * length_m,
        body_share * half_w,
        0.6 * body_share * half_w,
        0.05,
        0.05,
    )
    bar = box(0.2 * length_m, 0.2 * length_m + 0.1, 0.9 * half_w, 0.05)
    shoulders = disc(-0.04 * length_m, 0.0, min(0.26, 0.2 * length_m), half_w)
    head = disc(0.02 * length_m, 0.0, 0.17, 0.15)
    return [
        Layer([wheels, bar], TYRE),
        Layer([frame], mix(colour, BLACK, 0.3)),
        Layer([shoulders], colour),
        Layer([head], mix(colour, WHITE, 0.75)),
    ]


def _motorcycle(length_m: float, width_m: float, colour: str) -> Sprite:
    return _two_wheeler(length_m, width_m, colour, 0.6)


def _bicycle(length_m: float, width_m: float, colour: str) -> Sprite:
    return _two_wheeler(length_m, width_m, colour, 0.2)


def _pedestrian(length_m: float, width_m: float, colour: str) -> Sprite:
    half_l, half_w = length_m / 2, width_m / 2
    around_m = max(half_l, half_w) + PALE_RING_M
    return [
        Layer([disc(0.0, 0.0, around_m, around_m)], WHITE, PALE_RING_OPACITY),
        Layer([disc(0.0, 0.0, half_l, half_w)], mix(colour, BLACK, 0.35)),
        Layer([disc(0.0, 0.0, 0.86 * half_l, 0.88 * half_w)], colour),
        Layer([disc(0.16 * half_l, 0.0, 0.5 * half_l, 0.42 * half_w)], SKIN),
    ]


def _other(length_m: float, width_m: float, colour: str) -> Sprite:
    half_l, half_w = length_m / 2, width_m / 2
    wedge = np.array(
        [[0.8 * half_l, 0], [0.3 * half_l, 0.6 * half_w], [0.3 * half_l, -0.6 * half_w]]
    )
    return [*_shell(length_m, width_m, colour, 0.3, 0.3), Layer([wedge], GLASS)]


_ROUND = (RoadUser.motorcycle, RoadUser.bicycle, RoadUser.pedestrian)
_BODIES: dict[RoadUser, Callable[[float, float, str], Sprite]] = {
    RoadUser.car: _car,
    RoadUser.van: _van,
    RoadUser.truck: _truck,
    RoadUser.bus: _bus,
    RoadUser.motorcycle: _motorcycle,
    RoadUser.bicycle: _bicycle,
    RoadUser.pedestrian: _pedestrian,
    RoadUser.other: _other,
}
