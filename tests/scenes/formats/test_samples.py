"""Every sample of real formats is read as its source describes it, or refused."""

from pathlib import Path

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.reader import read_road_map, read_scene

SAMPLES = Path(__file__).parents[3].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(
    not SAMPLES.exists(), reason="the third-party samples are not beside the project"
)

# Road users, lanes, seconds, and how many road users move by more than five metres.
FACTS = {
    "commonroad/USA_Lanker-1_1_T-1.xml": (24, 91, 4.0, 22),
    "commonroad/USA_Peach-4_8_T-1.xml": (9, 79, 6.0, 8),
    "commonroad/USA_US101-3_3_T-1.xml": (12, 12, 3.1, 12),
    "commonroad/ARG_Carcarana-4_5_T-1.xml": (8, 368, 3.3, 4),
    "commonroad/FRA_Anglet-1_1_T-1.xml": (8, 20, 3.3, 3),
    "commonroad/ZAM_Tutorial-1_2_T-1.xml": (3, 3, 4.0, 2),
    "commonroad/ZAM_Tjunction-1_42_T-1.xml": (5, 12, 14.7, 5),
    "commonroad/ZAM-Ramp-1_1-T-1.xml": (3, 11, 5.0, 3),
    "interaction/TestScenarioForScripts": (2, 2, 9.9, 2),
    "interaction/synthetic_from_sumo/vehicle_tracks_cross.csv": (24, 0, 56.7, 24),
    "interaction/synthetic_from_sumo/vehicle_tracks_roundabout.csv": (20, 0, 57.4, 20),
    "levelx_synthetic": (20, 0, 57.4, 20),
    "sumo/cross": (24, 23, 56.7, 24),
    "sumo/roundabout": (20, 68, 57.4, 20),
}


def sources(name: str) -> list[SourceFile]:
    path = SAMPLES / name
    return [SourceFile.at(file) for file in (sorted(path.iterdir()) if path.is_dir() else [path])]


@pytest.mark.parametrize("name", FACTS)
def test_a_sample_is_what_its_source_says(name):
    reading = read_scene(sources(name))
    n_tracks, n_lanes, duration_s, n_moving = FACTS[name]
    assert (reading.report.n_tracks, reading.report.n_lanes) == (n_tracks, n_lanes)
    assert reading.report.duration_s == pytest.approx(duration_s)
    assert reading.report.step_s == 0.1
    ways_m = [
        np.hypot(np.ptp(track.x_m[track.valid]), np.ptp(track.y_m[track.valid]))
        for track in reading.scene.tracks
    ]
    assert sum(way_m > 5 for way_m in ways_m) == n_moving


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "commonroad/DEU_A9-3_1_T-1.xml",
            "DEU_A9-3_1_T-1.xml: obstacle 3536: time step 0: the position is given as rectangle "
            "instead of a point; set-based predictions have no trajectory to film",
        ),
        ("lanelet2/mapping_example.osm", "mapping_example.osm is only a road map; please add"),
        ("opendrive/fabriksgatan.xodr", "fabriksgatan.xodr: OpenDRIVE maps are not read yet"),
        ("ratings/nflx_public.csv", "nflx_public.csv: no column for id, t, x and y was found"),
    ],
)
def test_what_is_no_scene_is_refused_with_the_right_sentence(name, sentence):
    with pytest.raises(SceneFormatError) as refusal:
        read_scene(sources(name))
    assert str(refusal.value).startswith(sentence)


def test_one_traffic_in_three_formats_is_one_traffic():
    """The levelXData and INTERACTION samples were made of SUMO's roundabout, moved by 120 m."""
    sumo = _last_places_m("sumo/roundabout") - 120
    levelx = _last_places_m("levelx_synthetic")
    interaction = _last_places_m("interaction/synthetic_from_sumo/vehicle_tracks_roundabout.csv")
    for other in (levelx, interaction):
        nearest_m = np.hypot(*(sumo[:, None] - other).transpose(2, 0, 1)).min(axis=1)
        assert nearest_m.max() < 0.01


def _last_places_m(name: str) -> np.ndarray:
    tracks = read_scene(sources(name)).scene.tracks
    return np.array([[track.x_m[-1], track.y_m[-1]] for track in tracks])


def test_a_map_of_a_town_is_read_alone():
    map_file = SourceFile.at(SAMPLES / "lanelet2" / "mapping_example.osm")
    road_map = read_road_map(map_file, ReadOptions(origin_deg=(49.0, 8.4))).road_map
    assert len(road_map.lanes) > 350
    assert len(road_map.crossings_m) > 20
