"""SUMO's floating car data: front bumpers and compass bearings become centres and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from math import isnan, nan
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.safe_xml import parse_pieces
from app.scenes.formats.sumo.vehicle_types import (
    VehicleType,
    find_type,
    read_vehicle_types,
    type_of_class,
)
from app.scenes.formats.tracks.building import RoadUserFacts, build_tracks
from app.scenes.formats.tracks.rows import Rows, collect_rows
from app.scenes.scene import Floats, Track

# Small, because attributes that wait keep the garbage collector busy.
BLOCK_ROWS = 1_000
# Where SUMO writes its version and options: in a comment before the first element.
HEAD_BYTES = 2**14
VERSION = re.compile(rb"by Eclipse SUMO sumo (?:Version )?([\w.+-]{1,40})")
SEED = re.compile(rb'<seed value="(\d{1,18})"')
GEO = re.compile(rb'<fcd-output\.geo value="(?:true|True|1|yes|on|x|t)"')
# A metre is a hundred-thousandth of a degree; nothing else shortens ways that much.
GEO_FACTOR = 1_000
LEAST_WAY_M = 10.0
LARGEST = 1e9  # of any number; metres farther than around the Earth
STATE = ("x", "y", "angle", "speed", "acceleration")
NEEDED = STATE[:2]

_Element = tuple[float, str, dict[str, str]]
"""Time, tag and attributes of a vehicle or person."""


@dataclass(frozen=True, slots=True)
class _Simulated:
    """A vehicle or person as the file first names it."""

    tag: Literal["vehicle", "person"]
    id: str
    type: str

    def vehicle_type(self, types: Mapping[str, VehicleType], notes: Notes) -> VehicleType:
        found = find_type(types, self.type)
        if self.tag == "person":
            found = found or type_of_class("pedestrian")
        elif found is None:
            notes.defaulted(
                "Vehicles whose type is in no route file, drawn as passenger cars of 5 m × 1.8 m."
            )
            return type_of_class("passenger")
        if not found.sized:
            notes.defaulted(
                "Road users whose vType has no length or no width, drawn with SUMO's default "
                "size of their class."
            )
        return found


def read_sumo_fcd(files: FileSet, options: ReadOptions, notes: Notes) -> SceneDraft:
    """Vehicles and persons of a simulation; their sizes come from route files beside it."""
    file = files.get(FileKind.sumo_fcd)
    head = file.head(HEAD_BYTES)
    types = read_vehicle_types(files.all(FileKind.sumo_routes))
    recording = _Recording(file)
    rows = collect_rows(recording.blocks, options, notes, file.name, recording.find)
    if GEO.search(head) or _are_degrees(rows):
        raise file.wrong(
            "the positions are longitudes and latitudes; please let SUMO write metres, "
            "without its option --fcd-output.geo"
        )
    recording.note_who_is_missing(notes)
    seen = {number: recording.seen[number] for number in np.unique(rows.track).tolist()}
    types_of = {number: user.vehicle_type(types, notes) for number, user in seen.items()}
    users = {
        number: RoadUserFacts(recording.name_of(number), t.kind, t.length_m, t.width_m)
        for number, t in types_of.items()
    }
    built = build_tracks(rows, users, notes, file.name)
    number_of = {user.id: number for number, user in users.items()}
    return SceneDraft(
        name=file.stem,
        step_s=built.step_s,
        tracks=tuple(
            _as_box(track, seen[number_of[track.id]], types_of[number_of[track.id]])
            for track in built.tracks
        ),
        configuration=_configuration(head),
    )


class _Recording:
    """The file as blocks of rows; whoever is met again has the number of the first time."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.numbers: dict[tuple[str, str], int] = {}
        self.seen: list[_Simulated] = []
        self.n_riding = self.n_containers = 0

    def blocks(self) -> Iterator[Rows]:
        pending: list[_Element] = []
        time_s = nan
        self.n_riding = self.n_containers = 0

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal time_s
            if tag in ("vehicle", "person"):
                pending.append((time_s, tag, attributes))
            elif tag == "timestep":
                time_s = self._number(attributes, "time", "a timestep")
            elif tag == "container":
                self.n_containers += 1

        with self.file.open() as stream:
            for _ in parse_pieces(self.file, stream, start):
                if len(pending) >= BLOCK_ROWS:
                    yield self._rows(pending)
                    pending.clear()
        yield self._rows(pending)

    def find(self, track_id: str) -> int | None:
        """The number of whoever has this name."""
        return next((i for i in range(len(self.seen)) if self.name_of(i) == track_id), None)

    def name_of(self, number: int) -> str:
        """The id; of a person called like a vehicle, with a word before it."""
        user = self.seen[number]
        is_double = user.tag == "person" and ("vehicle", user.id) in self.numbers
        return f"person {user.id}" if is_double else user.id

    def note_who_is_missing(self, notes: Notes) -> None:
        notes.dropped("Samples of persons who ride in a vehicle.", self.n_riding)
        notes.dropped("Samples of containers.", self.n_containers)

    def _rows(self, elements: list[_Element]) -> Rows:
        walking = [e for e in elements if not (e[1] == "person" and e[2].get("vehicle"))]
        self.n_riding += len(elements) - len(walking)
        track = self._numbers_of(walking)
        x_m, y_m, angle_deg, speed_mps, acceleration_mps2 = self._states(walking).T
        return Rows(
            track=track,
            time_s=np.array([e[0] for e in walking]),
            x_m=x_m,
            y_m=y_m,
            heading_rad=_heading_rad(angle_deg),
            speed_mps=speed_mps,
            acceleration_mps2=acceleration_mps2,
            course_rad=np.full(len(walking), nan),
        )

    def _numbers_of(self, elements: list[_Element]) -> NDArray[np.int64]:
        keys = [(tag, attributes.get("id", "")) for _, tag, attributes in elements]
        for key, element in zip(keys, elements, strict=True):
            if key not in self.numbers:
                self._meet(element)
        return np.array([self.numbers[key] for key in keys], dtype=np.int64)

    def _meet(self, element: _Element) -> None:
        """Give the next number to somebody new."""
        time_s, tag, attributes = element
        name = attributes.get("id")
        if not name:
            raise self.file.wrong(f"a {tag} at {time_s:g} s has no id")
        if isnan(time_s):
            raise self.file.wrong(f"{tag} {name!r} is not inside of a timestep")
        self.numbers[tag, name] = len(self.seen)
        kind: Literal["vehicle", "person"] = "person" if tag == "person" else "vehicle"
        self.seen.append(_Simulated(kind, name, attributes.get("type", "")))

    def _states(self, elements: list[_Element]) -> Floats:
        """(n, 5) array of the attributes of `STATE`; nan where the export leaves one out."""
        first = elements[0][2] if elements else {}
        names = [name for name in STATE if name in NEEDED or name in first]
        states = np.full((len(elements), len(STATE)), nan)
        try:
            texts = chain.from_iterable(map(itemgetter(*names), (e[2] for e in elements)))
            found = np.fromiter(map(float, texts), np.float64).reshape(-1, len(names))
        except (KeyError, ValueError):
            found = np.array(nan)
        if not (np.abs(found) <= LARGEST).all():
            # Something is missing or wrong: looked at one by one, to say where.
            return np.array([[self._checked(e, name) for name in STATE] for e in elements])
        states[:, [STATE.index(name) for name in names]] = found
        return states

    def _checked(self, element: _Element, name: str) -> float:
        time_s, tag, attributes = element
        if name not in NEEDED and name not in attributes:
            return nan
        return self._number(attributes, name, f"{tag} {attributes['id']!r} at {time_s:g} s")

    def _number(self, attributes: Mapping[str, str], name: str, whose: str) -> float:
        if name not in attributes:
            raise self.file.wrong(f"{whose} has no {name}")
        try:
            value = float(attributes[name])
        except ValueError:
            value = nan
        if not abs(value) <= LARGEST:
            raise self.file.wrong(f"{whose}: {name}: {attributes[name][:40]!r} is not a number")
        return value


