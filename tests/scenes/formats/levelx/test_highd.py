from __future__ import annotations

from math import pi

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.kinds import FileKind
from app.scenes.formats.levelx.highd import read_highd
from app.scenes.scene import RoadUser, SceneKind
from tests.factories.tables import FILES, read_with, table, track_of

TRACKS = FILES / "highd" / "05_tracks.csv"
USERS = FILES / "highd" / "05_tracksMeta.csv"
RECORDING = FILES / "highd" / "05_recordingMeta.csv"


def test_the_corner_in_the_picture_becomes_the_centre_on_the_road():
    draft, notes = read_with(read_highd, TRACKS, USERS, RECORDING)
    car = track_of(draft, "1")
    # Upper-left corner at (300, 9.5), 4 m long and 2 m wide, y pointing down.
    np.testing.assert_allclose(car.x_m, [302.0, 300.8])
    np.testing.assert_allclose(car.y_m, [-10.5, -10.5])
    assert (car.kind, car.length_m, car.width_m) == (RoadUser.car, 4.0, 2.0)
    np.testing.assert_allclose(car.time_s, [0.04, 0.08])
    assert draft.kind == SceneKind.highway
    assert notes == []


def test_the_upper_carriageway_drives_to_the_left():
    draft, _ = read_with(read_highd, TRACKS, USERS, RECORDING)
    car, truck = track_of(draft, "1"), track_of(draft, "2")
    np.testing.assert_allclose(car.heading_rad, pi)
    np.testing.assert_allclose(car.speed_mps, 30.0)
    np.testing.assert_allclose(car.acceleration_mps2, 0.5)
    np.testing.assert_allclose(truck.heading_rad, 0.0)
    np.testing.assert_allclose(truck.speed_mps, 25.0)
    np.testing.assert_allclose(truck.acceleration_mps2, -0.2)


def test_every_vehicle_is_on_the_lane_that_its_file_says():
    draft, _ = read_with(read_highd, TRACKS, USERS, RECORDING)
    lanes = {lane.id: lane for lane in draft.road_map.lanes}
    assert list(lanes) == ["2", "3", "5", "6"]
    for track_id, lane_id in (("1", "2"), ("2", "6")):
        track, outline_m = track_of(draft, track_id), lanes[lane_id].polygon_m
        assert outline_m[:, 1].min() < track.y_m[0] < outline_m[:, 1].max()
        assert outline_m[:, 0].min() <= track.x_m.min()
        assert track.x_m.max() <= outline_m[:, 0].max()


def test_without_its_meta_files_headings_come_from_the_motion_and_there_is_no_map():
    draft, notes = read_with(read_highd, TRACKS)
    car = track_of(draft, "1")
    np.testing.assert_allclose(np.abs(car.heading_rad), pi)
    assert "heading" in car.inferred
    assert draft.road_map is None
    assert any("25 frames per second" in sentence for _, sentence, _ in notes)


HEADER = "frame,id,x,y,width,height,xVelocity,yVelocity,xAcceleration,yAcceleration"


def refusal(*files, **options) -> str:
    with pytest.raises(SceneFormatError) as caught:
        read_with(read_highd, *files, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("frame,id,x,y,width,height,xVelocity\n1,1,0,0,4,2,30", "columns missing: yVelocity"),
        (f"{HEADER}\n1,1,0,nan,4,2,30,0,0,0", "line 2: column 'y': there is no number"),
        (f"{HEADER}\n1,1,0,0,-4,2,30,0,0,0", "line 2: column 'width': a size cannot be -4"),
        (f"{HEADER}\n1,1,0,0,4,2,x,0,0,0", "line 2: column 'xVelocity': 'x' is not a number"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(text, sentence):
    found = refusal(table(text), kind=FileKind.highd_tracks)
    assert found.startswith(f"tracks.csv: {sentence}")
