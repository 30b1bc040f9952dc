"""Obstacles: shapes of several parts, point masses, types that are no road users."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from app.scenes.formats.commonroad.obstacles import Obstacle, obstacles_of
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.report import Notes
from app.scenes.scene import RoadUser

FILE = SourceFile.holding("a.xml", b"")
RECTANGLE = "<rectangle><length>4</length><width>2</width></rectangle>"


def obstacle(
    shape: str = RECTANGLE, state: str = "", kind: str = "car", notes: Notes | None = None
) -> Obstacle:
    text = (
        f'<r><dynamicObstacle id="1"><type>{kind}</type><shape>{shape}</shape><initialState>'
        "<position><point><x>1</x><y>2</y></point></position><time><exact>3</exact></time>"
        f"{state}</initialState></dynamicObstacle></r>"
    )
    (found,) = obstacles_of(FILE, fromstring(text), notes if notes is not None else Notes())  # noqa: S314
    return found


def test_the_speed_of_a_point_mass_is_that_of_both_directions():
    state = "<velocity><exact>3</exact></velocity><velocityY><exact>4</exact></velocityY>"
    assert obstacle(state=state).states[0][4] == 5


def test_several_parts_are_one_box():
    circle = "<circle><radius>1</radius><center><x>5</x><y>0</y></center></circle>"
    shape = obstacle(shape=RECTANGLE + circle).shape
    assert (shape.length_m, shape.width_m, shape.ahead_m, shape.left_m) == (8, 2, 2, 0)


def test_what_is_no_road_user_is_something_else_and_noted():
    notes = Notes()
    assert obstacle(kind="building", notes=notes).kind is RoadUser.other
    assert "type building" in notes.listed()[0].sentence


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        ("", "a.xml: obstacle 1: <shape> is missing or empty"),
        ("<cloud/>", "a.xml: obstacle 1: shape: <cloud> is none of rectangle, circle and polygon"),
        ("<circle><radius>0</radius></circle>", "a.xml: obstacle 1: shape: the radius 0 is not"),
    ],
)
def test_a_shape_that_is_none_is_refused(shape, sentence):
    with pytest.raises(SceneFormatError) as refused:
        obstacle(shape=shape)
    assert str(refused.value).startswith(sentence)
