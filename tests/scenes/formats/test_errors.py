from __future__ import annotations

from app.scenes.formats.errors import SceneFormatError


def test_a_refused_file_is_an_error_of_value_that_shows_its_sentence():
    refusal = SceneFormatError("line 3: expected a number")
    assert isinstance(refusal, ValueError)
    assert str(refusal) == "line 3: expected a number"
