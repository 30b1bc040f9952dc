"""Road users as solids: true length and width, usual heights, a front and a rear that differ."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.rendering.colour import mix
from app.rendering.riders import bicycle, motorcycle, pedestrian, rear_lamps
from app.rendering.solids import (
    FRONT,
    FRONT_LEFT,
    FRONT_RIGHT,
    LEFT,
    N_SIDES,
    REAR,
    REAR_LEFT,
    REAR_RIGHT,
    RIGHT,
    Face,
    Part,
    Shine,
    Solid,
    loft,
    outline,
    patch,
)
from app.rendering.vehicles import (
    BLACK,
    GLASS,
    HEADLIGHT,
    TYRE,
    WHITE,
)
from app.scenes.scene import RoadUser

PLATE = "#E9EAE6"
HUB = "#9AA1A8"
N_WHEEL, TYRE_M = 12, 0.24


def body_solid(kind: RoadUser, length_m: float, width_m: float, colour: str) -> Solid:
    """The solid of a road user; heights are those of its kind, less if it is tiny."""
    return _SOLIDS[kind](length_m, width_m, colour)


def _car(length_m: float, width_m: float, colour: str) -> Solid:
    half_l, half_w = length_m / 2, width_m / 2
    h = min(1.0, width_m / 1.2, length_m / 2.4)
    sections = [
        (0.20 * h, outline(-half_l + 0.05 * h, half_l - 0.06 * h, 0.93 * half_w, 0.25, 0.35)),
        (0.50 * h, outline(-half_l, half_l, half_w, 0.25, 0.38)),
        (0.78 * h, outline(-half_l + 0.02 * h, half_l - 0.10 * h, 0.98 * half_w, 0.25, 0.42)),
        (0.93 * h, outline(-half_l + 0.12 * h, half_l - 0.50 * h, 0.89 * half_w, 0.25, 0.40)),
    ]
    hull = loft(sections, [mix(colour, BLACK, 0.25), colour, colour], colour)
    trim = [*_lights(hull[N_SIDES : 2 * N_SIDES]), *_bumpers(hull[:N_SIDES])]
    wheels = _wheels((0.29 * length_m, -0.3 * length_m), half_w, 0.33 * h)
    pillared = [GLASS, colour] * 4
    cabin = loft(
        [
            (0.90 * h, outline(-0.44 * length_m, 0.22 * length_m, 0.87 * half_w, 0.2, 0.22)),
            (1.40 * h, outline(-0.31 * length_m, 0.04 * length_m, 0.70 * half_w, 0.2, 0.22)),
            (1.47 * h, outline(-0.28 * length_m, 0.0, 0.62 * half_w, 0.2, 0.2)),
        ],
        [pillared, colour],
        colour,
    )
    doors = [patch(cabin[side], (0.47, 0.53), (0, 1), colour) for side in (LEFT, RIGHT)]
    tyres = _tyres((0.29 * length_m, -0.3 * length_m), 0.95 * half_w, 0.33 * h)
    return Solid([tyres, Part(hull, [*trim, *wheels]), Part(cabin, doors)])


def _van(length_m: float, width_m: float, colour: str) -> Solid:
    half_l, half_w = length_m / 2, width_m / 2
    h = min(1.0, width_m / 1.4, length_m / 3.0)
    sections = [
        (0.22 * h, outline(-half_l + 0.05 * h, half_l - 0.05 * h, 0.94 * half_w, 0.1, 0.3)),
        (0.55 * h, outline(-half_l, half_l, half_w, 0.1, 0.3)),
        (0.85 * h, outline(-half_l, half_l - 0.15 * h, half_w, 0.1, 0.3)),
        (1.10 * h, outline(-half_l, half_l - 0.75 * h, 0.99 * half_w, 0.1, 0.2)),
        (1.95 * h, outline(-half_l + 0.05 * h, half_l - 1.45 * h, 0.90 * half_w, 0.1, 0.2)),
        (2.05 * h, outline(-half_l + 0.15 * h, half_l - 1.60 * h, 0.82 * half_w, 0.1, 0.2)),
    ]
    screen = [GLASS, *[colour] * 7]
    hull = loft(sections, [mix(colour, BLACK, 0.25), colour, colour, screen, colour], colour)
    upper = hull[3 * N_SIDES : 4 * N_SIDES]
    trim = [
        *_lights(hull[N_SIDES : 2 * N_SIDES]),
        *_bumpers(hull[:N_SIDES]),
        patch(upper[REAR], (0.08, 0.48), (0.3, 0.85), GLASS),
        patch(upper[REAR], (0.52, 0.92), (0.3, 0.85), GLASS),
        patch(upper[LEFT], (0.02, 0.3), (0.15, 0.85), GLASS),
        patch(upper[RIGHT], (0.7, 0.98), (0.15, 0.85), GLASS),
    ]
    wheels = _wheels((0.31 * length_m, -0.31 * length_m), half_w, 0.35 * h)
    tyres = _tyres((0.31 * length_m, -0.31 * length_m), 0.95 * half_w, 0.35 * h)
    return Solid([tyres, Part(hull, [*trim, *wheels])])


def _bus(length_m: float, width_m: float, colour: str) -> Solid:
    half_l, half_w = length_m / 2, width_m / 2
    h = min(1.0, width_m / 1.8, length_m / 5.0)
    sections = [
        (0.25 * h, outline(-half_l, half_l - 0.03 * h, 0.97 * half_w, 0.08, 0.15)),
        (0.60 * h, outline(-half_l, half_l, half_w, 0.08, 0.15)),
        (1.10 * h, outline(-half_l, half_l, half_w, 0.08, 0.15)),
        (2.70 * h, outline(-half_l + 0.05 * h, half_l - 0.12 * h, 0.97 * half_w, 0.08, 0.15)),
        (3.05 * h, outline(-half_l + 0.15 * h, half_l - 0.25 * h, 0.90 * half_w, 0.08, 0.15)),
    ]
    windows = [GLASS, GLASS, GLASS, colour, colour, colour, GLASS, GLASS]
    hull = loft(sections, [mix(colour, BLACK, 0.25), colour, windows, colour], colour)
    upper = hull[2 * N_SIDES : 3 * N_SIDES]
    posts = [
        patch(upper[side], (at - 0.006, at + 0.006), (0, 1), colour)
        for side in (LEFT, RIGHT)
        for at in np.linspace(0.0, 1.0, 8)[1:-1]
    ]
    trim = [
        *_lights(hull[N_SIDES : 2 * N_SIDES]),
        *_bumpers(hull[:N_SIDES]),
        patch(upper[REAR], (0.1, 0.9), (0.35, 0.9), GLASS),
    ]
    wheels = _wheels((0.28 * length_m, -0.26 * length_m), half_w, 0.48 * h)
    tyres = _tyres((0.28 * length_m, -0.26 * length_m), 0.95 * half_w, 0.48 * h)
    return Solid([tyres, Part(hull, [*posts, *trim, *wheels])])


def _truck(length_m: float, width_m: float, colour: str) -> Solid:
    half_l, half_w = length_m / 2, width_m / 2
    h = min(1.0, width_m / 1.8, length_m / 4.0)
    cab_rear = half_l - min(2.3, 0.3 * length_m)
    chassis = loft(
        [
            (0.35 * h, outline(-half_l, half_l - 0.3 * h, 0.9 * half_w, 0.02, 0.05)),
            (1.00 * h, outline(-half_l, half_l - 0.3 * h, 0.9 * half_w, 0.02, 0.05)),
        ],
        [TYRE],
        TYRE,
    )
    cab = loft(
        [
            (0.40 * h, outline(cab_rear, half_l - 0.05 * h, 0.96 * half_w, 0.05, 0.15)),
            (1.00 * h, outline(cab_rear, half_l, 0.98 * half_w, 0.05, 0.15)),
            (1.60 * h, outline(cab_rear, half_l, 0.98 * half_w, 0.05, 0.15)),
            (2.60 * h, outline(cab_rear, half_l - 0.18 * h, 0.95 * half_w, 0.05, 0.15)),
            (3.00 * h, outline(cab_rear, half_l - 0.70 * h, 0.90 * half_w, 0.05, 0.15)),
        ],
        [mix(colour, BLACK, 0.25), colour, [GLASS, GLASS, *[colour] * 5, GLASS], colour],
        colour,
    )
    side_windows = [
        patch(cab[2 * N_SIDES + LEFT], (0.05, 0.55), (0.05, 0.9), GLASS),
        patch(cab[2 * N_SIDES + RIGHT], (0.45, 0.95), (0.05, 0.9), GLASS),
    ]
    lamps = _lights(cab[:N_SIDES])[:4]
    light = mix(colour, WHITE, 0.18)
    cargo = loft(
        [
            (0.95 * h, outline(-half_l, cab_rear - 0.25, half_w, 0.02, 0.02)),
            (3.60 * h, outline(-half_l, cab_rear - 0.25, half_w, 0.02, 0.02)),
        ],
        [light],
        light,
    )
    doors = [
        patch(cargo[REAR], (0.49, 0.51), (0.03, 0.97), mix(colour, BLACK, 0.35)),
        patch(cargo[REAR], (0.03, 0.97), (0.0, 0.04), mix(colour, BLACK, 0.35)),
    ]
    at = (half_l - 1.3, -half_l + 1.2, -half_l + 2.4) if length_m > 7 else (half_l - 1, -half_l + 1)
    wheels = _wheels(at, 0.97 * half_w, 0.5 * h)
    rear = rear_lamps([chassis[REAR]], (0.04, 0.2), (0.45, 0.8))
    return Solid(
        [
            _tyres(at, 0.95 * half_w, 0.5 * h),
            Part(chassis, [*rear, *wheels]),
            Part(cab, [*side_windows, *lamps]),
            Part(cargo, doors),
        ],
        cut_m=cab_rear - 0.12,
    )


def _other(length_m: float, width_m: float, colour: str) -> Solid:
    half_l, half_w = length_m / 2, width_m / 2
    h = min(1.0, width_m / 1.2, length_m / 1.2)
    hull = loft(
        [
            (0.1 * h, outline(-half_l, half_l, 0.95 * half_w, 0.2, 0.2)),
            (0.6 * h, outline(-half_l, half_l, half_w, 0.2, 0.2)),
            (1.4 * h, outline(-0.9 * half_l, 0.7 * half_l, 0.85 * half_w, 0.2, 0.2)),
        ],
        [colour, [GLASS, *[colour] * 7]],
        colour,
    )
    wedge = np.array([[0.55, 0], [0.1, 0.5], [0.1, -0.5]]) * (half_l, half_w)
    arrow = Face(np.column_stack([wedge, np.full(3, 1.4 * h)]), GLASS)
    return Solid([Part(hull, [arrow, *_lights(hull[:N_SIDES])])])


def _lights(band: list[Face]) -> list[Face]:
    """Headlights first, then rear lights, in a band of faces round a body."""
    lamp: dict[int, tuple[float, float]] = {FRONT_LEFT: (0, 0.6), FRONT_RIGHT: (0.4, 1)}
    front = [
        patch(band[side], across, (0.25, 0.8), HEADLIGHT, Shine.itself)
        for side, across in ((FRONT, (0.0, 0.24)), (FRONT, (0.76, 1.0)), *lamp.items())
    ]
    return front + rear_lamps(
        [band[REAR], band[REAR_LEFT], band[REAR_RIGHT]], (0.0, 0.27), (0.4, 0.95)
    )


def _bumpers(band: list[Face]) -> list[Face]:
    """The grille and what is low at the rear, both dark."""
    return [
        patch(band[FRONT], (0.12, 0.88), (0.2, 0.95), TYRE),
        patch(band[REAR], (0.05, 0.95), (0.0, 0.5), TYRE),
        patch(band[REAR], (0.36, 0.64), (0.45, 0.95), PLATE),
    ]


def _tyres(at_m: tuple[float, ...], half_m: float, radius_m: float) -> Part:
    """What is seen of wheels below a body, from before and behind."""
    hull: list[Face] = []
    corners = np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]]) * (radius_m, TYRE_M / 2)
    for x_m in at_m:
        for side in (-1, 1):
            around = corners + np.array([x_m, side * (half_m - TYRE_M / 2)])
            hull += loft([(0.0, around), (radius_m, around)], [TYRE], TYRE)[:4]
    return Part(hull)


def _wheels(at_m: tuple[float, ...], half_m: float, radius_m: float) -> list[Face]:
    turn = np.linspace(0, 2 * np.pi, N_WHEEL, endpoint=False)
    faces = []
    for x_m in at_m:
        for side in (-1, 1):
            for share, colour in ((1.0, TYRE), (0.52, HUB)):
                x = x_m - side * share * radius_m * np.cos(turn)
                z = radius_m + share * radius_m * np.sin(turn)
                corners = np.column_stack([x, np.full(N_WHEEL, side * (half_m + 0.004)), z])
                faces.append(Face(corners, colour))
    return faces


_SOLIDS: dict[RoadUser, Callable[[float, float, str], Solid]] = {
    RoadUser.car: _car,
    RoadUser.van: _van,
    RoadUser.truck: _truck,
    RoadUser.bus: _bus,
    RoadUser.motorcycle: motorcycle,
    RoadUser.bicycle: bicycle,
    RoadUser.pedestrian: pedestrian,
    RoadUser.other: _other,
}
