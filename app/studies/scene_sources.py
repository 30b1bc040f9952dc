"""What a study document's clips are made of: simulated, or read from files beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from app.rendering.footage import FootageFacts, check_window, inspect_footage, remarks_on
from app.rendering.style import FilmStyle
from app.rendering.window import TIME_TOLERANCE_S, ego_of, picture_times_s
from app.scenes.formats.files import SourceFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.reader import OWN_FORMATS, SceneReading, read_scene, with_companions
from app.scenes.formats.recognition import recognise
from app.scenes.scene import Scene
from app.scenes.selection import cut_window
from app.scenes.suggestions import suggest_window
from app.simulation.scenarios import SCENARIOS, simulate
from app.studies.document import ClipEntry
from app.studies.problems import FieldPath, Problem, Remark, StudyFormatError
from app.studies.scene_entries import (
    FootageFile,
    SceneFile,
    SimulatedScene,
    UploadedScene,
    telling_field,
)
from app.studies.yaml_reader import StudySource

AROUND_S = 1.0  # no format has fewer than one sample in a second


@dataclass(frozen=True, slots=True)
class FilmBeside:
    """A finished film beside the document, looked through."""

    path: Path
    facts: FootageFacts


ClipSource = Scene | FilmBeside | UploadedScene
Told = list[tuple[str, int]]  # sentences, and how often each holds


def check_names(source: StudySource) -> None:
    """Refuse scenarios and models that nobody knows, all at once, before anything takes time."""
    problems: list[Problem] = []
    for index, clip in enumerate(source.document.clips):
        if isinstance(clip.scene, SimulatedScene):
            problems += _unknown_names(source, index, clip.scene)
    if problems:
        raise StudyFormatError(problems)


def check_sources(source: StudySource, folder: Path | None) -> list[Remark]:
    """Refuse what `make_scenes` would refuse, without simulating: unknown names, unusable files.

    Returns what is no error but good to know: what was assumed of a file, what changes in a film.
    """
    check_names(source)
    remarks: list[Remark] = []
    _collect(source, folder, lambda done, total: None, simulated=False, remarks=remarks)
    return remarks


def make_scenes(
    source: StudySource, folder: Path | None, on_clip: Callable[[int, int], None]
) -> list[ClipSource]:
    """What each clip is made of, long enough for it; what cannot be had is told all at once.

    Files are looked for below `folder` and nowhere else; None: there are no files. What was
    uploaded stays an entry: it is in the database.
    """
    check_names(source)
    return _collect(source, folder, on_clip, simulated=True, remarks=[])


def check_covers(scene: Scene, style: FilmStyle) -> None:
    """Refuse what the renderer would refuse much later."""
    picture_times_s(ego_of(scene), style)


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
    remarks: list[Remark],
) -> list[ClipSource]:
    clips = source.document.clips
    made: list[ClipSource] = []
    problems: list[Problem] = []
    for index, clip in enumerate(clips):
        if isinstance(clip.scene, SimulatedScene) and not simulated:
            continue
        place, told = place_of(index, clip), Told()
        try:
            made.append(_make(clip.scene, source.document.video.style, folder, told))
        except (ValueError, OSError) as error:
            problems.append(source.problem(place, _sentence(error)))
        remarks += [Remark(clip.name, source.problem(place, text), n) for text, n in told]
        on_clip(index + 1, len(clips))
    if problems:
        raise StudyFormatError(problems)
    return made


def place_of(index: int, clip: ClipEntry) -> FieldPath:
    """Where in the document the clip says what it is made of."""
    return ("clips", index, "scene", telling_field(clip.scene))


def _make(
    entry: SimulatedScene | SceneFile | FootageFile | UploadedScene,
    style_at: Callable[[float | None], FilmStyle],
    folder: Path | None,
    told: Told,
) -> ClipSource:
    """`told` is given what a researcher should know of it."""
    match entry:
        case UploadedScene():
            return entry
        case FootageFile():
            path = _below(folder, entry.video)
            film = FilmBeside(path, inspect_footage(path))
            check_window(film.facts.duration_s, style_at(entry.start_s))
            told += [(remark, 1) for remark in remarks_on(film.facts, style_at(entry.start_s))]
            return film
        case SceneFile():
            style = style_at(entry.start_s)
            reading = _from_file(entry, folder, style.duration_s or 0.0)
            told += [(note.sentence, note.n) for note in reading.report.notes]
            scene = reading.scene
        case SimulatedScene():
            style = style_at(None)
            scene = _simulated(entry, style.duration_s or 0.0)
    check_covers(scene, style)
    return scene


def _simulated(entry: SimulatedScene, duration_s: float) -> Scene:
    scene = simulate(entry.simulate, entry.model, entry.seed, duration_s)
    if scene.duration_s >= duration_s - TIME_TOLERANCE_S:
        return scene
    # The simulator ends on a whole step; a clip that ends between two needs one more.
    return simulate(entry.simulate, entry.model, entry.seed, duration_s + scene.step_s)


def _from_file(entry: SceneFile, folder: Path | None, duration_s: float) -> SceneReading:
    first, *others = [_below(folder, name) for name in (entry.file, *entry.also)]
    companions = [_below(folder, str(path)) for path in with_companions(first)]
    paths = list(dict.fromkeys([*companions, *others]))
    files = [SourceFile.at(path) for path in paths]
    start_s = end_s = None
    if entry.start_s is not None and recognise(files[0]) not in OWN_FORMATS:
        # Of a long recording only what the clip shows, and the samples around it.
        start_s, end_s = entry.start_s, entry.start_s + duration_s
    options = ReadOptions(
        format=entry.format,
        kind=entry.kind,
        ego_id=entry.ego,
        start_s=start_s,
        end_s=end_s,
        around_s=AROUND_S,
        columns=entry.columns,
        case_id=entry.case,
        origin_deg=entry.origin,
    )
    reading = read_scene(files, options)
    if start_s is not None and not _is_covered(reading.scene, entry.start_s or 0.0, duration_s):
        # It will be refused, with the time of the ego in the whole file.
        reading = read_scene(files, replace(options, start_s=None, end_s=None))
    if entry.start_s is None and recognise(files[0]) not in OWN_FORMATS:
        reading = replace(reading, scene=_busiest(reading.scene, duration_s))
    return reading


def _is_covered(scene: Scene, start_s: float, duration_s: float) -> bool:
    ego = ego_of(scene)
    first_s, last_s = ego.time_s[ego.valid][[0, -1]]
    end_s = start_s + duration_s
    return bool(first_s <= start_s + TIME_TOLERANCE_S and end_s <= last_s + TIME_TOLERANCE_S)


def _busiest(scene: Scene, duration_s: float) -> Scene:
    """From where the ego interacts most, as the reason for it says; whole if it is too short."""
    if scene.ego_id is None:
        return scene
    start_s, end_s = suggest_window(scene, scene.ego_id, duration_s)
    # One sample more, for a clip that ends between two.
    end_s += scene.step_s
    cut = cut_window(scene, start_s, end_s)
    return cut if _is_covered(cut, start_s, duration_s) else scene


def _below(folder: Path | None, name: str) -> Path:
    """Where the file really is, links followed; the document's folder is not left."""
    if folder is None:
        raise ValueError("files are read only when a study is made from a file beside them")
    root = folder.resolve()
    try:
        path = (root / name).resolve()
    except RuntimeError as error:  # how Python before 3.13 tells of links in a circle
        raise ValueError(f"{name!r} leads in a circle") from error
    if not path.is_relative_to(root):
        raise ValueError(f"{name!r} leads out of the document's folder")
    if not path.is_file():
        raise ValueError(f"there is no file {name!r} in the document's folder")
    return path


def _sentence(error: ValueError | OSError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
