"""Floating car data: centres and headings, sizes from vTypes, and sumolib's values one by one."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.sumo.fcd import read_sumo_fcd
from app.scenes.scene import RoadUser

FILES = Path(__file__).parents[3] / "files" / "sumo"
SHARED = Path(__file__).parents[4].parent / "shared" / "data"
STREET = (FILES / "street.fcd.xml").read_text()
ROUTES = (FILES / "street.rou.xml").read_bytes()
SAMPLES = [("cross", "cross.rou.xml", 150.0), ("roundabout", "r.rou.xml", 120.0)]
needs_samples = pytest.mark.skipif(
    not (SHARED / "sumo").exists(), reason="the shared SUMO samples are not here"
)


def read(fcd: bytes, routes: bytes | None = ROUTES, notes: Notes | None = None) -> SceneDraft:
    files = {FileKind.sumo_fcd: (SourceFile.holding("street.fcd.xml", fcd),)}
    if routes is not None:
        files[FileKind.sumo_routes] = (SourceFile.holding("street.rou.xml", routes),)
    return read_sumo_fcd(FileSet(files), ReadOptions(), notes if notes is not None else Notes())


def test_a_car_is_half_its_length_behind_its_bumper():
    draft = read(STREET.encode())
    east = draft.tracks[0]
    assert (east.id, east.kind, east.length_m, east.width_m) == ("east", RoadUser.car, 4.6, 1.9)
    np.testing.assert_allclose(east.x_m, [17.7, 18.7])
    np.testing.assert_allclose(east.y_m, [-1.6, -1.6])
    np.testing.assert_allclose(east.heading_rad, [0, 0], atol=1e-12)
    assert east.speed_mps.tolist() == [10, 10.05]
    assert east.acceleration_mps2.tolist() == [0.5, 0.5]
    assert east.inferred == frozenset()
    assert draft.configuration == {"sumo_version": "1.28.0", "seed": 42}


def test_a_bus_without_a_length_has_that_of_its_class_and_north_is_up():
    notes = Notes()
    north = read(STREET.encode(), notes=notes).tracks[1]
    assert (north.kind, north.length_m, north.width_m) == (RoadUser.bus, 12, 2.5)
    np.testing.assert_allclose(north.x_m, [50, 50])
    np.testing.assert_allclose(north.y_m, [4, 4.5])
    np.testing.assert_allclose(north.heading_rad, np.pi / 2)
    assert north.inferred == {"size"}
    assert any("default size of their class" in note.sentence for note in notes.listed())


def test_a_person_walks_where_the_file_says_and_a_rider_is_left_out():
    notes = Notes()
    draft = read(STREET.encode(), notes=notes)
    assert [track.id for track in draft.tracks] == ["east", "north", "p"]
    assert draft.tracks[2].kind is RoadUser.pedestrian
    assert draft.tracks[2].y_m.tolist() == [5, 4.9]
    assert any("ride in a vehicle" in note.sentence for note in notes.listed())


def test_without_routes_everybody_drives_a_passenger_car():
    notes = Notes()
    first = read(STREET.encode(), routes=None, notes=notes).tracks[0]
    assert (first.length_m, first.width_m, "size" in first.inferred) == (5, 1.8, True)
    assert any("in no route file" in note.sentence and note.n == 2 for note in notes.listed())


def test_longitudes_and_latitudes_are_refused_and_slow_metres_are_not():
    def driving(step: float) -> bytes:
        steps = "".join(
            f'<timestep time="{i}">'
            f'<vehicle id="a" x="{11 + i * step}" y="48" speed="14"/></timestep>'
            for i in range(5)
        )
        return f"<fcd-export>{steps}</fcd-export>".encode()

    with pytest.raises(SceneFormatError, match="longitudes and latitudes; please let SUMO write"):
        read(driving(14 / 75_000))
    assert len(read(driving(14)).tracks) == 1


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('x="21.00"', 'x="nan"', "vehicle 'east' at 0.1 s: x: 'nan' is not a number"),
        ('x="21.00"', 'x="1e300"', "vehicle 'east' at 0.1 s: x: '1e300' is not a number"),
        ('x="21.00" ', "", "vehicle 'east' at 0.1 s has no x"),
        ('speed="10.05"', 'speed="fast"', "vehicle 'east' at 0.1 s: speed: 'fast' is not a number"),
        ('vehicle id="east"', "vehicle", "a vehicle at 0 s has no id"),
        ('time="0.10"', 'time="soon"', "a timestep: time: 'soon' is not a number"),
        ('time="0.10"', 'time="0.00"', "road user 'east' has two different rows at 0 s"),
        ("<fcd-export>", '<!DOCTYPE a [<!ENTITY b "c">]><fcd-export>', "line 5: a document type"),
        ("</fcd-export>", "", "line 18: not XML: no element found"),
    ],
)
def test_what_is_wrong_is_said_with_vehicle_and_time(old, new, sentence):
    assert old in STREET
    with pytest.raises(SceneFormatError) as refused:
        read(STREET.replace(old, new, 1).encode())
    assert str(refused.value).startswith(f"street.fcd.xml: {sentence}")


def sample(name: str, routes: str) -> SceneDraft:
    folder = SHARED / "sumo" / name
    return read((folder / f"{name}.fcd.xml").read_bytes(), (folder / routes).read_bytes())


@needs_samples
@pytest.mark.parametrize(("name", "routes", "offset_m"), SAMPLES)
def test_every_state_is_that_of_sumolib(name, routes, offset_m):
    import sumolib

    draft = sample(name, routes)
    path = str(SHARED / "sumo" / name / f"{name}.fcd.xml")
    theirs: dict[str, list[tuple[float, ...]]] = {}
    fields = ["id", "x", "y", "angle", "type", "speed", "pos", "lane", "slope", "acceleration"]
    for step, v in sumolib.xml.parse_fast_nested(path, "timestep", ["time"], "vehicle", fields):
        numbers = map(float, (step.time, v.x, v.y, v.angle, v.speed, v.acceleration))
        theirs.setdefault(v.id, []).append(tuple(numbers))
    assert {track.id for track in draft.tracks} == set(theirs)
    for t in draft.tracks:
        bumper_x_m = t.x_m + t.length_m / 2 * np.cos(t.heading_rad)
        bumper_y_m = t.y_m + t.length_m / 2 * np.sin(t.heading_rad)
        angle_deg = np.mod(90 - np.degrees(t.heading_rad), 360)
        ours = [t.time_s, bumper_x_m, bumper_y_m, angle_deg, t.speed_mps, t.acceleration_mps2]
        np.testing.assert_allclose(np.stack(ours, axis=1), theirs[t.id], atol=1e-6)


@needs_samples
@pytest.mark.parametrize(("name", "routes", "offset_m"), SAMPLES)
def test_centres_are_those_of_the_same_simulation_in_another_format(name, routes, offset_m):
    path = SHARED / "interaction" / "synthetic_from_sumo" / f"vehicle_tracks_{name}.csv"
    with path.open() as lines:
        rows = list(csv.DictReader(lines))
    theirs = sorted((int(r["timestamp_ms"]), float(r["x"]), float(r["y"])) for r in rows)
    ours = sorted(  # its frames are counted from one, so that its clock is a step ahead
        (round(1000 * time_s) + 100, x_m - offset_m, y_m - offset_m)
        for track in sample(name, routes).tracks
        for time_s, x_m, y_m in zip(track.time_s, track.x_m, track.y_m, strict=True)
    )
    assert len(ours) == len(theirs)
    np.testing.assert_allclose(ours, theirs, atol=1.1e-3)


def test_a_large_simulation_is_cut_to_the_time_of_the_ego(monkeypatch):
    monkeypatch.setattr("app.scenes.formats.tracks.rows.MAX_SAMPLES", 30)
    steps = (
        f'<timestep time="{k}"><vehicle id="long" x="{k}" y="0" angle="90" speed="1"/>'
        + (f'<vehicle id="late" x="{k}" y="9" angle="90" speed="1"/>' if 20 <= k < 25 else "")
        + "</timestep>"
        for k in range(40)
    )
    fcd = SourceFile.holding("a.fcd.xml", f"<fcd-export>{''.join(steps)}</fcd-export>".encode())
    files = FileSet({FileKind.sumo_fcd: (fcd,)})
    draft = read_sumo_fcd(files, ReadOptions(ego_id="late"), Notes())
    assert [(t.id, t.time_s[0], t.time_s[-1]) for t in draft.tracks] == [
        ("long", 20, 24),
        ("late", 20, 24),
    ]
