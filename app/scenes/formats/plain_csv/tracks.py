"""Plain tables of trajectories: id, t, x, y and whatever else the columns' names say."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan, pi, radians

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.plain_csv.columns import MEANINGS, Column, find_columns
from app.scenes.formats.plain_csv.units import Quantity
from app.scenes.formats.report import Notes
from app.scenes.formats.tables.blocks import (
    TableBlock,
    code_of,
    delimiter_of,
    read_header,
    stream_columns,
)
from app.scenes.formats.tables.checks import (
    check_finite,
    check_named,
    check_not_infinite,
    check_sizes,
)
from app.scenes.formats.tables.road_users import SizeSurvey, TypeSurvey, road_user_kinds
from app.scenes.formats.tracks.building import RoadUserFacts, build_tracks
from app.scenes.formats.tracks.motion import course_rad, forward_speed_mps
from app.scenes.formats.tracks.rows import Rows, collect_rows
from app.scenes.scene import Floats

# Nobody records traffic so slowly; the column is in milliseconds or counts frames.
LONGEST_STEP_S = 10.0
# A heading in radians stays within a turn, and a little more where it was unwrapped.
LARGEST_HEADING_RAD = 2 * pi * 1.05
SUMO_COLUMNS = {"timestep_time", "vehicle_angle", "vehicle_x", "vehicle_y"}
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*")


def read_plain_csv(files: FileSet, options: ReadOptions, notes: Notes) -> SceneDraft:
    """The tracks of a table whose columns are known by their names or by `options.columns`."""
    file = files.get(FileKind.plain_csv)
    header = read_header(file)
    if set(header) >= SUMO_COLUMNS:
        raise file.wrong(
            "this is SUMO's floating car data as a table, whose places are front bumpers; "
            "please give the XML file"
        )
    columns = find_columns(file, header, options.columns)
    table = _Table(file, columns, _decimal_point(file, header, columns, notes))
    _note_units(columns, options, notes)
    table.heading_scale_rad = _heading_scale_rad(table, notes)
    rows = collect_rows(
        table.blocks, options, notes, file.name, lambda ego_id: code_of(table.names, ego_id)
    )
    notes.dropped("Rows without a place.", table.n_placeless)
    built = build_tracks(rows, table.facts(rows, notes), notes, file.name)
    if built.step_s > LONGEST_STEP_S:
        time = columns["t"].name
        raise file.wrong(
            f"by the column {time!r} there are {built.step_s:g} s between samples; if it is not "
            f"in seconds, please say so, for example t={time} [ms]"
        )
    return SceneDraft(name=file.stem, step_s=built.step_s, tracks=built.tracks)


@dataclass(slots=True)
class _Table:
    """The table, passing by in blocks."""

    file: SourceFile
    columns: Mapping[str, Column]
    decimal_point: str
    heading_scale_rad: float = nan
    names: list[str] = field(default_factory=list)
    n_placeless: int = 0
    sizes: SizeSurvey = field(default_factory=SizeSurvey)
    types: TypeSurvey = field(default_factory=TypeSurvey)

    def blocks(self) -> Iterator[Rows]:
        """All rows that have a place, once more each time it is called."""
        self.n_placeless, self.sizes = 0, SizeSurvey()
        place, time = self._names_of("x", "y"), self._names_of("t")
        sizes = self._names_of("length", "width")
        numbers = self._names_of(*(name for name, what in MEANINGS.items() if what))
        texts = self._names_of("id", "type")
        for block in stream_columns(self.file, numbers, texts, self.decimal_point):
            check_named(self.file, block, self.columns["id"].name)
            check_not_infinite(self.file, block, numbers)
            check_sizes(self.file, block, sizes)
            # Simulators write nan for a vehicle that is not there.
            placed = ~(np.isnan(block.numbers[place[0]]) | np.isnan(block.numbers[place[1]]))
            check_finite(self.file, block, time, placed)
            self.n_placeless += int((~placed).sum())
            yield self._rows(block, placed)

    def largest_heading(self) -> float:
        """In whatever unit it is; -inf if there is none."""
        name = self.columns["heading" if "heading" in self.columns else "compass"].name
        return max(
            (
                float(np.nanmax(np.abs(block.numbers[name])))
                for block in stream_columns(self.file, [name], (), self.decimal_point)
                if not np.isnan(block.numbers[name]).all()
            ),
            default=0.0,
        )

    def facts(self, rows: Rows, notes: Notes) -> dict[int, RoadUserFacts]:
        """Who is in the rows."""
        numbers = np.unique(rows.track).tolist()
        kinds = road_user_kinds([self.types.types.get(i, "") for i in numbers], notes)
        sizes_m = self.sizes.sizes_m(numbers, notes)
        return {
            i: RoadUserFacts(self.names[i], kind, *sizes_m[i])
            for i, kind in zip(numbers, kinds, strict=True)
        }

    def _names_of(self, *meanings: str) -> list[str]:
        return [self.columns[meaning].name for meaning in meanings if meaning in self.columns]

    def _rows(self, block: TableBlock, placed: NDArray[np.bool_]) -> Rows:
        track, self.names = block.texts[self.columns["id"].name]
        length_m, width_m = self._column(block, "length"), self._column(block, "width")
        self.sizes.add(track[placed], length_m[placed], width_m[placed])
        if "type" in self.columns:
            types, names = block.texts[self.columns["type"].name]
            self.types.add(track[placed], types[placed], names)
        heading_rad = self._heading_rad(block)
        return Rows(
            track=track,
            time_s=self._column(block, "t"),
            x_m=self._column(block, "x"),
            y_m=self._column(block, "y"),
            heading_rad=heading_rad,
            speed_mps=self._speed_mps(block, heading_rad),
            acceleration_mps2=self._column(block, "acceleration"),
            course_rad=course_rad(self._column(block, "vx"), self._column(block, "vy")),
        ).take(placed)

    def _column(self, block: TableBlock, meaning: str) -> Floats:
        """In SI; nan where there is no such column."""
        column = self.columns.get(meaning)
        if column is None:
            return np.full(block.n_rows, nan)
        values = block.numbers[column.name]
        if column.scale in (None, 1):
            return values
        # Divided rather than multiplied by an inexact tenth: 300 ms are 0.3 s.
        with np.errstate(over="ignore"):
            return values * float(column.scale.numerator) / float(column.scale.denominator)

    def _heading_rad(self, block: TableBlock) -> Floats:
        if "heading" in self.columns:
            return block.numbers[self.columns["heading"].name] * self.heading_scale_rad
        if "compass" in self.columns:
            return pi / 2 - block.numbers[self.columns["compass"].name] * self.heading_scale_rad
        return np.full(block.n_rows, nan)

    def _speed_mps(self, block: TableBlock, heading_rad: Floats) -> Floats:
        if "speed" in self.columns:
            return self._column(block, "speed")
        vx_mps, vy_mps = self._column(block, "vx"), self._column(block, "vy")
        return forward_speed_mps(vx_mps, vy_mps, heading_rad)


def _decimal_point(
    file: SourceFile, header: Sequence[str], columns: Mapping[str, Column], notes: Notes
) -> str:
    """German spreadsheets write 0,5 and separate cells by semicolons."""
    delimiter = delimiter_of(file)
    if delimiter == ",":
        return "."
    places = [header.index(columns[meaning].name) for meaning in columns if MEANINGS[meaning]]
    lines = file.head(2**16).decode(errors="replace").splitlines()[1:]
    for cells in csv.reader(lines, delimiter=delimiter, strict=False):
        if any(place < len(cells) and _DECIMAL_COMMA.fullmatch(cells[place]) for place in places):
            notes.assumed("Numbers are written with a decimal comma.")
            return ","
    return "."


def _note_units(columns: Mapping[str, Column], options: ReadOptions, notes: Notes) -> None:
    unknown = [
        repr(column.name)
        for meaning, column in columns.items()
        if MEANINGS[meaning] not in (None, Quantity.angle) and column.scale is None
    ]
    notes.assumed(
        f"Columns without a unit ({', '.join(unknown)}); metres, seconds, m/s and m/s² were "
        "assumed.",
        len(unknown),
    )
    if "compass" in columns and "compass" not in options.columns:
        notes.assumed(
            f"The column {columns['compass'].name!r} was read as a compass bearing, clockwise "
            "from north."
        )
    for one, other in (("vx", "vy"), ("vy", "vx")):
        if one in columns and other not in columns and "speed" not in columns:
            notes.dropped(f"The column {columns[one].name!r}, because there is no {other}.")


def _heading_scale_rad(table: _Table, notes: Notes) -> float:
    """What one of the heading's unit is in radians, found out from the values if not said."""
    column = table.columns.get("heading") or table.columns.get("compass")
    if column is None:
        return nan
    if column.scale is not None:
        return float(column.scale)
    in_degrees = table.largest_heading() > LARGEST_HEADING_RAD
    unit = "degrees" if in_degrees else "radians"
    notes.assumed(f"The heading in {column.name!r} has no unit; by its values it is in {unit}.")
    return radians(1) if in_degrees else 1.0
