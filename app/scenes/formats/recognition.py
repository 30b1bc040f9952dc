"""What a file is, told by its content; a name can be anything."""

from __future__ import annotations

from typing import Never
from xml.parsers import expat

from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind
from app.scenes.formats.tables.blocks import read_header

# Enough for the comment in which SUMO writes all its options before the first element.
HEAD_BYTES = 2**18

ROOT_ELEMENTS = {
    "commonRoad": FileKind.commonroad,
    "fcd-export": FileKind.sumo_fcd,
    "net": FileKind.sumo_net,
    "routes": FileKind.sumo_routes,
    "additional": FileKind.sumo_routes,
    "osm": FileKind.lanelet2,
    "OpenDRIVE": FileKind.opendrive,
}

# The first whose columns are all there; the wider a table, the sooner it is asked for.
TABLES: tuple[tuple[FileKind, frozenset[str]], ...] = (
    (FileKind.levelx_tracks, frozenset({"trackId", "frame", "xCenter", "yCenter"})),
    (FileKind.levelx_tracks_meta, frozenset({"trackId", "initialFrame", "finalFrame"})),
    (FileKind.highd_recording_meta, frozenset({"frameRate", "lowerLaneMarkings"})),
    (FileKind.levelx_recording_meta, frozenset({"recordingId", "frameRate"})),
    (FileKind.highd_tracks_meta, frozenset({"id", "initialFrame", "drivingDirection"})),
    (FileKind.highd_tracks, frozenset({"frame", "id", "x", "y", "width", "height", "xVelocity"})),
    (
        FileKind.interaction,
        frozenset({"track_id", "frame_id", "timestamp_ms", "agent_type", "x", "y"}),
    ),
)

STRANGERS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x80\x02", "a Python pickle, which is never opened"),
    (b"\x80\x03", "a Python pickle, which is never opened"),
    (b"\x80\x04", "a Python pickle, which is never opened"),
    (b"\x80\x05", "a Python pickle, which is never opened"),
    (b"\x93NUMPY", "a numpy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"PAR1", "a Parquet table"),
    (b"SQLite format 3", "an SQLite database"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x1f\x8b", "gzip inside gzip"),
)


def recognise(file: SourceFile) -> FileKind:
    """The kind of a file; SceneFormatError with what it looks like if it is none that is read."""
    head = file.head(HEAD_BYTES)
    if not head.strip():
        raise file.wrong("the file is empty")
    for magic, what in STRANGERS:
        if head.startswith(magic):
            raise file.wrong(f"this is {what}; {KNOWN}")
    if head[4:8] == b"ftyp":
        raise file.wrong(f"this is a video, not a file with tracks; {KNOWN}")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<") or head.startswith((b"\xff\xfe<\0", b"\xfe\xff\0<")):
        return _by_root_element(file, head)
    if start.startswith(b"{"):
        return _by_json(file, head)
    if start.startswith(b"# roadrater-scene-csv"):
        return FileKind.canonical_csv
    return _by_columns(file)


KNOWN = (
    "known are Roadrater's own scenes (JSON, CSV), plain CSV tables, INTERACTION, levelXData "
    "(inD, rounD, exiD, uniD), highD, CommonRoad, SUMO (FCD, net, routes) and Lanelet2 maps"
)


class _RootFound(Exception):
    """The first element has begun; the rest does not matter here."""


def _by_root_element(file: SourceFile, head: bytes) -> FileKind:
    root = _root_element(file, head)
    if root not in ROOT_ELEMENTS:
        raise file.wrong(f"this is XML with the root element {root[:40]!r}; {KNOWN}")
    return ROOT_ELEMENTS[root]


def _root_element(file: SourceFile, head: bytes) -> str:
    found: list[str] = []

    def start(tag: str, _attributes: dict[str, str]) -> Never:
        found.append(tag)
        raise _RootFound

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    try:
        parser.Parse(head, len(head) < HEAD_BYTES)
    except _RootFound:
        return found[0]
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "not well-formed")
        raise file.wrong(f"line {error.lineno}: not XML: {reason}") from None
    except (LookupError, ValueError) as error:
        raise file.wrong(f"not XML: {error}") from None
    raise file.wrong(f"no element begins within the first {HEAD_BYTES:,} bytes")


def _by_json(file: SourceFile, head: bytes) -> FileKind:
    if b'"roadrater-scene"' not in head[:4096]:
        raise file.wrong('this is JSON, but it does not say "format": "roadrater-scene"')
    return FileKind.canonical


def _by_columns(file: SourceFile) -> FileKind:
    columns = frozenset(read_header(file))
    for kind, needed in TABLES:
        if needed <= columns:
            return kind
    if len(columns) < 3:
        raise file.wrong(f"this is neither XML nor JSON nor a table with columns; {KNOWN}")
    return FileKind.plain_csv
