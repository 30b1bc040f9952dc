"""What the pages of uploads show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.clips.drawing import Drawing
from app.web import Page


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a select."""

    value: str
    words: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class UploadLine:
    """An upload in the list."""

    address: str
    name: str
    format: str
    files: str
    figures: Sequence[tuple[str, str]]
    owner: str
    created: str


@dataclass(frozen=True)
class UploadListPage(Page):
    """Where files are brought in, and what was brought in so far."""

    template: ClassVar[str] = "clips/upload_list.html"
    uploads: Sequence[UploadLine]
    formats: Sequence[Choice]
    problem: str  # why files that were just sent were not kept; empty if none were
    said: Mapping[str, str]  # what was said about them
    may_upload: bool
    most: str  # how much can be sent at once
    most_of_a_film: str
    max_bytes: int
    signed_in_as: str


@dataclass(frozen=True, slots=True)
class NoteGroup:
    """What happened to values of one sort, with the sentences about it."""

    title: str
    meaning: str
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class SuggestionLine:
    """A choice that one click makes."""

    ego_id: str
    start_s: str
    duration_s: str
    words: str
    reason: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """Who plays a part."""

    role: str
    words: str
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class CutView:
    """The form that cuts another scene, filled with the scene that is shown or what was refused."""

    problem: str  # why the last attempt was refused; empty if there was none
    shown: str  # the scene that is shown meanwhile
    name: str
    start_s: str
    duration_s: str
    egos: Sequence[Choice]
    roles: Sequence[RoleChoice]
    kinds: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class SceneLine:
    """A scene cut from the upload."""

    address: str
    name: str
    words: str
    snippet: str
    json_url: str
    csv_url: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class SceneView:
    """The scene that is shown large."""

    name: str
    words: str
    still_url: str  # empty if it cannot be drawn
    still_problem: str


@dataclass(frozen=True, slots=True)
class UploadView:
    """The upload as a whole."""

    address: str
    name: str
    format: str
    files: Sequence[tuple[str, str]]
    facts: Sequence[tuple[str, str]]
    note_groups: Sequence[NoteGroup]
    created: str


@dataclass(frozen=True)
class UploadPage(Page):
    """What was found in files, and the scenes cut from them."""

    template: ClassVar[str] = "clips/upload.html"
    upload: UploadView
    scene: SceneView
    drawing: Drawing
    suggestions: Sequence[SuggestionLine]
    cut: CutView
    scenes: Sequence[SceneLine]
    signed_in_as: str


@dataclass(frozen=True)
class FootagePage(Page):
    """A finished film and what it is."""

    template: ClassVar[str] = "clips/footage.html"
    upload: UploadView
    film_url: str
    snippet: str
    signed_in_as: str
