from __future__ import annotations

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.safe_json import Element, parse_json


def test_a_path_names_every_step_of_the_way():
    document = parse_json('{"a": [{"b": 1}, {"b": "x"}]}')
    second = list(document.at("a").items())[1]
    with pytest.raises(SceneFormatError, match=r"^a\[1\]\.b: expected a number$"):
        second.at("b").number()


def test_null_among_numbers_is_nan():
    numbers = Element("x_m", [1, None, 2.5]).floats()
    np.testing.assert_array_equal(numbers, [1.0, np.nan, 2.5])


@pytest.mark.parametrize("value", [True, "1", None, [1]])
def test_only_a_number_is_a_number(value):
    with pytest.raises(SceneFormatError, match="expected a number"):
        Element("x", value).number()


def test_true_is_not_a_whole_number():
    with pytest.raises(SceneFormatError, match="whole number"):
        Element("version", True).whole()


@pytest.mark.parametrize("rows", [[[0]], [[0, 1, 2]], [["0", "1"]], [[0, None]], [0, 1], [{}]])
def test_only_pairs_of_numbers_are_points(rows):
    with pytest.raises(SceneFormatError, match=r"line\[0\]: expected a point \[x, y\]"):
        Element("line", rows).points()


def test_no_points_are_points():
    assert Element("line", []).points().shape == (0, 2)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400])
def test_a_number_beyond_floats_is_refused(number):
    with pytest.raises(SceneFormatError, match="too large"):
        parse_json(number).number()
