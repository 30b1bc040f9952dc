"""A scene as a table for pandas and spreadsheets, read and written without loss.

The first line names the format, the second holds as JSON all that is not a sample, the rest is a
table with one row for each sample. Both lines begin with # and can be skipped as comments.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TypeAlias

from app.scenes.formats.canonical import (
    MAX_BYTES,
    road_user_to_json,
    scene_from,
    scene_to_json,
    unpack,
)
from app.scenes.formats.canonical_schema import FORMAT, SCENE_FIELDS, TRACK_FIELDS, VERSION
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.safe_json import Element, parse_json
from app.scenes.scene import Scene, Track
from app.scenes.validation import STATE_FIELDS, check_scene

FIRST_LINE = f"# {FORMAT}-csv {VERSION}"
COLUMNS = ("track_id", "time_s", *STATE_FIELDS, "valid")
ROAD_USER_FIELDS = [name for name in TRACK_FIELDS if name not in COLUMNS]
LINES_ABOVE = 2

StateValues: TypeAlias = list[float | None]


def encode_csv(scene: Scene) -> bytes:
    """The scene as a table; equal scenes give equal bytes.

    Raises ValueError where the scene breaks the rules of `check_scene`.
    """
    check_scene(scene)
    about = scene_to_json(replace(scene, tracks=()))
    about["tracks"] = [road_user_to_json(track) for track in scene.tracks]
    # Nothing but \n and \r ends a line for those who read the table; JSON escapes both.
    comment = json.dumps(about, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    lines = [FIRST_LINE, f"# {comment}", ",".join(COLUMNS)]
    lines += [row for track in scene.tracks for row in _rows(track)]
    return "\n".join([*lines, ""]).encode()


def decode_csv(data: bytes, max_bytes: int = MAX_BYTES) -> Scene:
    """The scene in such a table, in gzip or not, of at most `max_bytes` unpacked.

    Rows of one track are in the order of time; tracks may be mixed.

    Raises SceneFormatError with the line that breaks the format and how.
    """
    try:
        text = unpack(data, max_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SceneFormatError(f"not UTF-8 at byte {error.start}") from error
    first, _, rest = text.partition("\n")
    if first.rstrip("\r") != FIRST_LINE:
        raise _wrong(1, f"expected {FIRST_LINE!r}")
    comment, _, table = rest.partition("\n")
    document = _head(comment)
    _fill(document, table)
    return _checked(document)


@dataclass(slots=True)
class _Samples:
    """The rows of one track so far; None where a sample is not valid."""

    time_s: list[float] = field(default_factory=list)
    states: tuple[StateValues, ...] = field(default_factory=lambda: tuple([] for _ in STATE_FIELDS))
    valid: list[bool] = field(default_factory=list)

    def add(self, line: int, row: list[str]) -> None:
        time_s, valid = _number(line, row, "time_s"), _truth(line, row)
        if self.time_s and time_s <= self.time_s[-1]:
            raise _wrong(
                line, f"column 'time_s': {row[1]} is not later than the row of this track before it"
            )
        self.time_s.append(time_s)
        self.valid.append(valid)
        for name, values in zip(STATE_FIELDS, self.states, strict=True):
            if not valid and row[COLUMNS.index(name)]:
                raise _wrong(line, f"column {name!r}: a value, but valid is false")
            values.append(_number(line, row, name) if valid else None)

    def as_json(self) -> dict[str, object]:
        states = dict(zip(STATE_FIELDS, self.states, strict=True))
        return {"time_s": self.time_s, "valid": self.valid, **states}


def _rows(track: Track) -> Iterator[str]:
    # In quotes even where not needed: pandas would take # in a bare id for a comment.
    name = '"' + track.id.replace('"', '""') + '"'
    columns = (getattr(track, state).tolist() for state in STATE_FIELDS)
    nothing = "," * (len(STATE_FIELDS) - 1)
    samples = zip(track.valid.tolist(), track.time_s.tolist(), *columns, strict=True)
    for valid, time_s, *states in samples:
        values = ",".join(map(repr, states)) if valid else nothing
        yield f"{name},{time_s!r},{values},{'true' if valid else 'false'}"


def _head(comment: str) -> dict[str, object]:
    """The canonical document but for the samples, which the rows have."""
    if not comment.startswith("# "):
        raise _wrong(2, "expected '# ' and a JSON object")
    try:
        about = parse_json(comment[2:])
        about.expect([name for name in SCENE_FIELDS if name not in ("format", "version")])
        for item in about.at("tracks").items():
            item.expect(ROAD_USER_FIELDS)
            item.at("id").text()
    except SceneFormatError as error:
        raise _wrong(2, str(error)) from error
    return {"format": FORMAT, "version": VERSION, **about.fields_by_name()}


def _fill(document: dict[str, object], table: str) -> None:
    """Give each track of the document the samples of its rows."""
    tracks = [item.fields_by_name() for item in Element("", document).at("tracks").items()]
    samples = {str(track["id"]): _Samples() for track in tracks}
    for line, row in _table_rows(table):
        if row[0] not in samples:
            raise _wrong(line, f"column 'track_id': no track of line 2 is called {row[0]!r}")
        samples[row[0]].add(line, row)
    for track in tracks:
        if not (own := samples[str(track["id"])]).time_s:
            raise SceneFormatError(f"no row has the track_id {track['id']!r}, which is in line 2")
        track.update(own.as_json())
    if not any(any(own.valid) for own in samples.values()):
        raise SceneFormatError("no row is valid")


def _table_rows(table: str) -> Iterator[tuple[int, list[str]]]:
    """Rows below the header, each with the number of its last line."""
    # newline="": a line break within an id stays the one it is.
    reader = csv.reader(io.StringIO(table, newline=""), strict=True)
    try:
        if next(reader, None) != list(COLUMNS):
            raise _wrong(LINES_ABOVE + 1, f"expected the columns {','.join(COLUMNS)}")
        for row in reader:
            line = reader.line_num + LINES_ABOVE
            if len(row) != len(COLUMNS):
                raise _wrong(line, f"{len(row)} columns, but there are {len(COLUMNS)} in line 3")
            yield line, row
    except csv.Error as error:
        raise _wrong(reader.line_num + LINES_ABOVE, str(error)) from error


def _number(line: int, row: list[str], name: str) -> float:
    cell = row[COLUMNS.index(name)]
    try:
        # Python reads 1_000 as a number; nobody else does.
        number = float(cell.replace("_", "?"))
    except ValueError:
        raise _wrong(line, f"column {name!r}: {cell!r} is not a number") from None
    if not isfinite(number):
        raise _wrong(line, f"column {name!r}: {cell!r} is not a finite number")
    return number


def _truth(line: int, row: list[str]) -> bool:
    # Spreadsheets and pandas write TRUE and True.
    word = row[-1].lower()
    if word not in ("true", "false"):
        raise _wrong(line, f"column 'valid': {row[-1]!r} is neither true nor false")
    return word == "true"


def _checked(document: dict[str, object]) -> Scene:
    """The rows are right by now; what is still wrong is in the JSON."""
    try:
        scene = scene_from(Element("", document))
        check_scene(scene)
    except ValueError as error:
        raise _wrong(2, str(error)) from error
    return scene


def _wrong(line: int, what: str) -> SceneFormatError:
    return SceneFormatError(f"line {line}: {what}")
