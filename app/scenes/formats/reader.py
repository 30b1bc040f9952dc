"""Files in, a scene out: recognised by content, read, chosen from, checked and reported."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.scenes.formats.archive import unpack
from app.scenes.formats.canonical import MAX_BYTES, decode_scene
from app.scenes.formats.canonical_csv import decode_csv
from app.scenes.formats.commonroad.scenario import read_commonroad, read_commonroad_map
from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.interaction import read_interaction
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.lanelet2.road import read_lanelet2_map
from app.scenes.formats.levelx.highd import read_highd
from app.scenes.formats.levelx.tracks import read_levelx
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.plain_csv.tracks import read_plain_csv
from app.scenes.formats.recognition import KNOWN, recognise
from app.scenes.formats.report import ImportReport, Note, Notes
from app.scenes.formats.sumo.fcd import read_sumo_fcd
from app.scenes.formats.sumo.net import net_offset_m, read_sumo_net_map
from app.scenes.off_road import off_road_doubts
from app.scenes.plausibility import doubts, ego_doubts
from app.scenes.road_map import RoadMap, moved_map
from app.scenes.scene import Scene, Source
from app.scenes.selection import choose
from app.scenes.suggestions import EgoSuggestion, suggest_egos
from app.scenes.validation import LONGEST_NAME, LONGEST_TEXT, check_scene

MAX_FILES = 100

TrackReader = Callable[[FileSet, ReadOptions, Notes], SceneDraft]
MapReader = Callable[[SourceFile, ReadOptions, Notes], RoadMap]

TRACK_READERS: dict[FileKind, TrackReader] = {
    FileKind.plain_csv: read_plain_csv,
    FileKind.interaction: read_interaction,
    FileKind.levelx_tracks: read_levelx,
    FileKind.highd_tracks: read_highd,
    FileKind.commonroad: read_commonroad,
    FileKind.sumo_fcd: read_sumo_fcd,
}
# What else belongs to the tracks of a kind.
COMPANIONS: dict[FileKind, tuple[FileKind, ...]] = {
    FileKind.levelx_tracks: (FileKind.levelx_tracks_meta, FileKind.levelx_recording_meta),
    FileKind.highd_tracks: (FileKind.highd_tracks_meta, FileKind.highd_recording_meta),
    FileKind.sumo_fcd: (FileKind.sumo_routes,),
}
MAP_READERS: dict[FileKind, MapReader] = {
    FileKind.lanelet2: read_lanelet2_map,
    FileKind.sumo_net: read_sumo_net_map,
    FileKind.commonroad: read_commonroad_map,
}
OWN_FORMATS = (FileKind.canonical, FileKind.canonical_csv)
FORMATS: tuple[str, ...] = (*OWN_FORMATS, *TRACK_READERS)
"""What `ReadOptions.format` can be."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneReading:
    """A scene from files, what was done to get it, and who else could be its ego."""

    scene: Scene
    report: ImportReport
    egos: tuple[EgoSuggestion, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MapReading:
    """A road map from a file, and what was done to get it."""

    road_map: RoadMap
    notes: tuple[Note, ...]


def read_scene(files: Sequence[SourceFile], options: ReadOptions | None = None) -> SceneReading:
    """The scene in files of any known format; tracks, map and tables about them go together.

    Raises SceneFormatError with one sentence that names the file and what is wrong with it, also
    for options that do not fit what is in the files.
    """
    asked = options or ReadOptions()
    options, notes = asked.widened(), Notes()
    sorted_files = _sort_files(files, options)
    kind = _kind_of_tracks(sorted_files)
    if options.format not in (None, kind):
        raise SceneFormatError(
            f"{_names(sorted_files)}: asked for as {options.format}, but the content is {kind}"
        )
    if kind in OWN_FORMATS:
        scene = _own_scene(sorted_files, kind, options)
        _note_unused(sorted_files, (kind,), notes)
    else:
        draft = TRACK_READERS[kind](sorted_files, options, notes)
        maps = () if draft.road_map else tuple(MAP_READERS)
        scene = _scene_of(draft, kind, sorted_files, options, notes)
        _note_unused(sorted_files, (kind, *COMPANIONS.get(kind, ()), *maps), notes)
    try:
        scene, egos = _chosen(scene, options, notes)
        check_scene(scene)
    except SceneFormatError:
        raise
    except ValueError as error:
        raise SceneFormatError(f"{_names(sorted_files)}: {error}") from error
    for sentence in ego_doubts(scene, asked.start_s, asked.end_s):
        notes.doubtful(sentence)
    _note_doubts(scene, sorted_files, notes)
    return SceneReading(scene, _report(scene, kind, sorted_files, notes), egos)


def read_road_map(file: SourceFile, options: ReadOptions | None = None) -> MapReading:
    """The road map in a file, without anybody on it."""
    notes = Notes()
    kind = recognise(file)
    if kind not in MAP_READERS:
        raise file.wrong(f"this is of the kind {kind}, not a map; maps are {_listed(MAP_READERS)}")
    road_map = MAP_READERS[kind](file, options or ReadOptions(), notes)
    return MapReading(road_map, notes.listed())


def with_companions(path: Path) -> list[Path]:
    """The file and, for a levelXData or highD recording, the tables about it beside it."""
    stem, found, _ = path.name.partition("_tracks.csv")
    if not found:
        return [path]
    names = (f"{stem}_tracksMeta.csv", f"{stem}_recordingMeta.csv")
    beside = [path.with_name(name) for name in names]
    return [path, *(companion for companion in beside if companion.is_file())]


def _sort_files(files: Sequence[SourceFile], options: ReadOptions) -> FileSet:
    """The files by kind, archives unpacked; a format that is asked for is taken at its word."""
    if options.format is not None and options.format not in FORMATS:
        raise SceneFormatError(
            f"no format is called {options.format!r}; there are {_listed(FORMATS)}"
        )
    if not files:
        raise SceneFormatError("there is no file to read")
    unpacked = [inner for file in files for inner in unpack(file)]
    if len(unpacked) > MAX_FILES:
        raise SceneFormatError(f"there are {len(unpacked)} files; at most {MAX_FILES} are read")
    by_kind: dict[FileKind, list[SourceFile]] = defaultdict(list)
    for file in unpacked:
        by_kind[_kind_of(file, options)].append(file)
    return FileSet({kind: tuple(found) for kind, found in by_kind.items()})


def _kind_of(file: SourceFile, options: ReadOptions) -> FileKind:
    kind = recognise(file)
    # Any table of tracks is also a plain table, and the only one whose columns can be named.
    if options.format == FileKind.plain_csv and kind in TRACK_READERS and _is_table(file):
        return FileKind.plain_csv
    return kind


def _is_table(file: SourceFile) -> bool:
    return not file.head(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<", b"{"))


def _kind_of_tracks(files: FileSet) -> FileKind:
    found = [kind for kind in (*OWN_FORMATS, *TRACK_READERS) if files.all(kind)]
    # A CommonRoad file has a map, too, and may be given for it alone.
    if len(found) > 1 and FileKind.commonroad in found:
        found.remove(FileKind.commonroad)
    if len(found) > 1:
        raise SceneFormatError(
            f"{_names(files)}: there are tracks of the kinds {' and '.join(found)}; "
            "please give the files of one scene at a time"
        )
    if not found and files.all(FileKind.opendrive):
        raise files.all(FileKind.opendrive)[0].wrong("OpenDRIVE maps are not read yet")
    if not found and all(kind in MAP_READERS for kind in files.by_kind):
        raise SceneFormatError(
            f"{_names(files)} is only a road map; please add the tracks that drive on it"
        )
    if not found:
        what = ", ".join(f"{f.name} is {kind}" for kind in files.by_kind for f in files.all(kind))
        raise SceneFormatError(f"there is no file with tracks: {what}; {KNOWN}")
    return found[0]


def _own_scene(files: FileSet, kind: FileKind, options: ReadOptions) -> Scene:
    file = files.get(kind)
    decode = decode_scene if kind == FileKind.canonical else decode_csv
    content = file.read(MAX_BYTES)
    try:
        scene = decode(content, max_bytes=MAX_BYTES)
    except SceneFormatError as error:
        raise file.wrong(str(error)) from error
    licence = options.licence or scene.source.licence
    return replace(scene, source=replace(scene.source, licence=licence))


def _note_unused(files: FileSet, used: Sequence[FileKind], notes: Notes) -> None:
    for kind in files.by_kind:
        for file in files.all(kind) if kind not in used else ():
            notes.dropped(f"{file.name} ({kind}) was not used; the tracks need no such file.")


def _scene_of(
    draft: SceneDraft, kind: FileKind, files: FileSet, options: ReadOptions, notes: Notes
) -> Scene:
    road_map = draft.road_map or _map_beside(kind, files, options, notes)
    if road_map is None:
        notes.assumed("There is no road map; the road users are shown on plain ground.")
    elif options.map_offset_m is not None:
        road_map = moved_map(road_map, *options.map_offset_m)
    configuration = {"files": _names(files)[:LONGEST_TEXT], **draft.configuration}
    return Scene(
        name=_fitting(draft.name, notes),
        step_s=draft.step_s,
        tracks=draft.tracks,
        road_map=road_map or RoadMap(),
        source=Source(
            generator=kind,
            configuration=configuration,
            licence=options.licence or draft.licence,
        ),
        ego_id=draft.ego_id,
        kind=draft.kind,
    )


def _fitting(name: str, notes: Notes) -> str:
    if len(name) > LONGEST_NAME:
        notes.dropped(f"The name was cut after {LONGEST_NAME} characters.")
    return name[:LONGEST_NAME]


def _map_beside(
    kind: FileKind, files: FileSet, options: ReadOptions, notes: Notes
) -> RoadMap | None:
    maps = [(k, file) for k in MAP_READERS if k != kind for file in files.all(k)]
    if len(maps) > 1:
        names = " and ".join(file.name for _, file in maps)
        raise SceneFormatError(f"{names} are both road maps; please give one of them")
    if files.all(FileKind.opendrive):
        raise files.all(FileKind.opendrive)[0].wrong("OpenDRIVE maps are not read yet")
    return MAP_READERS[maps[0][0]](maps[0][1], options, notes) if maps else None


def _chosen(
    scene: Scene, options: ReadOptions, notes: Notes
) -> tuple[Scene, tuple[EgoSuggestion, ...]]:
    scene = choose(
        replace(scene, ego_id=None, roles={}) if options.ego_id else scene,
        ego_id=options.ego_id,
        start_s=options.start_s,
        end_s=options.end_s,
        roles=options.roles,
        kind=options.kind,
        name=options.name,
    )
    egos = suggest_egos(scene)
    if scene.ego_id is None and egos:
        notes.assumed(f"Road user {egos[0].track_id!r} is taken as the ego: {egos[0].reason}")
        scene = choose(scene, ego_id=egos[0].track_id)
    return scene, egos


def _note_doubts(scene: Scene, files: FileSet, notes: Notes) -> None:
    # SUMO added this to the places of the network; tracks from elsewhere are without it.
    offsets_m = {
        f"against the netOffset of {file.name}": (-x_m, -y_m)
        for file in files.all(FileKind.sumo_net)
        for x_m, y_m in [net_offset_m(file)]
    }
    for sentence in (*doubts(scene), *off_road_doubts(scene, offsets_m)):
        notes.doubtful(sentence)


def _report(scene: Scene, kind: FileKind, files: FileSet, notes: Notes) -> ImportReport:
    return ImportReport(
        format=kind,
        files=tuple(file.name for k in files.by_kind for file in files.all(k)),
        n_tracks=len(scene.tracks),
        n_samples=sum(int(track.valid.sum()) for track in scene.tracks),
        n_lanes=len(scene.road_map.lanes),
        start_s=scene.start_s,
        duration_s=scene.duration_s,
        step_s=scene.step_s,
        kinds=dict(Counter(track.kind.value for track in scene.tracks)),
        notes=notes.listed(),
    )


def _names(files: FileSet) -> str:
    return ", ".join(file.name for kind in files.by_kind for file in files.all(kind))


def _listed(names: Sequence[str] | dict[FileKind, MapReader]) -> str:
    return ", ".join(str(name) for name in names)
