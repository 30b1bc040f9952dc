"""What is found in uploaded files: a scene, as suggested or as chosen, and what is shown of it."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
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
from app.scenes.formats.reader import SceneReading, read_scene
from app.scenes.formats.report import ImportReport
from app.scenes.scene import Scene, Source
from app.scenes.selection import choose
from app.scenes.suggestions import EgoSuggestion, suggest_roles, suggest_window
from app.scenes.validation import check_scene
from app.scenes.wording import seconds

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
    reading = _read_whole(sources, options)
    suggestions = tuple(_suggestion(reading.scene, ego) for ego in reading.egos)
    if _is_open(options):
        scene = _as_suggested(reading.scene, suggestions)
    else:
        scene = _as_chosen(reading.scene, options)
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


def _read_whole(sources: Sequence[SourceFile], options: ReadOptions) -> SceneReading:
    """All of the recording, with the ego that was chosen, or suggested for the chosen seconds."""
    whole = replace(options, start_s=None, end_s=None, roles={})
    if options.ego_id is not None or options.start_s is None:
        return read_scene(sources, whole)
    part = read_scene(sources, replace(options, roles={}))
    reading = read_scene(sources, replace(whole, ego_id=part.scene.ego_id))
    return replace(reading, report=replace(reading.report, notes=part.report.notes))


def _suggestion(scene: Scene, ego: EgoSuggestion) -> Suggestion:
    roles = suggest_roles(scene, ego.track_id, ego.start_s, ego.end_s)
    return Suggestion(ego.track_id, ego.start_s, ego.end_s, roles, ego.reason)


def _is_open(options: ReadOptions) -> bool:
    """Whether nobody has chosen what to cut."""
    return options.ego_id is None and options.start_s is None and not options.roles


def _as_suggested(scene: Scene, suggestions: Sequence[Suggestion]) -> Scene:
    """A recording becomes the best suggestion; what is as short as a clip stays whole."""
    if not suggestions or scene.duration_s <= LONGEST_CLIP_S:
        return scene
    best = suggestions[0]
    return choose(
        scene, ego_id=best.ego_id, start_s=best.start_s, end_s=best.end_s, roles=best.roles
    )


def _as_chosen(scene: Scene, options: ReadOptions) -> Scene:
    """What was chosen; window and roles that were left out are suggested for the ego."""
    ego_id = scene.ego_id or ""
    try:
        start_s, end_s = _window(scene, ego_id, options)
        roles = options.roles or suggest_roles(scene, ego_id, start_s, end_s)
        cut = choose(scene, start_s=start_s, end_s=end_s, roles=roles)
        _check_parts(cut, roles, f"from {seconds(start_s)} to {seconds(end_s)}")
        check_scene(cut)
    except ValueError as error:
        raise SceneFormatError(str(error)) from error
    return cut


def _window(scene: Scene, ego_id: str, options: ReadOptions) -> tuple[float, float]:
    if options.start_s is not None and options.end_s is not None:
        return options.start_s, options.end_s
    if scene.duration_s <= LONGEST_CLIP_S:
        return scene.start_s, scene.end_s
    return suggest_window(scene, ego_id)


def _check_parts(cut: Scene, roles: Mapping[str, str], when: str) -> None:
    """Everybody who was given a part is there, and is not the ego as well."""
    for role, track_id in roles.items():
        if role != "E" and track_id == cut.ego_id:
            raise ValueError(f"{track_id!r} is the ego and cannot be {role} as well")
        if role not in cut.roles:
            raise ValueError(f"{track_id!r} cannot be {role}: it is not seen {when}")


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
