"""INTERACTION: vehicles and people at 10 Hz, box centres in metres, headings in radians.

People and cyclists have no heading and no size; prediction sets hold many cases of four
seconds, of which one is a scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.tables.blocks import Codes, TableBlock, code_of, read_header, stream_columns
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
from app.scenes.scene import Floats, RoadUser, Track

PLACE = ("timestamp_ms", "x", "y")
OPTIONAL = ("vx", "vy", "psi_rad", "length", "width")
# The data set does not measure people and cyclists.
UNMEASURED = (RoadUser.pedestrian, RoadUser.bicycle)
UNMEASURED_SIZE_M = (1.5, 1.5)
STRIDE = 2**32  # more tracks than a file can have


def read_interaction(files: FileSet, options: ReadOptions, notes: Notes) -> SceneDraft:
    """Everybody in the track files of one recording, or in one case of a prediction set."""
    found = files.all(FileKind.interaction)
    tables = [_Table(file, read_header(file), i * STRIDE, options) for i, file in enumerate(found)]
    _check_cases(tables, options)

    def blocks() -> Iterator[Rows]:
        for table in tables:
            yield from table.blocks()

    def find_track(track_id: str) -> int | None:
        numbers = (table.number_of(track_id) for table in tables)
        return next((number for number in numbers if number is not None), None)

    rows = collect_rows(blocks, options, notes, tables[0].file.name, find_track)
    _check_ids(tables)
    facts = {i: fact for table in tables for i, fact in table.facts(rows, notes).items()}
    built = build_tracks(rows, _with_usual_sizes(facts, notes), notes, tables[0].file.name)
    unmeasured = {fact.id for fact in facts.values() if _is_unmeasured(fact)}
    return SceneDraft(
        name=tables[0].title,
        step_s=built.step_s,
        tracks=tuple(_flagged(track, unmeasured) for track in built.tracks),
        ego_id=_if_seen(tables[0].interesting_id, built.tracks),
        configuration=tables[0].note_case(notes),
    )


@dataclass(slots=True)
class _Table:
    """A table of tracks, passing by in blocks."""

    file: SourceFile
    header: Sequence[str]
    offset: int  # between the codes of its ids and the numbers of its tracks
    options: ReadOptions
    names: list[str] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)
    case: str | None = None
    interesting_id: str | None = None
    sizes: SizeSurvey = field(default_factory=SizeSurvey)
    types: TypeSurvey = field(default_factory=TypeSurvey)

    @property
    def has_cases(self) -> bool:
        """Whether it is a prediction set."""
        return "case_id" in self.header

    @property
    def title(self) -> str:
        """What the scene is called."""
        stem = self.file.stem
        return stem if self.case is None else f"{stem} case {_plain(self.case)}"

    def blocks(self) -> Iterator[Rows]:
        """All rows of the chosen case, once more each time it is called."""
        self.sizes = SizeSurvey()
        numbers = [*PLACE, *self._having(*OPTIONAL, "interesting_agent")]
        texts = ["track_id", "agent_type", *self._having("case_id")]
        for block in stream_columns(self.file, numbers, texts):
            check_named(self.file, block, "track_id")
            check_finite(self.file, block, PLACE)
            check_not_infinite(self.file, block, self._having("vx", "vy", "psi_rad"))
            check_sizes(self.file, block, self._having("length", "width"))
            yield self._rows(block)
        if self.has_cases and self.cases and self.case is None:
            raise self.file.wrong(
                f"there is no case {self.options.case_id!r}; the file has {len(self.cases):,} "
                f"cases, {_plain(self.cases[0])} to {_plain(self.cases[-1])}"
            )

    def facts(self, rows: Rows, notes: Notes) -> dict[int, RoadUserFacts]:
        """Who of this table is in the rows."""
        here = set(self.types.types) & set(np.unique(rows.track).tolist())
        if not here:
            return {}
        numbers = sorted(here)
        sizes_m = self.sizes.sizes_m(numbers, notes)
        kinds = road_user_kinds([self.types.types[number] for number in numbers], notes)
        return {
            number: RoadUserFacts(self.names[number - self.offset], kind, *sizes_m[number])
            for number, kind in zip(numbers, kinds, strict=True)
        }

    def note_case(self, notes: Notes) -> dict[str, str | float | int | bool]:
        """What to keep of the choice among the cases."""
        if self.case is None:
            return {}
        if self.options.case_id is None:
            notes.assumed(
                f"The file has {len(self.cases):,} cases, and none was chosen; the first of them, "
                f"{_plain(self.case)}, was taken."
            )
        return {"case_id": _plain(self.case), "n_cases": len(self.cases)}

    def number_of(self, track_id: str) -> int | None:
        """The number of a track of this table."""
        code = code_of(self.names, track_id)
        return None if code is None else code + self.offset

    def _having(self, *columns: str) -> list[str]:
        return [name for name in columns if name in self.header]

    def _rows(self, block: TableBlock) -> Rows:
        codes, self.names = block.texts["track_id"]
        track = codes + self.offset
        chosen = self._chosen(block)
        column = {name: self._column(block, name) for name in OPTIONAL}
        self.sizes.add(track[chosen], column["length"][chosen], column["width"][chosen])
        types, names = block.texts["agent_type"]
        self.types.add(track[chosen], types[chosen], names)
        self._find_interesting(block, codes, chosen)
        return Rows(
            track=track,
            time_s=block.numbers["timestamp_ms"] / 1000,
            x_m=block.numbers["x"],
            y_m=block.numbers["y"],
            heading_rad=column["psi_rad"],
            speed_mps=forward_speed_mps(column["vx"], column["vy"], column["psi_rad"]),
            acceleration_mps2=np.full(block.n_rows, nan),
            course_rad=course_rad(column["vx"], column["vy"]),
        ).take(chosen)

    def _column(self, block: TableBlock, name: str) -> Floats:
        return block.numbers[name] if name in self.header else np.full(block.n_rows, nan)

    def _chosen(self, block: TableBlock) -> NDArray[np.bool_]:
        if not self.has_cases:
            return np.ones(block.n_rows, np.bool_)
        codes, self.cases = block.texts["case_id"]
        wanted = self.cases[0] if self.options.case_id is None else self.options.case_id
        self.case = next((name for name in self.cases if _plain(name) == _plain(wanted)), None)
        if self.case is None:
            return np.zeros(block.n_rows, np.bool_)
        chosen: NDArray[np.bool_] = codes == self.cases.index(self.case)
        return chosen

    def _find_interesting(self, block: TableBlock, codes: Codes, chosen: NDArray[np.bool_]) -> None:
        if "interesting_agent" not in self.header or self.interesting_id is not None:
            return
        interesting = chosen & (block.numbers["interesting_agent"] == 1)
        if interesting.any():
            self.interesting_id = self.names[codes[np.argmax(interesting)]]


def _check_cases(tables: Sequence[_Table], options: ReadOptions) -> None:
    with_cases = [table for table in tables if table.has_cases]
    if with_cases and len(tables) > 1:
        raise with_cases[0].file.wrong("this is a prediction set with cases; please give it alone")
    if options.case_id is not None and not with_cases:
        raise tables[0].file.wrong(
            f"case {options.case_id!r} was asked for, but there is no column 'case_id'"
        )


def _check_ids(tables: Sequence[_Table]) -> None:
    seen: dict[str, SourceFile] = {}
    for table in tables:
        for name in table.names:
            if name in seen:
                raise table.file.wrong(
                    f"the track {name!r} is in {seen[name].name}, too; please give the files of "
                    "one recording"
                )
            seen[name] = table.file


def _is_unmeasured(fact: RoadUserFacts) -> bool:
    return fact.kind in UNMEASURED and isnan(fact.length_m) and isnan(fact.width_m)


def _with_usual_sizes(facts: Mapping[int, RoadUserFacts], notes: Notes) -> dict[int, RoadUserFacts]:
    length_m, width_m = UNMEASURED_SIZE_M
    notes.defaulted(
        f"People and cyclists without a size, drawn {length_m:g} m × {width_m:g} m.",
        sum(map(_is_unmeasured, facts.values())),
    )
    return {
        number: replace(fact, length_m=length_m, width_m=width_m) if _is_unmeasured(fact) else fact
        for number, fact in facts.items()
    }


def _flagged(track: Track, unmeasured: Set[str]) -> Track:
    size = {"size"} if track.id in unmeasured else set()
    return replace(track, inferred=track.inferred | size)


def _if_seen(track_id: str | None, tracks: Sequence[Track]) -> str | None:
    """The one a case is about may be outside the window that was chosen."""
    return track_id if any(track.id == track_id for track in tracks) else None


def _plain(case: str) -> str:
    """The tables write whole numbers as 1 and as 1.0."""
    return case.strip().removesuffix(".0")
