from __future__ import annotations

import csv
from math import pi

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.kinds import FileKind
from app.scenes.formats.levelx.tracks import read_levelx
from app.scenes.formats.tracks import rows
from app.scenes.scene import RoadUser
from tests.factories.tables import FILES, SHARED, read_with, table, track_of

TRACKS = FILES / "levelx" / "07_tracks.csv"
USERS = FILES / "levelx" / "07_tracksMeta.csv"
RECORDING = FILES / "levelx" / "07_recordingMeta.csv"


def test_a_recording_is_read_from_its_three_tables():
    draft, _ = read_with(read_levelx, TRACKS, USERS, RECORDING)
    car = track_of(draft, "0")
    assert (car.kind, car.length_m, car.width_m) == (RoadUser.car, 4.6, 1.9)
    np.testing.assert_allclose(car.time_s, [0.0, 0.04, 0.08])
    np.testing.assert_array_equal(car.y_m, [-50.0, -49.6, -49.2])
    np.testing.assert_allclose(car.heading_rad, pi / 2)
    np.testing.assert_allclose(car.speed_mps, 10.0)
    np.testing.assert_allclose(car.acceleration_mps2, 1.0)
    assert car.inferred == set()
    assert draft.configuration["locationId"] == 1
    assert draft.configuration["frameRate"] == 25.0


def test_a_bus_that_reverses_has_a_negative_speed():
    draft, notes = read_with(read_levelx, TRACKS, USERS, RECORDING)
    bus = track_of(draft, "1")
    np.testing.assert_allclose(bus.speed_mps, -2.0)
    np.testing.assert_allclose(bus.acceleration_mps2, 0.5)
    assert bus.kind == RoadUser.truck
    assert any(kind == "assumed" and "'truck_bus'" in sentence for kind, sentence, _ in notes)


def test_a_person_has_the_size_0_and_no_heading_in_the_file_but_both_in_the_scene():
    draft, notes = read_with(read_levelx, TRACKS, USERS, RECORDING)
    person = track_of(draft, "2")
    np.testing.assert_allclose(person.heading_rad, -pi / 2)
    np.testing.assert_allclose(person.speed_mps, 7.5)
    assert {"heading", "size"} <= person.inferred
    assert any(kind == "defaulted" and "pedestrian" in sentence for kind, sentence, _ in notes)


def test_a_bicycle_heading_east_with_a_size_keeps_its_heading():
    draft, _ = read_with(read_levelx, TRACKS, USERS, RECORDING)
    assert track_of(draft, "3").inferred == set()


def test_tracks_alone_are_read_with_what_had_to_be_assumed():
    draft, notes = read_with(read_levelx, TRACKS)
    assert track_of(draft, "1").length_m == 11.0
    assert ("assumed", "Road users without a type; they were taken for cars.", 4) in notes
    assert any("25 frames per second were assumed" in sentence for _, sentence, _ in notes)


def test_a_window_leaves_out_what_is_outside():
    draft, _ = read_with(read_levelx, TRACKS, USERS, RECORDING, start_s=0.04, end_s=0.04)
    assert {track.id for track in draft.tracks} == {"0", "1", "2", "3"}
    assert all(track.time_s.tolist() == [0.04] for track in draft.tracks)


def test_a_large_recording_is_cut_to_the_time_of_the_ego(monkeypatch):
    monkeypatch.setattr(rows, "MAX_SAMPLES", 8)
    draft, notes = read_with(read_levelx, TRACKS, USERS, RECORDING, ego_id="1")
    assert track_of(draft, "0").time_s.tolist() == [0.04, 0.08]
    assert any("the time of the ego from 0.04 s to 0.08 s" in sentence for _, sentence, _ in notes)


def refusal(*files, **options) -> str:
    with pytest.raises(SceneFormatError) as caught:
        read_with(read_levelx, *files, **options)
    return str(caught.value)


def test_meta_of_another_recording_is_refused():
    other = table("recordingId,locationId,frameRate\n8,1,25", "08_recordingMeta.csv")
    assert refusal(TRACKS, other) == (
        "08_recordingMeta.csv: this is recording 8, but 07_tracks.csv is recording 7"
    )
    few = table("trackId,initialFrame,finalFrame,width,length,class\n0,0,2,2,4,car", "m.csv")
    assert refusal(TRACKS, few) == (
        "07_tracks.csv: the track '1' is not in m.csv; are both of the same recording?"
    )


HEADER = "trackId,frame,xCenter,yCenter,heading"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("trackId,frame,xCenter,yCenter\n0,0,1,1", "columns missing: heading"),
        (f"{HEADER}\n0,0,1,1,north", "line 2: column 'heading': 'north' is not a number"),
        (f"{HEADER}\n0,0,1,1,0\n0,1,,1,0", "line 3: column 'xCenter': there is no number"),
        (f"{HEADER}\n0,0,1,-inf,0", "line 2: column 'yCenter': -inf is not finite"),
        (f"{HEADER},length,width\n0,0,1,1,0,4,-2", "line 2: column 'width': a size cannot be -2"),
        (f"{HEADER}\n0,0,1,1,0\n0,0,2,1,0", "road user '0' has two different rows at 0 s"),
        (f"{HEADER}\n0,0,1,1,0\n0,1,1", "line 3: 3 cells, but the header has 5 columns"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(text, sentence):
    assert refusal(table(text), kind=FileKind.levelx_tracks) == f"tracks.csv: {sentence}"


def test_frames_that_go_backwards_are_sorted_and_noted():
    text = f"{HEADER}\n0,1,2,0,0\n0,0,1,0,0"
    draft, notes = read_with(read_levelx, table(text))
    assert draft.tracks[0].x_m.tolist() == [1.0, 2.0]
    assert any("sorted" in sentence for _, sentence, _ in notes)


def test_the_synthetic_roundabout_is_read_row_by_row():
    folder = SHARED / "levelx_synthetic"
    if not folder.exists():
        pytest.skip("the samples beside the project are not here")
    draft, _ = read_with(read_levelx, *sorted(folder.glob("00_*.csv")))
    assert len(draft.tracks) == 20
    with (folder / "00_tracks.csv").open() as stream:
        lines = list(csv.DictReader(stream))
    for track in draft.tracks:
        mine = [line for line in lines if line["trackId"] == track.id]
        for values, column, factor in (
            (track.time_s, "frame", 0.1),
            (track.x_m, "xCenter", 1),
            (track.y_m, "yCenter", 1),
            (track.heading_rad, "heading", pi / 180),
        ):
            expected = [float(line[column]) * factor for line in mine]
            np.testing.assert_allclose(values[track.valid], expected, rtol=0, atol=1e-6)
        assert (track.length_m, track.width_m) == (4.8, 1.8)
        # Rounded to the second digit by whoever wrote the file.
        lon_mps = [float(line["lonVelocity"]) for line in mine]
        np.testing.assert_allclose(track.speed_mps[track.valid], lon_mps, rtol=0, atol=0.02)
