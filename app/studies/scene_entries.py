"""What a clip of a study document shows: simulated, read from files, filmed, or uploaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Discriminator, Field, Tag

from app.scenes.scene import SceneKind
from app.studies.fields import Line, Number, Part, Whole

CONTENT_KEY = r"^[0-9a-f]{12,64}$"

StartS = Annotated[
    Number | None,
    Field(description="Where the clip starts in the scene; by default when the ego first appears."),
]
Columns = Annotated[dict[Line, Line], Field(max_length=20)]
Latitude = Annotated[Number, Field(ge=-90, le=90)]
Longitude = Annotated[Number, Field(ge=-180, le=180)]


class SimulatedScene(Part):
    """A scene made by a built-in simulator."""

    simulate: Line = Field(description="A scenario, for example highway.")
    model: Line = Field(description="Who drives: for example attentive or aggressive.")
    seed: Whole = Field(ge=0, le=2**31 - 1, description="The same seed gives the same scene.")


class SceneFile(Part):
    """A scene in files beside the study document."""

    file: Line = Field(
        description="Path of a file with tracks in any known format, relative to the document, "
        "for example scenes/a.json."
    )
    also: Annotated[tuple[Line, ...], Field(max_length=20)] = Field(
        default=(),
        description="Paths of what belongs to it: a map, or tables about the tracks. Those of a "
        "levelXData or highD recording are found by themselves.",
    )
    format: Line | None = Field(
        default=None, description="Name of the format; by default it is recognised."
    )
    ego: Line | None = Field(
        default=None,
        description="Id of the track to follow; by default the file's ego, or who interacts most.",
    )
    start_s: Number | None = Field(
        default=None,
        description="Where the clip starts in the scene; by default where the ego interacts most, "
        "and in a file of Roadrater's own when the ego first appears.",
    )
    kind: SceneKind | None = Field(
        default=None, description="The traffic situation, where the file does not say it."
    )
    case: Line | None = Field(
        default=None, description="Id of the case in an INTERACTION prediction set."
    )
    columns: Columns = Field(
        default={},
        description="For a plain table: what its columns are called, with a unit where it is not "
        "the scene's, for example {x: 'pos_x [ft]'}.",
    )
    origin: tuple[Latitude, Longitude] | None = Field(
        default=None,
        description="Latitude and longitude of the origin in degrees, for a map that needs it.",
    )


class FootageFile(Part):
    """A finished film beside the study document, for example recorded in CARLA."""

    video: Line = Field(
        description="Path of an MP4, MOV or WebM file, relative to the document, "
        "for example films/a.mp4."
    )
    start_s: Annotated[Number, Field(ge=0)] | None = Field(
        default=None, description="Where the clip starts in the film; by default at its start."
    )


class UploadedScene(Part):
    """A scene or a film that was uploaded in the browser."""

    uploaded: Annotated[str, Field(pattern=CONTENT_KEY)] = Field(
        description="The first 12 or more digits of its key, as the page of the upload shows it."
    )
    start_s: StartS = None


# Brackets: as steps of an error's location they must not be taken for fields.
SIMULATED, FROM_FILE, FILMED, UPLOADED = "<simulated>", "<from file>", "<filmed>", "<uploaded>"
# The field that tells which kind of scene it is.
KINDS = {"simulate": SIMULATED, "file": FROM_FILE, "video": FILMED, "uploaded": UPLOADED}
MODELS: dict[type[Part], str] = {
    SimulatedScene: "simulate",
    SceneFile: "file",
    FootageFile: "video",
    UploadedScene: "uploaded",
}


def telling_field(scene: Part) -> str:
    """The field that says what the scene is."""
    return MODELS[type(scene)]


def _kind_of_scene(value: object) -> str | None:
    """Which of them a scene is, so that its errors are about that one alone."""
    if isinstance(value, Part):
        return KINDS[telling_field(value)]
    if not isinstance(value, Mapping):
        return None
    return next((kind for field, kind in KINDS.items() if field in value), None)


SceneEntry = Annotated[
    Annotated[SimulatedScene, Tag(SIMULATED)]
    | Annotated[SceneFile, Tag(FROM_FILE)]
    | Annotated[FootageFile, Tag(FILMED)]
    | Annotated[UploadedScene, Tag(UPLOADED)],
    Discriminator(
        _kind_of_scene,
        custom_error_type="kind_of_scene",
        custom_error_message="Input should have one of 'simulate' (a scenario), 'file' (a path), "
        "'video' (a path) and 'uploaded' (a key)",
    ),
]
