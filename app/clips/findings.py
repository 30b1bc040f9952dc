"""What is found in uploaded files: a scene, as suggested or as chosen, and what is shown of it."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.clips.plan import Plan, plan_of
from app.clips.still import middle_png
from app.rendering.footage import inspect_footage
from app.rendering.footage_file import FootageError
from app.scenes.formats.canonical import MAX_BYTES, encode_scene
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.reader import read_scene
from app.scenes.formats.report import ImportReport
from app.scenes.scene import Scene, Source
from app.scenes.selection import choose
from app.scenes.suggestions import EgoSuggestion, suggest_roles

LONGEST_CLIP_S = 15.0  # what raters are asked to watch at a time; a longer recording is cut


@dataclass(frozen=True, slots=True)
class SceneFacts:
    """A scene as far as a list needs to know it."""

    content_hash: str
    name: str
    kind: str
    ego_id: str | None
    start_s: float
    end_s: float
    roles: dict[str, str]
    n_tracks: int
    source: Source


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An ego with its window and roles, to be chosen by one click."""

    ego_id: str
    start_s: float
    end_s: float
    roles: dict[str, str]
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """All of it."""

    scene: SceneFacts
    report: ImportReport
    suggestions: tuple[Suggestion, ...]
    plan: Plan
    scene_file: bytes  # canonical, in gzip
    still_png: bytes
    still_problem: str

    def to_json(self) -> dict[str, Any]:
        """What is small enough to be kept in a row."""
        return {
            "scene": asdict(self.scene),
            "report": self.report.to_json(),
            "suggestions": [asdict(suggestion) for suggestion in self.suggestions],
            "still_problem": self.still_problem,
        }


def find(files: Sequence[tuple[str, Path]], options: ReadOptions) -> Found:
    """Read the files and cut a scene; SceneFormatError with what is wrong and where."""
    sources = [replace(SourceFile.at(path), name=name) for name, path in files]
    reading = read_scene(sources, options)
    suggestions = tuple(_suggestion(reading.scene, ego) for ego in reading.egos)
    scene = _as_suggested(reading.scene, suggestions) if _is_open(options) else reading.scene
    data = encode_scene(scene)
    if len(data) > MAX_BYTES:
        raise SceneFormatError(
            f"the scene takes {len(data):,} bytes, at most {MAX_BYTES:,} can be kept; "
            "please choose a shorter window"
        )
    picture, problem = _still(scene)
    return Found(
        scene=_facts(scene, sha256(data).hexdigest()),
        report=reading.report,
        suggestions=suggestions,
        plan=plan_of(reading.scene),
        scene_file=gzip.compress(data, mtime=0),
        still_png=picture,
        still_problem=problem,
    )


def find_film(name: str, path: Path) -> dict[str, Any]:
    """What a finished film is, after all of it was decoded."""
    try:
        return asdict(inspect_footage(path))
    except FootageError as error:
        raise SceneFormatError(f"{name}: {error}") from error


def _suggestion(scene: Scene, ego: EgoSuggestion) -> Suggestion:
    roles = suggest_roles(scene, ego.track_id, ego.start_s, ego.end_s)
    return Suggestion(ego.track_id, ego.start_s, ego.end_s, roles, ego.reason)


def _is_open(options: ReadOptions) -> bool:
    """Whether nobody has chosen what to cut."""
    return options.ego_id is None and options.start_s is None and options.end_s is None


def _as_suggested(scene: Scene, suggestions: Sequence[Suggestion]) -> Scene:
    """A recording becomes the best suggestion; what is as short as a clip stays whole."""
    if not suggestions or scene.duration_s <= LONGEST_CLIP_S:
        return scene
    best = suggestions[0]
    return choose(
        scene, ego_id=best.ego_id, start_s=best.start_s, end_s=best.end_s, roles=best.roles
    )


def _facts(scene: Scene, content_hash: str) -> SceneFacts:
    return SceneFacts(
        content_hash=content_hash,
        name=scene.name,
        kind=scene.kind.value,
        ego_id=scene.ego_id,
        start_s=scene.start_s,
        end_s=scene.end_s,
        roles=dict(scene.roles),
        n_tracks=len(scene.tracks),
        source=scene.source,
    )


def _still(scene: Scene) -> tuple[bytes, str]:
    try:
        return middle_png(scene), ""
    except ValueError as error:
        return b"", str(error)
