"""What may come in with files, and when a scene is cut from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from app.clips.models import NAME_LENGTH
from app.errors import Invalid
from app.scenes.formats.options import ReadOptions
from app.scenes.scene import SceneKind

ROLES = ("T", "V1", "V2", "V3", "V4")
LONGEST_CUT_S = 600.0


def _none_if_empty(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _finite(value: float | None) -> float | None:
    if value is not None and not isfinite(value):
        raise ValueError("must be a finite number")
    return value


# A browser sends every field of a form, also those that were left empty.
Short = Annotated[str, Field(max_length=NAME_LENGTH)]
Long = Annotated[str, Field(max_length=4000)]
Text = Annotated[Short | None, BeforeValidator(_none_if_empty)]
Seconds = Annotated[float | None, BeforeValidator(_none_if_empty), AfterValidator(_finite)]
Kind = Annotated[SceneKind | None, BeforeValidator(_none_if_empty)]


class CutForm(BaseModel):
    """Who is the ego, which seconds, who plays which part; left out: as suggested."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Text = Field(default=None, description="What the scene is called.")
    kind: Kind = Field(default=None, description="The traffic situation.")
    ego: Text = Field(default=None, description="Id of the track that the camera follows.")
    start_s: Seconds = Field(default=None, description="Where the scene starts in the recording.")
    duration_s: Seconds = Field(default=None, description="How long the scene lasts.")
    T: Text = Field(default=None, description="Id of the track that the ego deals with.")
    V1: Text = Field(default=None, description="Id of a further track that matters.")
    V2: Text = Field(default=None, description="Id of a further track that matters.")
    V3: Text = Field(default=None, description="Id of a further track that matters.")
    V4: Text = Field(default=None, description="Id of a further track that matters.")

    @model_validator(mode="after")
    def _window_is_whole(self) -> Self:
        if (self.start_s is None) != (self.duration_s is None):
            raise ValueError("start_s and duration_s are given together, or neither")
        if self.duration_s is not None and not 0 < self.duration_s <= LONGEST_CUT_S:
            raise ValueError(f"duration_s must be above 0 and at most {LONGEST_CUT_S:g}")
        return self

    @model_validator(mode="after")
    def _nobody_plays_two_parts(self) -> Self:
        played = {self.ego: "ego"}
        for role, track_id in self.roles.items():
            if track_id in played:
                raise ValueError(f"{track_id!r} cannot be both {played[track_id]} and {role}")
            played[track_id] = role
        return self

    @property
    def roles(self) -> dict[str, str]:
        """The roles that were given away."""
        given = {role: getattr(self, role) for role in ROLES}
        return {role: track_id for role, track_id in given.items() if track_id is not None}

    def applied_to(self, options: ReadOptions) -> ReadOptions:
        """The files' options with these choices."""
        end_s = None
        if self.start_s is not None and self.duration_s is not None:
            end_s = self.start_s + self.duration_s
        return replace(
            options,
            name=self.name or options.name,
            kind=self.kind or options.kind,
            ego_id=self.ego,
            start_s=self.start_s,
            end_s=end_s,
            roles=self.roles,
        )


class UploadForm(CutForm):
    """What the files do not say themselves."""

    format: Text = Field(
        default=None, description="The files' format, if it is not to be found out."
    )
    origin: Text = Field(
        default=None, description="Latitude and longitude of the map's origin: 49.01, 8.43"
    )
    columns: Annotated[Long | None, BeforeValidator(_none_if_empty)] = Field(
        default=None, description="Columns of a plain table, one per line: x = pos_x [ft]"
    )
    case_id: Text = Field(default=None, description="Case of an INTERACTION prediction set.")
    licence: Annotated[str, Field(max_length=1000)] = Field(
        default="", description="Under which terms the recording may be used."
    )

    def file_options(self) -> ReadOptions:
        """What was said about the files, apart from what is cut from them."""
        return ReadOptions(
            format=self.format,
            name=self.name,
            kind=self.kind,
            columns=_parse_columns(self.columns or ""),
            case_id=self.case_id,
            origin_deg=_parse_origin(self.origin) if self.origin else None,
            licence=self.licence.strip(),
        )


def _parse_columns(text: str) -> dict[str, str]:
    columns = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        meaning, equals, column = (part.strip() for part in line.partition("="))
        if not (meaning and equals and column):
            raise Invalid(f"Columns, line {number}: {line!r} is not of the form: x = pos_x [ft]")
        columns[meaning] = column
    return columns


def _parse_origin(text: str) -> tuple[float, float]:
    try:
        latitude, longitude = (float(part) for part in text.split(","))
    except ValueError as error:
        raise Invalid(f"Origin: {text!r} is not a latitude and a longitude: 49.01, 8.43") from error
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise Invalid(f"Origin: {text!r} is no place on earth.")
    return latitude, longitude


Form = TypeVar("Form", bound=BaseModel)


def parse_form(form: type[Form], fields: Mapping[str, Any]) -> Form:
    """The form; the fields that are wrong are named in one sentence."""
    try:
        return form.model_validate(dict(fields))
    except ValidationError as error:
        problems = error.errors(include_url=False)
        raise Invalid("; ".join(_told(form, part) for part in problems) + ".") from error


def _told(form: type[BaseModel], part: ErrorDetails) -> str:
    """What is wrong with a field, in words that are not a program's."""
    given, limits = part["input"], part.get("ctx", {})
    if part["type"] == "value_error":
        words = str(limits["error"])
    elif part["type"] == "float_parsing":
        words = f"{given!r} is not a number"
    elif part["type"] == "string_too_long":
        words = f"at most {limits['max_length']} characters are kept"
    elif part["type"] == "enum":
        words = f"{given!r} is not one of {limits['expected']}"
    elif part["type"] == "extra_forbidden":
        words = f"there is no such field; there are {', '.join(form.model_fields)}"
    else:
        words = f"{given!r} does not fit here"
    return f"{part['loc'][0]}: {words}" if part["loc"] else words
