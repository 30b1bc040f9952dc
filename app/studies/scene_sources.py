"""The scenes that a study document names: simulated, or read from files beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.clips.models import SceneRecord
from app.rendering.style import FilmStyle
from app.rendering.window import TIME_TOLERANCE_S, ego_of, picture_times_s
from app.scenes.formats.canonical import MAX_BYTES, decode_scene
from app.scenes.scene import Scene
from app.simulation.scenarios import SCENARIOS, simulate
from app.studies.document import ClipEntry, SceneFile, SimulatedScene
from app.studies.problems import FieldPath, Problem, StudyFormatError
from app.studies.yaml_reader import StudySource

MAX_NAME_LENGTH = SceneRecord.name.type.length


def check_names(source: StudySource) -> None:
    """Refuse scenarios and models that nobody knows, all at once, before anything takes time."""
    problems: list[Problem] = []
    for index, clip in enumerate(source.document.clips):
        if isinstance(clip.scene, SimulatedScene):
            problems += _unknown_names(source, index, clip.scene)
    if problems:
        raise StudyFormatError(problems)


def check_sources(source: StudySource, folder: Path | None) -> None:
    """Refuse what `make_scenes` would refuse, without simulating: unknown names, unusable files."""
    check_names(source)
    _collect(source, folder, lambda done, total: None, simulated=False)


def make_scenes(
    source: StudySource, folder: Path | None, on_clip: Callable[[int, int], None]
) -> list[Scene]:
    """The scene of each clip, long enough to be filmed; what cannot be had is told all at once.

    Files are looked for below `folder` and nowhere else; None: there are no files.
    """
    check_names(source)
    return _collect(source, folder, on_clip, simulated=True)


def _unknown_names(source: StudySource, index: int, scene: SimulatedScene) -> list[Problem]:
    place: FieldPath = ("clips", index, "scene")
    if scene.simulate not in SCENARIOS:
        message = f"no scenario is called {scene.simulate!r}; there are {', '.join(SCENARIOS)}"
        return [source.problem((*place, "simulate"), message)]
    models = SCENARIOS[scene.simulate].models
    if scene.model not in models:
        message = f"no model is called {scene.model!r}; there are {', '.join(models)}"
        return [source.problem((*place, "model"), message)]
    return []


def _collect(
    source: StudySource,
    folder: Path | None,
    on_clip: Callable[[int, int], None],
    *,
    simulated: bool,
) -> list[Scene]:
    clips = source.document.clips
    scenes: list[Scene] = []
    problems: list[Problem] = []
    for index, clip in enumerate(clips):
        if isinstance(clip.scene, SimulatedScene) and not simulated:
            continue
        try:
            scenes.append(_make_scene(clip, source.document.video.style, folder))
        except (ValueError, OSError) as error:
            problems.append(source.problem(_place(index, clip), _sentence(error)))
        on_clip(index + 1, len(clips))
    if problems:
        raise StudyFormatError(problems)
    return scenes


def _place(index: int, clip: ClipEntry) -> FieldPath:
    field = "file" if isinstance(clip.scene, SceneFile) else "simulate"
    return ("clips", index, "scene", field)


def _make_scene(
    clip: ClipEntry, style_at: Callable[[float | None], FilmStyle], folder: Path | None
) -> Scene:
    if isinstance(clip.scene, SimulatedScene):
        style = style_at(None)
        scene = _simulated(clip.scene, style.duration_s or 0.0)
    else:
        style = style_at(clip.scene.start_s)
        scene = _from_file(clip.scene.file, folder)
    picture_times_s(ego_of(scene), style)  # refuses what the renderer would refuse much later
    return scene


def _simulated(entry: SimulatedScene, duration_s: float) -> Scene:
    scene = simulate(entry.simulate, entry.model, entry.seed, duration_s)
    if scene.duration_s >= duration_s - TIME_TOLERANCE_S:
        return scene
    # The simulator ends on a whole step; a clip that ends between two needs one more.
    return simulate(entry.simulate, entry.model, entry.seed, duration_s + scene.step_s)


def _from_file(name: str, folder: Path | None) -> Scene:
    if folder is None:
        raise ValueError("scene files are read only when a study is made from a file beside them")
    path = _below(folder, name)
    if not path.is_file():
        raise ValueError(f"there is no file {name!r} in the document's folder")
    with path.open("rb") as file:
        scene = decode_scene(file.read(MAX_BYTES + 1))
    if len(scene.name) > MAX_NAME_LENGTH:
        raise ValueError(f"the scene's name is longer than {MAX_NAME_LENGTH} characters")
    return scene


def _below(folder: Path, name: str) -> Path:
    """Where the file really is, links followed; the document's folder is not left."""
    root = folder.resolve()
    try:
        path = (root / name).resolve()
    except RuntimeError as error:  # how Python before 3.13 tells of links in a circle
        raise ValueError(f"{name!r} leads in a circle") from error
    if not path.is_relative_to(root):
        raise ValueError(f"{name!r} leads out of the document's folder")
    return path


def _sentence(error: ValueError | OSError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
