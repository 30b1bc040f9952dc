"""What a participant's browser may send."""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field


def whole_number_or_none(value: object) -> int | None:
    """What is no number is no answer; the act says so on a page that can be used."""
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def seconds_or_none(value: object) -> float | None:
    """A measurement that cannot be true is left out: it must never cost an answer."""
    try:
        seconds = float(str(value))
    except ValueError:
        return None
    return seconds if isfinite(seconds) and 0 <= seconds <= 1e7 else None


Seconds = Annotated[float | None, BeforeValidator(seconds_or_none)]


class StartForm(BaseModel):
    """Start was pressed; the key is the page's own, the same however often it is pressed."""

    key: Annotated[str, Field(pattern=r"^([A-Za-z0-9_-]{32,64})?$")] = ""
    another: bool = False  # somebody else on the same device


class ConsentForm(BaseModel):
    """Which button was pressed, and whether the box was ticked."""

    decision: Literal["agree", "decline"]
    agree: bool = False


class RatingForm(BaseModel):
    """An answer to one clip."""

    assignment_id: Annotated[int, Field(ge=1, le=2**31 - 1)]
    answer: Annotated[int | None, BeforeValidator(whole_number_or_none)] = None
    watched_s: Seconds = None
    on_page_s: Seconds = None
