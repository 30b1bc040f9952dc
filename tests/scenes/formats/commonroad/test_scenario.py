"""CommonRoad scenarios: the states of the file, and of commonroad-io, one by one."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from app.scenes.formats.commonroad.scenario import read_commonroad, read_commonroad_map
from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.scene import RoadUser

FILES = Path(__file__).parents[3] / "files" / "commonroad"
SHARED = Path(__file__).parents[4].parent / "shared" / "data" / "commonroad"
STREET = (FILES / "street_2020a.xml").read_text()
SAMPLES = sorted(path for path in SHARED.glob("*.xml") if not path.name.startswith("DEU_A9"))


def read(file: SourceFile, notes: Notes | None = None) -> SceneDraft:
    files = FileSet({FileKind.commonroad: (file,)})
    return read_commonroad(files, ReadOptions(), notes if notes is not None else Notes())


def street_with(old: str, new: str) -> SourceFile:
    assert old in STREET
    return SourceFile.holding("street.xml", STREET.replace(old, new, 1).encode())


def test_a_car_has_the_states_of_the_file():
    draft = read(SourceFile.at(FILES / "street_2020a.xml"))
    car = next(track for track in draft.tracks if track.id == "11")
    assert (draft.name, draft.step_s) == ("ZAM_Street-1_1_T-1", 0.5)
    assert (car.kind, car.length_m, car.width_m) == (RoadUser.car, 4.5, 1.8)
    assert car.time_s.tolist() == [0, 0.5, 1]
    assert car.x_m.tolist() == [2, 6, 9.5]
    assert car.heading_rad.tolist() == [0, 0.1, 0]
    assert car.speed_mps.tolist() == [8, 7.5, 7]
    assert car.acceleration_mps2.tolist() == [-1, -1, 0]
    assert draft.configuration["source"] == "written by hand"


def test_who_is_parked_stands_through_the_scene_where_its_shape_lies():
    draft = read(SourceFile.at(FILES / "street_2020a.xml"))
    parked = next(track for track in draft.tracks if track.id == "10")
    assert parked.time_s.tolist() == [0, 0.5, 1]
    # Heading north: one metre ahead is +y, half a metre to the left is -x.
    np.testing.assert_allclose(parked.x_m, 39.5)
    np.testing.assert_allclose(parked.y_m, 4)
    np.testing.assert_allclose(parked.heading_rad, np.pi / 2 + 0.5)
    assert parked.speed_mps.tolist() == [0, 0, 0]


def test_a_circle_is_as_long_and_wide_as_its_diameter_and_may_come_later():
    person = next(t for t in read(SourceFile.holding("s", STREET.encode())).tracks if t.id == "12")
    assert (person.kind, person.length_m, person.width_m) == (RoadUser.pedestrian, 0.7, 0.7)
    assert person.time_s.tolist() == [0.5, 1]
    assert "acceleration" in person.inferred


def test_a_polygon_is_drawn_as_the_box_around_it():
    notes = Notes()
    (truck,) = read(SourceFile.at(FILES / "motorway_2018b.xml"), notes).tracks
    assert (truck.length_m, truck.width_m) == (10, 2.5)
    assert truck.x_m.tolist() == [9, 11]
    assert truck.y_m.tolist() == [2.25, 2.25]
    assert any("box around" in note.sentence for note in notes.listed())


def test_what_is_not_drawn_is_noted():
    notes = Notes()
    read(SourceFile.at(FILES / "street_2020a.xml"), notes)
    sentences = " ".join(note.sentence for note in notes.listed())
    assert "Phantom obstacles" in sentences
    assert "another vehicle is suggested as the ego" in sentences


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"2020a"', '"2017a"', "this is CommonRoad version '2017a'; the known versions are 2018b"),
        ('timeStepSize="0.5"', 'timeStepSize="0"', "timeStepSize: 0 is not positive"),
        ("<x>6</x>", "<x>nan</x>", "obstacle 11: time step 1: x: nan is not a finite number"),
        ("<x>6</x>", "<x>1e300</x>", "obstacle 11: time step 1: x: 1e+300 is too large"),
        ("<x>6</x>", "<x>a</x>", "obstacle 11: time step 1: x: 'a' is not a number"),
        ("<x>6</x>", "", "obstacle 11: time step 1: <x> is missing"),
        ("<length>4.5</length>", "<length>-4</length>", "shape: the length -4 is not positive"),
        ('id="12"', 'id="11"', "obstacle 11: there are 2 obstacles with this id"),
        (
            "<exact>7.5</exact>",
            "<intervalStart>7</intervalStart><intervalEnd>8</intervalEnd>",
            "obstacle 11: time step 1: the velocity is not exact but an interval; "
            "set-based predictions have no trajectory to film",
        ),
        (
            "<trajectory>",
            "<occupancySet/><trajectory>",
            "obstacle 11: it is predicted by an occupancy set; "
            "set-based predictions have no trajectory to film",
        ),
        (
            "<time><exact>2</exact>",
            "<time><exact>1</exact>",
            "street.xml: road user '11' has two different rows at 0.5 s",
        ),
        ("<commonRoad", "<!DOCTYPE a []><commonRoad", "a document type or entity is declared"),
        ("</commonRoad>", "", "not XML: no element found"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(old, new, sentence):
    with pytest.raises(SceneFormatError) as refused:
        read(street_with(old, new))
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("street.xml: ")


def test_the_road_serves_other_tracks_too():
    road = read_commonroad_map(SourceFile.at(FILES / "street_2020a.xml"), ReadOptions(), Notes())
    assert [lane.id for lane in road.lanes] == ["1", "2"]


@pytest.mark.skipif(not SAMPLES, reason="the shared CommonRoad samples are not here")
def test_a_set_based_prediction_is_refused_by_the_name_of_its_obstacle():
    with pytest.raises(SceneFormatError, match="obstacle 3536: time step 0: the position is given"):
        read(SourceFile.at(SHARED / "DEU_A9-3_1_T-1.xml"))


@pytest.mark.skipif(not SAMPLES, reason="the shared CommonRoad samples are not here")
def test_the_samples_have_the_vehicles_that_are_counted_in_their_list():
    junction = read(SourceFile.at(SHARED / "ZAM_Tjunction-1_42_T-1.xml"))
    assert len(junction.tracks) == 5
    assert max(track.time_s[-1] for track in junction.tracks) == pytest.approx(14.7)
    street = read(SourceFile.at(SHARED / "USA_Lanker-1_1_T-1.xml"))
    moved_m = [np.hypot(t.x_m[-1] - t.x_m[0], t.y_m[-1] - t.y_m[0]) for t in street.tracks]
    assert (len(moved_m), sum(m > 5 for m in moved_m)) == (24, 22)
    assert street.road_map is not None
    assert len(street.road_map.lanes) == 91


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_state_and_bound_is_that_of_commonroad_io(path):
    from commonroad.common.file_reader import CommonRoadFileReader

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about names of scenarios
        scenario, _ = CommonRoadFileReader(str(path)).open()
    draft = read(SourceFile.at(path))
    tracks = {track.id: track for track in draft.tracks}
    assert set(tracks) == {str(o.obstacle_id) for o in scenario.obstacles}
    for obstacle in scenario.dynamic_obstacles:
        track = tracks[str(obstacle.obstacle_id)]
        states = {s.time_step: s for s in obstacle.prediction.trajectory.state_list}
        states[obstacle.initial_state.time_step] = obstacle.initial_state
        theirs = [
            (step * scenario.dt, *s.position, s.orientation, s.velocity)
            for step, s in sorted(states.items())
        ]
        ours = np.stack(
            [track.time_s, track.x_m, track.y_m, track.heading_rad, track.speed_mps], axis=1
        )
        np.testing.assert_allclose(ours[track.valid], theirs, atol=1e-6)
        shape = obstacle.obstacle_shape
        assert (track.length_m, track.width_m) == pytest.approx((shape.length, shape.width))
    assert draft.road_map is not None
    lanes = {lane.id: lane for lane in draft.road_map.lanes}
    for lanelet in scenario.lanelet_network.lanelets:
        outline_m = np.vstack([lanelet.left_vertices, lanelet.right_vertices[::-1]])
        np.testing.assert_allclose(lanes[str(lanelet.lanelet_id)].polygon_m, outline_m, atol=1e-6)
