"""highD: a straight motorway from above, in three tables.

`x` and `y` are the upper-left corner of a box in a picture whose y points down; `width` is the
extent along the road and `height` the one across. A scene has centres and y pointing up, so
every y changes its sign. There is no heading: a vehicle faces the way it is driving, 1 to the left
and 2 to the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, nan, pi

import numpy as np

from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.levelx.highd_lanes import lanes_between_markings
from app.scenes.formats.levelx.recording_meta import (
    UsersMeta,
    check_all_are_known,
    read_recording_meta,
    read_users_meta,
)
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.tables.blocks import Codes, TableBlock, code_of, stream_columns
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
from app.scenes.scene import Floats, SceneKind

PLACE = ("frame", "x", "y")
SIZE = ("width", "height")
MOTION = ("xVelocity", "yVelocity", "xAcceleration", "yAcceleration")
META_FIELDS = ("id", "locationId", "speedLimit", "month", "weekDay", "startTime")
# Lists, such as "8.51;12.59;16.43", from the top of the picture.
MARKINGS = ("upperLaneMarkings", "lowerLaneMarkings")
HEADINGS_RAD = {1: pi, 2: 0.0}


def read_highd(files: FileSet, options: ReadOptions, notes: Notes) -> SceneDraft:
    """The tracks and lanes of a recording; of a large one those in the window or ego's time."""
    file = files.get(FileKind.highd_tracks)
    meta_file = files.find(FileKind.highd_recording_meta)
    meta = read_recording_meta(meta_file, (*META_FIELDS, *MARKINGS), notes)
    users = read_users_meta(files.find(FileKind.highd_tracks_meta), "id", SIZE)
    table = _Tracks(file, meta.frames_per_s, users)
    rows = collect_rows(
        table.blocks, options, notes, file.name, lambda ego_id: code_of(table.names, ego_id)
    )
    built = build_tracks(rows, table.facts(rows, notes), notes, file.name)
    upper, lower = (meta.fields.get(name, "") for name in MARKINGS)
    return SceneDraft(
        name=file.stem,
        step_s=built.step_s,
        tracks=built.tracks,
        road_map=lanes_between_markings(meta_file, upper, lower, table.left_m, table.right_m)
        if meta_file
        else None,
        kind=SceneKind.highway,
        configuration={
            "y": "pointing up, with the sign changed",
            **{k: value for k, value in meta.configuration.items() if k not in MARKINGS},
        },
    )


@dataclass(slots=True)
class _Tracks:
    """The tracks' table, passing by in blocks."""

    file: SourceFile
    frames_per_s: float
    users: UsersMeta | None
    names: list[str] = field(default_factory=list)
    headings_rad: list[float] = field(default_factory=list)  # of each name
    survey: SizeSurvey = field(default_factory=SizeSurvey)
    left_m: float = inf
    right_m: float = -inf

    def blocks(self) -> Iterator[Rows]:
        """All rows, once more each time it is called."""
        self.survey = SizeSurvey()
        for block in stream_columns(self.file, [*PLACE, *SIZE, *MOTION], ("id",)):
            check_named(self.file, block, "id")
            check_finite(self.file, block, [*PLACE, *SIZE])
            check_not_infinite(self.file, block, MOTION)
            check_sizes(self.file, block, SIZE)
            yield self._rows(block)

    def facts(self, rows: Rows, notes: Notes) -> dict[int, RoadUserFacts]:
        """Who is in the rows."""
        numbers = np.unique(rows.track).tolist()
        ids = [self.names[number] for number in numbers]
        check_all_are_known(self.file, ids, self.users)
        types = self.users.types if self.users else {}
        kinds = road_user_kinds([types.get(track_id, "") for track_id in ids], notes)
        sizes_m = self.survey.sizes_m(numbers, notes)
        return {
            number: RoadUserFacts(track_id, kind, *sizes_m[number])
            for number, track_id, kind in zip(numbers, ids, kinds, strict=True)
        }

    def _rows(self, block: TableBlock) -> Rows:
        track, self.names = block.texts["id"]
        column = block.numbers
        self.survey.add(track, column["width"], column["height"])
        self._widen(column["x"], column["width"])
        heading_rad = self._heading_rad(track)
        return Rows(
            track=track,
            time_s=column["frame"] / self.frames_per_s,
            x_m=_middle_m(column["x"], column["width"]),
            y_m=-_middle_m(column["y"], column["height"]),
            heading_rad=heading_rad,
            speed_mps=forward_speed_mps(column["xVelocity"], -column["yVelocity"], heading_rad),
            acceleration_mps2=along_heading(
                column["xAcceleration"], -column["yAcceleration"], heading_rad
            ),
            course_rad=course_rad(column["xVelocity"], -column["yVelocity"]),
        )

    def _widen(self, x_m: Floats, width_m: Floats) -> None:
        """The road is at least as long as what was seen on it."""
        self.left_m = min(self.left_m, float(x_m.min()))
        self.right_m = max(self.right_m, float(_middle_m(x_m, 2 * width_m).max()))

    def _heading_rad(self, track: Codes) -> Floats:
        for name in self.names[len(self.headings_rad) :]:
            direction = self.users.directions.get(name, 0) if self.users else 0
            self.headings_rad.append(HEADINGS_RAD.get(direction, nan))
        return np.array(self.headings_rad)[track]


def _middle_m(start_m: Floats, extent_m: Floats) -> Floats:
    with np.errstate(over="ignore"):  # what is not finite is refused with its road user
        return start_m + extent_m / 2
