"""Styles that can be filmed, and those that cannot."""

import json
from dataclasses import asdict, replace

import pytest

from app.rendering.style import FilmStyle, check_style


def test_the_usual_style_can_be_filmed():
    check_style(FilmStyle())


@pytest.mark.parametrize("sides_px", [(64, 64), (4096, 4096), (640, 360)])
def test_sizes_up_to_the_bounds_can_be_filmed(sides_px):
    check_style(FilmStyle(width_px=sides_px[0], height_px=sides_px[1]))


@pytest.mark.parametrize("colour", ["#ffffff", "#D55E00"])
def test_colours_are_six_hex_digits_in_either_case(colour):
    check_style(FilmStyle(ego_colour=colour))


@pytest.mark.parametrize("colour", ["", "D55E00", "#D55E0", "#D55E000", "#D55E0G", "#D55E00\n"])
def test_other_colours_are_refused(colour):
    with pytest.raises(ValueError, match="other colour"):
        check_style(FilmStyle(other_colour=colour))


@pytest.mark.parametrize(
    "name", ["width_m", "lead_in_s", "duration_s", "start_s", "chase_up_m", "chase_fov_deg"]
)
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_number_may_be_infinite_or_none(name, value):
    with pytest.raises(ValueError, match=str(value)):
        check_style(replace(FilmStyle(), **{name: value}))


def test_a_style_can_be_stored_as_json():
    stored = json.loads(json.dumps(asdict(FilmStyle())))
    assert stored["view"] == "top"
    assert stored["width_m"] == 120.0


@pytest.mark.parametrize(("name", "value"), [("chase_up_m", 1.0), ("chase_down_deg", 80.0)])
def test_a_chase_camera_has_its_limits(name, value):
    with pytest.raises(ValueError, match=f"{name} is {value:g}"):
        check_style(replace(FilmStyle(), **{name: value}))
