"""The two small tables beside the tracks of a levelXData or highD recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from app.scenes.formats.files import SourceFile
from app.scenes.formats.report import Notes
from app.scenes.formats.tables.blocks import TableBlock, line_of_row, read_header, read_table
from app.scenes.formats.tables.checks import check_named, check_sizes

USUAL_FRAMES_PER_S = 25.0
LEAST_FRAMES_PER_S, MOST_FRAMES_PER_S = 0.1, 1000.0
MAX_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class RecordingMeta:
    """How fast a recording was filmed, and what else its meta file says."""

    frames_per_s: float
    fields: dict[str, str] = field(default_factory=dict)  # of those asked for, as written

    @property
    def configuration(self) -> dict[str, str | float | int | bool]:
        """What a scene keeps of it: numbers where they are numbers."""
        return {
            "frameRate": self.frames_per_s,
            **{name: _number_or_text(text) for name, text in self.fields.items() if text},
        }


@dataclass(frozen=True, slots=True)
class UsersMeta:
    """What is said of each road user, by its id; empty where the file has no such column."""

    name: str
    ids: frozenset[str]
    types: dict[str, str]
    sizes_m: dict[str, tuple[float, float]]  # length and width, nan where they are 0 or missing
    directions: dict[str, int]  # highD: 1 to the left, 2 to the right


def read_recording_meta(
    file: SourceFile | None, wanted: Sequence[str], notes: Notes
) -> RecordingMeta:
    """The only row of a recording's meta file; without one the usual frame rate is assumed."""
    if file is None:
        notes.assumed(
            "There is no file …_recordingMeta.csv with the frame rate; "
            f"{USUAL_FRAMES_PER_S:g} frames per second were assumed."
        )
        return RecordingMeta(USUAL_FRAMES_PER_S)
    header = read_header(file)
    names = [name for name in wanted if name in header]
    table = read_table(file, ["frameRate"], names)
    if table.n_rows != 1:
        raise file.wrong(f"expected one row about the recording, not {table.n_rows:,}")
    frames_per_s = float(table.numbers["frameRate"][0])
    if not LEAST_FRAMES_PER_S <= frames_per_s <= MOST_FRAMES_PER_S:
        raise file.wrong(f"line 2: column 'frameRate': {frames_per_s:g} frames per second")
    texts = {name: table.texts[name][1][0].strip()[:MAX_CHARACTERS] for name in names}
    return RecordingMeta(frames_per_s, texts)


def read_users_meta(
    file: SourceFile | None, id_column: str, size_columns: tuple[str, str]
) -> UsersMeta | None:
    """The tracks' meta file, if there is one; `size_columns` are those of length and width."""
    if file is None:
        return None
    header = read_header(file)
    sizes = [name for name in size_columns if name in header]
    directions = [name for name in ("drivingDirection",) if name in header]
    types = [name for name in ("class",) if name in header]
    table = read_table(file, [*sizes, *directions], [id_column, *types])
    check_named(file, table, id_column)
    check_sizes(file, table, sizes)
    ids = _unique_ids(file, table, id_column)
    return UsersMeta(
        name=file.name,
        ids=frozenset(ids),
        types={i: text for name in types for i, text in zip(ids, _texts(table, name), strict=True)},
        sizes_m=dict(zip(ids, _sizes_m(table, *sizes), strict=True)) if len(sizes) == 2 else {},
        directions={
            i: int(direction)
            for name in directions
            for i, direction in zip(ids, table.numbers[name].tolist(), strict=True)
            if isfinite(direction)
        },
    )


def check_all_are_known(file: SourceFile, ids: Sequence[str], meta: UsersMeta | None) -> None:
    """Refuse tracks that the meta file does not have: it belongs to another recording."""
    for track_id in ids:
        if meta is not None and track_id not in meta.ids:
            raise file.wrong(
                f"the track {track_id!r} is not in {meta.name}; are both of the same recording?"
            )


def _number_or_text(text: str) -> str | float | int:
    try:
        number = float(text)
    except ValueError:
        return text
    if not isfinite(number):
        return text
    return int(number) if number.is_integer() else number


def _unique_ids(file: SourceFile, table: TableBlock, id_column: str) -> list[str]:
    ids = _texts(table, id_column)
    seen: set[str] = set()
    for row, track_id in enumerate(ids):
        if track_id in seen:
            raise file.wrong(
                f"line {line_of_row(file, row)}: the track {track_id!r} is there already"
            )
        seen.add(track_id)
    return ids


def _texts(table: TableBlock, column: str) -> list[str]:
    codes, names = table.texts[column]
    return [names[code] for code in codes.tolist()]


def _sizes_m(table: TableBlock, *columns: str) -> Iterator[tuple[float, float]]:
    lengths_m, widths_m = (
        np.where(table.numbers[name] > 0, table.numbers[name], np.nan).tolist() for name in columns
    )
    return zip(lengths_m, widths_m, strict=True)
