from __future__ import annotations

from math import pi

import pytest

from app.scenes.formats.plain_csv.units import SCALES, Quantity, parse_unit


@pytest.mark.parametrize(
    ("text", "quantity", "in_si"),
    [
        ("s", Quantity.time, 1),
        ("ms", Quantity.time, 0.001),
        ("1/25 s", Quantity.time, 0.04),
        ("0.04 s", Quantity.time, 0.04),
        ("25 Hz", Quantity.time, 0.04),
        ("29.97 fps", Quantity.time, 1 / 29.97),
        ("100 ms", Quantity.time, 0.1),
        ("m", Quantity.length, 1),
        ("ft", Quantity.length, 0.3048),
        ("Feet", Quantity.length, 0.3048),
        ("0.1 m", Quantity.length, 0.1),
        ("km/h", Quantity.speed, 1 / 3.6),
        ("mph", Quantity.speed, 0.44704),
        ("ft/s^2", Quantity.acceleration, 0.3048),
        ("m/s²", Quantity.acceleration, 1),
        ("°", Quantity.angle, pi / 180),
        ("rad", Quantity.angle, 1),
    ],
)
def test_a_unit_is_known_by_its_usual_spellings(text, quantity, in_si):
    assert float(parse_unit(text, quantity)) == pytest.approx(in_si, rel=1e-15)


@pytest.mark.parametrize(
    "text", ["", "px", "m/s", "0 m", "1/0 m", "25 Hz", "m" * 10**5, "9" * 10**5]
)
def test_what_is_no_length_has_no_scale(text):
    assert parse_unit(text, Quantity.length) is None


def test_every_spelling_can_be_found():
    for quantity, scales in SCALES.items():
        for spelling, scale in scales.items():
            assert parse_unit(f" {spelling.upper()} ", quantity) == scale or "µ" in spelling