def _heading_rad(angle_deg: Floats) -> Floats:
    """From degrees clockwise from north to radians counter-clockwise from east."""
    heading_rad: Floats = np.pi - np.mod(np.radians(angle_deg) + np.pi / 2, 2 * np.pi)
    return heading_rad


def _are_degrees(rows: Rows) -> bool:
    """Whether places fit on a globe, and ways are far too short for the speeds."""
    if not ((np.abs(rows.x_m) <= 180) & (np.abs(rows.y_m) <= 90)).all():
        return False
    rows = rows.take(np.lexsort((rows.time_s, rows.track)))
    same = np.diff(rows.track) == 0
    way_m = np.hypot(np.diff(rows.x_m), np.diff(rows.y_m))[same].sum()
    expected_m = np.nansum((rows.speed_mps[:-1] * np.diff(rows.time_s))[same])
    return bool(expected_m > LEAST_WAY_M and way_m * GEO_FACTOR < expected_m)


def _as_box(track: Track, user: _Simulated, vehicle_type: VehicleType) -> Track:
    """The track of the centre: SUMO's position of a vehicle is the middle of its front bumper."""
    back_m = track.length_m / 2 if user.tag == "vehicle" else 0.0
    return replace(
        track,
        x_m=track.x_m - back_m * np.cos(track.heading_rad),
        y_m=track.y_m - back_m * np.sin(track.heading_rad),
        inferred=track.inferred if vehicle_type.sized else track.inferred | {"size"},
    )


def _configuration(head: bytes) -> dict[str, str | float | int | bool]:
    found: dict[str, str | float | int | bool] = {}
    if version := VERSION.search(head):
        found["sumo_version"] = version[1].decode()
    if seed := SEED.search(head):
        found["seed"] = int(seed[1])
    return found
