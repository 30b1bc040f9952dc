"""What the API answers about scenes, declared so that its description cannot be wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from app.clips.models import Upload, UploadedScene
from app.clips.uploads import short_hash


class Answer(BaseModel):
    """An answer never has a field that is not declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FileAnswer(Answer):
    """A file as it came."""

    name: str
    size_bytes: int
    sha256: str


class NoteAnswer(Answer):
    """One thing that was done to the files' values."""

    kind: str = Field(description="doubtful, dropped, inferred, defaulted or assumed.")
    sentence: str
    n: int = Field(description="How often.")


class ReportAnswer(Answer):
    """What was found in the files, and what was done to it."""

    format: str
    files: list[str]
    n_tracks: int
    n_samples: int
    n_lanes: int
    start_s: float
    duration_s: float
    step_s: float
    kinds: dict[str, int] = Field(description="Road users of each kind.")
    notes: list[NoteAnswer]


class SuggestionAnswer(Answer):
    """An ego worth following, with its window and roles."""

    ego_id: str
    start_s: float
    end_s: float
    roles: dict[str, str]
    reason: str


class SceneAnswer(Answer):
    """A scene cut from the files."""

    id: str = Field(description='For a study document: scene: {uploaded: "id"}.')
    content_hash: str
    name: str
    kind: str
    ego_id: str | None
    start_s: float
    end_s: float
    roles: dict[str, str]
    n_tracks: int
    report: ReportAnswer
    still_problem: str = Field(description="Why it cannot be filmed, if it cannot.")


class FootageAnswer(Answer):
    """A finished film."""

    width_px: int
    height_px: int
    frames_per_s: float
    duration_s: float
    n_frames: int
    codec: str
    has_sound: bool
    size_bytes: int


class UploadAnswer(Answer):
    """Files that were brought in together, with the scenes cut from them; or a film."""

    key: str
    name: str
    format: str
    created_at: datetime
    files: list[FileAnswer]
    report: ReportAnswer | None
    suggestions: list[SuggestionAnswer]
    scenes: list[SceneAnswer] = Field(description="The newest first.")
    footage: FootageAnswer | None


def upload_answer(upload: Upload, scenes: Sequence[UploadedScene]) -> UploadAnswer:
    """An upload as the API shows it."""
    is_film = upload.footage_id is not None
    return UploadAnswer(
        key=upload.key,
        name=upload.name,
        format=upload.format,
        created_at=upload.created_at,
        files=[FileAnswer(**file) for file in upload.files],
        report=None if is_film else _report(upload.report),
        suggestions=[SuggestionAnswer(**one) for one in upload.suggestions],
        scenes=[_scene(scene) for scene in scenes],
        footage=FootageAnswer(**upload.report) if is_film else None,
    )


def _report(report: Mapping[str, Any]) -> ReportAnswer:
    return ReportAnswer.model_validate(report)


def _scene(scene: UploadedScene) -> SceneAnswer:
    return SceneAnswer(
        id=short_hash(scene.scene),
        content_hash=scene.scene.content_hash,
        n_tracks=scene.scene.n_tracks,
        report=_report(scene.report),
        still_problem=scene.still_problem,
        **scene.choices,
    )
