from __future__ import annotations

import csv
from math import pi

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.interaction import read_interaction
from app.scenes.formats.kinds import FileKind
from app.scenes.scene import RoadUser
from tests.factories.tables import FILES, SHARED, read_with, table, track_of

VEHICLES = FILES / "interaction" / "vehicle_tracks_000.csv"
PEOPLE = FILES / "interaction" / "pedestrian_tracks_000.csv"
CASES = FILES / "interaction" / "prediction_train.csv"
HEADER = "track_id,frame_id,timestamp_ms,agent_type,x,y,vx,vy,psi_rad,length,width"


def test_vehicles_are_where_the_file_has_them():
    draft, _ = read_with(read_interaction, VEHICLES)
    car = track_of(draft, "1")
    assert (car.kind, car.length_m, car.width_m) == (RoadUser.car, 4.5, 1.8)
    np.testing.assert_allclose(car.time_s, [0.1, 0.2, 0.3])
    np.testing.assert_array_equal(car.x_m, [10.0, 10.8, 11.6])
    np.testing.assert_allclose(car.speed_mps, 8.0)
    assert draft.step_s == pytest.approx(0.1)
    assert draft.name == "vehicle_tracks_000"


def test_a_truck_that_moves_against_its_heading_reverses():
    draft, _ = read_with(read_interaction, VEHICLES)
    truck = track_of(draft, "2")
    np.testing.assert_allclose(truck.heading_rad, pi / 2, atol=1e-7)
    np.testing.assert_allclose(truck.speed_mps, -1.0)


def test_people_come_in_a_file_of_their_own_without_heading_and_size():
    draft, notes = read_with(read_interaction, VEHICLES, PEOPLE)
    person = track_of(draft, "P1")
    assert (person.kind, person.length_m, person.width_m) == (RoadUser.pedestrian, 1.5, 1.5)
    assert person.inferred == {"heading", "size", "acceleration"}
    np.testing.assert_allclose(person.heading_rad, pi / 2)
    np.testing.assert_allclose(person.speed_mps, 3.0)
    assert ("defaulted", "People and cyclists without a size, drawn 1.5 m × 1.5 m.", 1) in notes
    assert "size" not in track_of(draft, "1").inferred


def test_of_a_prediction_set_the_first_case_is_taken_and_noted():
    draft, notes = read_with(read_interaction, CASES)
    assert [track.id for track in draft.tracks] == ["1", "P4"]
    sentence = "The file has 2 cases, and none was chosen; the first of them, 1, was taken."
    assert ("assumed", sentence, 1) in notes
    assert draft.ego_id is None


@pytest.mark.parametrize("case_id", ["2", "2.0"])
def test_a_case_can_be_chosen_and_suggests_its_ego(case_id):
    draft, notes = read_with(read_interaction, CASES, case_id=case_id)
    assert draft.ego_id == "3"
    assert draft.name == "prediction_train case 2"
    np.testing.assert_array_equal(track_of(draft, "1").x_m, [50.0, 49.4])
    assert draft.configuration == {"case_id": "2", "n_cases": 2}
    assert not any("case" in sentence for _, sentence, _ in notes)


def test_an_interesting_agent_outside_the_window_is_not_the_ego():
    cases = table("""
        case_id,track_id,frame_id,timestamp_ms,agent_type,x,y,interesting_agent
        1,1,1,100,car,0,0,1
        1,2,9,900,car,0,5,0
        1,2,10,1000,car,1,5,0
    """)
    draft, _ = read_with(read_interaction, cases, start_s=0.5)
    assert (draft.ego_id, [track.id for track in draft.tracks]) == (None, ["2"])


def test_an_ego_is_found_by_its_id():
    draft, _ = read_with(read_interaction, VEHICLES, PEOPLE, ego_id="2")
    assert [track.id for track in draft.tracks] == ["1", "2", "P1"]
    assert track_of(draft, "2").kind == RoadUser.truck


