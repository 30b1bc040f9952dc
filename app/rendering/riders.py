"""People as solids: on foot and on two wheels."""

from __future__ import annotations

from app.rendering.colour import mix
from app.rendering.solids import (
    FRONT,
    N_SIDES,
    REAR,
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
    BRAKE_LIGHT,
    HEADLIGHT,
    REAR_LIGHT,
    SKIN,
    TYRE,
    WHITE,
)
from app.scenes.road_map import Points

HAIR = "#4A3B30"
# Narrower frames, as a share of the rider, are bicycles and have no lamps to speak of.
LIT_SHARE = 0.3


def motorcycle(length_m: float, width_m: float, colour: str) -> Solid:
    """Broad, with a lamp at either end."""
    return _rider(length_m, width_m, colour, 0.6)


def bicycle(length_m: float, width_m: float, colour: str) -> Solid:
    """The same, but thin."""
    return _rider(length_m, width_m, colour, 0.15)


def pedestrian(length_m: float, width_m: float, colour: str) -> Solid:
    """Legs, a body as large as the box, and a head that shows where the face is."""
    half_l, half_w = length_m / 2, width_m / 2
    h = min(1.0, length_m / 0.3, width_m / 0.3)
    dark = mix(colour, BLACK, 0.45)

    def around(share: float) -> Points:
        return outline(-share * half_l, share * half_l, share * half_w, 0.6, 0.6)

    legs = loft([(0.0, around(0.45)), (0.85 * h, around(0.62))], [dark], dark)
    torso = loft(
        [(0.8 * h, around(0.66)), (1.35 * h, around(1.0)), (1.48 * h, around(0.5))],
        [colour, colour],
        colour,
    )
    return Solid([Part(legs), Part(torso), Part(_head(1.46 * h, h, SKIN, HAIR))])


def rear_lamps(
    faces: list[Face], across: tuple[float, float], upward: tuple[float, float]
) -> list[Face]:
    """A lamp on either side of the first face, running on into the others; lit when braking."""
    places = [(faces[0], across), (faces[0], (1 - across[1], 1 - across[0]))]
    places += [(face, (0.0, 1.0)) for face in faces[1:]]
    dim = [patch(face, along, upward, REAR_LIGHT) for face, along in places]
    lit = [patch(face, along, upward, BRAKE_LIGHT, Shine.braking) for face, along in places]
    return [lamp for pair in zip(dim, lit, strict=True) for lamp in pair]


def _rider(length_m: float, width_m: float, colour: str, frame_share: float) -> Solid:
    """Wheels, a frame as wide as its share, and a rider as wide as the box."""
    half_l, half_w = length_m / 2, width_m / 2
    h = min(1.0, length_m / 1.2, width_m / 0.4)
    dark, light = mix(colour, BLACK, 0.3), mix(colour, WHITE, 0.75)
    tyre = min(0.06, 0.3 * half_w)
    wheels = loft(
        [
            (0.0, outline(-half_l + 0.22 * h, half_l - 0.22 * h, tyre, 0.3, 0.3)),
            (0.33 * h, outline(-half_l, half_l, tyre, 0.3, 0.3)),
            (0.62 * h, outline(-half_l + 0.2 * h, half_l - 0.2 * h, tyre, 0.3, 0.3)),
        ],
        [TYRE, TYRE],
        TYRE,
    )
    half_f = max(frame_share * half_w, tyre)
    frame = loft(
        [
            (0.45 * h, outline(-0.3 * length_m, 0.3 * length_m, 0.8 * half_f, 0.4, 0.4)),
            (0.75 * h, outline(-0.42 * length_m, 0.34 * length_m, half_f, 0.4, 0.4)),
            (0.95 * h, outline(-0.3 * length_m, 0.3 * length_m, 0.7 * half_f, 0.4, 0.4)),
        ],
        [dark, dark],
        dark,
    )
    lamps = [] if frame_share < LIT_SHARE else _lamps(frame[N_SIDES:])
    body = loft(
        [
            (0.80 * h, outline(-0.22 * length_m, 0.04 * length_m, 0.6 * half_w, 0.5, 0.5)),
            (1.30 * h, outline(-0.14 * length_m, 0.1 * length_m, half_w, 0.5, 0.5)),
            (1.45 * h, outline(-0.1 * length_m, 0.08 * length_m, 0.5 * half_w, 0.5, 0.5)),
        ],
        [colour, colour],
        colour,
    )
    return Solid(
        [Part(wheels), Part(frame, lamps), Part(body), Part(_head(1.42 * h, h, light, light))]
    )


def _lamps(band: list[Face]) -> list[Face]:
    dim_and_lit = rear_lamps([band[REAR]], (0.1, 0.9), (0.0, 0.6))[:2]
    front = patch(band[FRONT], (0.1, 0.9), (0.0, 0.7), HEADLIGHT, Shine.itself)
    return [*dim_and_lit, front]


def _head(z_m: float, h: float, front: str, back: str) -> list[Face]:
    def around(radius_m: float) -> Points:
        return outline(-radius_m * h, radius_m * h, 0.9 * radius_m * h, 0.6, 0.6)

    sides = [front, front, *[back] * 5, front]
    sections = [(z_m, around(0.07)), (z_m + 0.12 * h, around(0.13))]
    sections += [(z_m + 0.22 * h, around(0.12)), (z_m + 0.29 * h, around(0.06))]
    return loft(sections, [sides, sides, back], back)
