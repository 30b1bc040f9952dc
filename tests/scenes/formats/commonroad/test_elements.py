"""The root, numbers and points of CommonRoad files."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from app.scenes.formats.commonroad.elements import number, points_of, read_root
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"<net/>", "a.xml: the first element is <net>, but <commonRoad> was expected"),
        (b"<commonRoad/>", "a.xml: <commonRoad> has no attribute commonRoadVersion"),
    ],
)
def test_another_file_is_refused(text, sentence):
    with pytest.raises(SceneFormatError, match=f"^{sentence}$"):
        read_root(SourceFile.holding("a.xml", text))


def test_an_empty_element_is_no_number():
    with pytest.raises(SceneFormatError, match=r"^x: '' is not a number$"):
        number(None, "x")


def test_a_height_is_left_out():
    line = "<b><point><x>1</x><y>2</y><z>3</z></point><point><x>4</x><y>5</y></point></b>"
    assert points_of(fromstring(line)).tolist() == [[1, 2], [4, 5]]  # noqa: S314