def refusal(*files, **options) -> str:
    with pytest.raises(SceneFormatError) as caught:
        read_with(read_interaction, *files, kind=FileKind.interaction, **options)
    return str(caught.value)


def test_a_case_that_is_not_there_is_refused():
    expected = "prediction_train.csv: there is no case '9'; the file has 2 cases, 1 to 2"
    assert refusal(CASES, case_id="9") == expected
    assert refusal(VEHICLES, case_id="1") == (
        "vehicle_tracks_000.csv: case '1' was asked for, but there is no column 'case_id'"
    )


def test_a_prediction_set_is_read_alone():
    assert refusal(VEHICLES, CASES) == (
        "prediction_train.csv: this is a prediction set with cases; please give it alone"
    )


def test_files_of_two_recordings_are_refused():
    other = SourceFile.holding("vehicle_tracks_001.csv", VEHICLES.read_bytes())
    assert refusal(VEHICLES, other) == (
        "vehicle_tracks_001.csv: the track '1' is in vehicle_tracks_000.csv, too; "
        "please give the files of one recording"
    )


ROW = "1,1,100,car,1,2,3,0,0,4,2"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("track_id,frame_id,x,y\n1,1,0,0", "columns missing: timestamp_ms, agent_type"),
        (f"{HEADER}\n1,1,100,car,abc,2,3,0,0,4,2", "line 2: column 'x': 'abc' is not a number"),
        (f"{HEADER}\n{ROW}\n1,2,200,car,nan,2,3,0,0,4,2", "line 3: column 'x': there is no number"),
        (f"{HEADER}\n1,1,100,car,1,inf,3,0,0,4,2", "line 2: column 'y': inf is not finite"),
        (f"{HEADER}\n1,1,,car,1,2,3,0,0,4,2", "line 2: column 'timestamp_ms': there is no number"),
        (f"{HEADER}\n1,1,100,car,1,2,3,0,0,-4,2", "line 2: column 'length': a size cannot be -4"),
        (f"{HEADER}\n,1,100,car,1,2,3,0,0,4,2", "line 2: column 'track_id': there is no id"),
        (f"{HEADER}\n{ROW}\n1,2,200,car,1", "line 3: 5 cells, but the header has 11 columns"),
        (
            f"{HEADER}\n{ROW}\n1,1,100,car,9,2,3,0,0,4,2",
            "road user '1' has two different rows at 0.1 s",
        ),
    ],
)
def test_a_broken_table_is_refused_with_its_line(text, sentence):
    assert refusal(table(text)) == f"tracks.csv: {sentence}"


def test_a_table_without_rows_is_refused():
    assert "there are no rows" in refusal(table(HEADER))


@pytest.mark.parametrize(
    ("path", "n_tracks"),
    [
        ("TestScenarioForScripts/vehicle_tracks_000.csv", 2),
        ("synthetic_from_sumo/vehicle_tracks_cross.csv", 24),
        ("synthetic_from_sumo/vehicle_tracks_roundabout.csv", 20),
    ],
)
def test_published_and_synthetic_files_are_read_row_by_row(path, n_tracks):
    file = SHARED / "interaction" / path
    if not file.exists():
        pytest.skip("the samples beside the project are not here")
    draft, _ = read_with(read_interaction, file)
    assert len(draft.tracks) == n_tracks
    with file.open() as stream:
        rows = list(csv.DictReader(stream))
    for track in draft.tracks:
        mine = [row for row in rows if row["track_id"] == track.id]
        valid = track.valid
        for values, column, factor in (
            (track.time_s[valid], "timestamp_ms", 0.001),
            (track.x_m[valid], "x", 1),
            (track.y_m[valid], "y", 1),
            (track.heading_rad[valid], "psi_rad", 1),
        ):
            expected = [float(row[column]) * factor for row in mine]
            np.testing.assert_allclose(values, expected, rtol=0, atol=1e-6)
        assert (track.length_m, track.width_m) == tuple(
            float(mine[0][name]) for name in ("length", "width")
        )
