"""Texts that nobody could read or that no database keeps are refused."""

from typing import Annotated

import pytest
from pydantic import AfterValidator, TypeAdapter, ValidationError

from app.studies.fields import Line, Number, Whole, fills_in

HEADING = TypeAdapter(Annotated[Line, AfterValidator(fills_in("{number}"))])


@pytest.mark.parametrize("text", ["a\x00b", "a\x1bb", "", "x" * 301])
def test_a_line_that_cannot_be_shown_is_refused(text):
    with pytest.raises(ValidationError):
        TypeAdapter(Line).validate_python(text)


@pytest.mark.parametrize(("text", "is_fine"), [("Video {number}", True), ("Video {n}", False)])
def test_only_known_places_stand_in_braces(text, is_fine):
    if is_fine:
        assert HEADING.validate_python(text) == text
    else:
        with pytest.raises(ValidationError, match=r"Only \{number\} can stand in braces"):
            HEADING.validate_python(text)


@pytest.mark.parametrize("kind", [Whole, Number])
def test_true_is_no_number(kind):
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python(True)
