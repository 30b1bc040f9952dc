"""levelXData (inD, rounD, exiD, uniD): a recording in three tables, read as a stream.

Positions are centres of boxes in metres, headings degrees counter-clockwise from +x, times are
frames. Pedestrians, and in some of the sets bicycles, have the size 0 and no heading of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.levelx.recording_meta import (
    UsersMeta,
    check_all_are_known,
    read_recording_meta,
    read_users_meta,
)
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.tables.blocks import Codes, TableBlock, code_of, read_header, stream_columns
from app.scenes.formats.tables.checks import (
    check_finite,
    check_named,
    check_not_infinite,
    check_sizes,
)
from app.scenes.formats.tables.road_users import SizeSurvey, road_user_kinds
from app.scenes.formats.tracks.building import RoadUserFacts, build_tracks
from app.scenes.formats.tracks.motion import along_heading, course_rad, forward_speed_mps
from app.scenes.formats.tracks.rows import Rows, collect_rows
from app.scenes.scene import Floats

NEEDED = ("frame", "xCenter", "yCenter", "heading")
VELOCITY = ("xVelocity", "yVelocity")
ACCELERATION = ("xAcceleration", "yAcceleration")
SIZE = ("length", "width")
META_FIELDS = (
    "recordingId",
    "locationId",
    "speedLimit",
    "weekday",
    "startTime",
    "latLocation",
    "lonLocation",
    "xUtmOrigin",
    "yUtmOrigin",
)


def read_levelx(files: FileSet, options: ReadOptions, notes: Notes) -> SceneDraft:
    """The tracks of a recording; of a large one those in the window, or in the ego's time."""
    file = files.get(FileKind.levelx_tracks)
    _check_same_recording(file, files)
    meta = read_recording_meta(files.find(FileKind.levelx_recording_meta), META_FIELDS, notes)
    users = read_users_meta(files.find(FileKind.levelx_tracks_meta), "trackId", SIZE)
    table = _Tracks(file, read_header(file), meta.frames_per_s, users)
    rows = collect_rows(
        table.blocks, options, notes, file.name, lambda ego_id: code_of(table.names, ego_id)
    )
    built = build_tracks(rows, table.facts(rows, notes), notes, file.name)
    return SceneDraft(
        name=file.stem,
        step_s=built.step_s,
        tracks=built.tracks,
        configuration=meta.configuration,
    )


def _check_same_recording(file: SourceFile, files: FileSet) -> None:
    recording = _first_recording_id(file)
    for kind in (FileKind.levelx_tracks_meta, FileKind.levelx_recording_meta):
        other = files.find(kind)
        if other and (its := _first_recording_id(other)) and recording and its != recording:
            raise other.wrong(f"this is recording {its}, but {file.name} is recording {recording}")


def _first_recording_id(file: SourceFile) -> str | None:
    if "recordingId" not in read_header(file):
        return None
    block = next(stream_columns(file, (), ("recordingId",)), None)
    return None if block is None else block.texts["recordingId"][1][0]


@dataclass(slots=True)
class _Tracks:
    """The tracks' table, passing by in blocks."""

    file: SourceFile
    header: Sequence[str]
    frames_per_s: float
    users: UsersMeta | None
    names: list[str] = field(default_factory=list)
    sizeless: list[bool] = field(default_factory=list)  # of each name, whether its size is 0
    survey: SizeSurvey = field(default_factory=SizeSurvey)

    def blocks(self) -> Iterator[Rows]:
        """All rows, once more each time it is called."""
        self.survey = SizeSurvey()
        sizes = [] if self.users and self.users.sizes_m else self._having(SIZE)
        states = [*NEEDED, *self._having(VELOCITY), *self._having(ACCELERATION)]
        for block in stream_columns(self.file, [*states, *sizes], ("trackId",)):
            check_named(self.file, block, "trackId")
            check_finite(self.file, block, ("frame", "xCenter", "yCenter"))
            check_not_infinite(self.file, block, states)
            check_sizes(self.file, block, sizes)
            yield self._rows(block)

    def facts(self, rows: Rows, notes: Notes) -> dict[int, RoadUserFacts]:
        """Who is in the rows."""
        numbers = np.unique(rows.track).tolist()
        ids = [self.names[number] for number in numbers]
        check_all_are_known(self.file, ids, self.users)
        types = self.users.types if self.users else {}
        kinds = road_user_kinds([types.get(track_id, "") for track_id in ids], notes)
        sizes_m = self._sizes_m(numbers, ids, notes)
        return {
            number: RoadUserFacts(track_id, kind, *size_m)
            for number, track_id, kind, size_m in zip(numbers, ids, kinds, sizes_m, strict=True)
        }

    def _having(self, columns: tuple[str, str]) -> list[str]:
        return list(columns) if set(columns) <= set(self.header) else []

    def _rows(self, block: TableBlock) -> Rows:
        track, self.names = block.texts["trackId"]
        has_size = self._has_size(block, track)
        heading_rad = np.radians(block.numbers["heading"])
        # Who has no size has no heading either: both are written as 0.
        heading_rad[~has_size & (heading_rad == 0)] = nan
        return Rows(
            track=track,
            time_s=block.numbers["frame"] / self.frames_per_s,
            x_m=block.numbers["xCenter"],
            y_m=block.numbers["yCenter"],
            heading_rad=heading_rad,
            speed_mps=forward_speed_mps(*self._pair(block, VELOCITY), heading_rad),
            acceleration_mps2=along_heading(*self._pair(block, ACCELERATION), heading_rad),
            course_rad=course_rad(*self._pair(block, VELOCITY)),
        )

    def _pair(self, block: TableBlock, columns: tuple[str, str]) -> tuple[Floats, Floats]:
        if not self._having(columns):
            return np.full(block.n_rows, nan), np.full(block.n_rows, nan)
        return block.numbers[columns[0]], block.numbers[columns[1]]

    def _has_size(self, block: TableBlock, track: Codes) -> NDArray[np.bool_]:
        if self.users and self.users.sizes_m:
            for name in self.names[len(self.sizeless) :]:
                self.sizeless.append(isnan(self.users.sizes_m.get(name, (nan, nan))[0]))
            return ~np.array(self.sizeless, np.bool_)[track]
        if not self._having(SIZE):
            return np.ones(block.n_rows, np.bool_)
        length_m, width_m = (block.numbers[name] for name in SIZE)
        self.survey.add(track, length_m, width_m)
        has_size: NDArray[np.bool_] = length_m > 0
        return has_size

    def _sizes_m(
        self, numbers: list[int], ids: list[str], notes: Notes
    ) -> Iterable[tuple[float, float]]:
        if self.users and self.users.sizes_m:
            return [self.users.sizes_m[track_id] for track_id in ids]
        if not self._having(SIZE):
            return [(nan, nan)] * len(ids)
        sizes_m = self.survey.sizes_m(numbers, notes)
        return [sizes_m[number] for number in numbers]
