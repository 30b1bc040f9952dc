"""Units that a table may give in its header or its mapping, such as `x [ft]` or `speed_kmh`."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from math import radians


class Quantity(StrEnum):
    """What a column measures."""

    time = "time"
    length = "length"
    speed = "speed"
    acceleration = "acceleration"
    angle = "angle"


_FOOT = Fraction("0.3048")
_MILE = 5280 * _FOOT
_DEGREE = Fraction(radians(1))

# What one of each is in the scene's unit; spellings are in lower case and without spaces.
_SPELLINGS: dict[Quantity, tuple[tuple[str, Fraction], ...]] = {
    Quantity.time: (
        ("s sec secs second seconds", Fraction(1)),
        ("ms msec millisecond milliseconds", Fraction(1, 1000)),
        ("us µs μs microsecond microseconds", Fraction(1, 10**6)),
        ("ns nanosecond nanoseconds", Fraction(1, 10**9)),
        ("min minute minutes", Fraction(60)),
        ("h hour hours", Fraction(3600)),
    ),
    Quantity.length: (
        ("m meter meters metre metres", Fraction(1)),
        ("cm", Fraction(1, 100)),
        ("mm", Fraction(1, 1000)),
        ("km", Fraction(1000)),
        ("ft foot feet", _FOOT),
        ("in inch inches", _FOOT / 12),
        ("yd yard yards", 3 * _FOOT),
        ("mi mile miles", _MILE),
    ),
    Quantity.speed: (
        ("m/s mps m_s m/sec ms-1 ms^-1 m*s^-1", Fraction(1)),
        ("km/h kmh kmph kph km_h", Fraction(1000, 3600)),
        ("mph mi/h", _MILE / 3600),
        ("ft/s ftps ft_s ft/sec", _FOOT),
        ("cm/s", Fraction(1, 100)),
        ("kn knot knots", Fraction(1852, 3600)),
    ),
    Quantity.acceleration: (
        ("m/s2 m/s^2 m/s² m/s/s mps2 m_s2 ms-2 ms^-2 m*s^-2 m/sec2", Fraction(1)),
        ("ft/s2 ft/s^2 ft/s² ftps2 ft_s2", _FOOT),
        ("g", Fraction("9.80665")),
    ),
    Quantity.angle: (
        ("rad radian radians", Fraction(1)),
        ("deg degs degree degrees °", _DEGREE),
    ),
}
SCALES: dict[Quantity, dict[str, Fraction]] = {
    quantity: {name: scale for names, scale in spellings for name in names.split()}
    for quantity, spellings in _SPELLINGS.items()
}

MAX_CHARACTERS = 40
# A count of frames is a time once a frame has a length: [1/25 s], [0.04 s], [25 Hz].
_MULTIPLE = re.compile(r"(\d+(?:\.\d+)?)(?:/(\d+(?:\.\d+)?))?(\D.*)")


def parse_unit(text: str, quantity: Quantity) -> Fraction | None:
    """What one of the unit is in SI; None if it is no unit of the quantity.

    >>> parse_unit("1/25 s", Quantity.time)
    Fraction(1, 25)
    >>> float(parse_unit("km/h", Quantity.speed) * 36)
    10.0
    """
    text = text.lower().replace(" ", "")
    if len(text) > MAX_CHARACTERS:
        return None
    if text in SCALES[quantity]:
        return SCALES[quantity][text]
    match = _MULTIPLE.fullmatch(text)
    if match is None:
        return None
    number, divisor, unit = Fraction(match[1]), Fraction(match[2] or 1), match[3]
    if not number or not divisor:
        return None
    if unit in ("hz", "fps") and quantity is Quantity.time:
        return divisor / number
    scale = SCALES[quantity].get(unit)
    return None if scale is None else scale * number / divisor
