"""The kinds of field that a study document is made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

SLUG = r"^[a-z0-9]+(-[a-z0-9]+)*$"
NAME = r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$"
COLOUR = r"^#[0-9A-Fa-f]{6}$"
LANGUAGE = r"^[a-z]{2}(-[A-Z]{2})?$"

# Line feed and tab are fine; databases refuse some of the others, and nobody can read them.
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _readable(text: str) -> str:
    if found := CONTROL_CHARACTER.search(text):
        raise PydanticCustomError(
            "control_character",
            "String should not contain the control character U+{code}",
            {"code": f"{ord(found[0]):04X}"},
        )
    return text


def fills_in(*places: str) -> Callable[[str], str]:
    """Only these places may stand in braces, and braces serve for nothing else."""

    def check(text: str) -> str:
        rest = text
        for place in places:
            rest = rest.replace(place, "")
        if "{" in rest or "}" in rest:
            raise PydanticCustomError(
                "unknown_place",
                "Only {places} can stand in braces",
                {"places": " and ".join(places)},
            )
        return text

    return check


Readable = AfterValidator(_readable)
Text = Annotated[str, Field(min_length=1, max_length=10_000), Readable]
Line = Annotated[str, Field(min_length=1, max_length=300), Readable]
Title = Annotated[str, Field(min_length=1, max_length=200), Readable]
Code = Annotated[str, Field(min_length=1, max_length=100), Readable]
Slug = Annotated[str, Field(pattern=SLUG, max_length=60)]
Name = Annotated[str, Field(pattern=NAME, max_length=100)]
Colour = Annotated[str, Field(pattern=COLOUR)]
Language = Annotated[str, Field(pattern=LANGUAGE)]
# Strict: otherwise `fps: true` would quietly become one picture per second.
Whole = Annotated[int, Field(strict=True)]
Number = Annotated[float, Field(strict=True)]


class Part(BaseModel):
    """A part of the document: a misspelt field is an error, not a silent default."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, str_strip_whitespace=True, allow_inf_nan=False
    )
