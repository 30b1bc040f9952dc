import zipfile
from io import BytesIO

import numpy as np
import pytest

from app.scenes.formats.canonical import encode_scene, scene_hash
from app.scenes.formats.canonical_csv import encode_csv
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.reader import FORMATS, read_road_map, read_scene, with_companions
from app.scenes.scene import SceneKind

# Two cars that pass each other, ten samples of a second each.
TABLE = "id,t,x,y\n" + "".join(
    f"{car},{k / 10:.1f},{side * (k - 5)},{side * 2}\n"
    for k in range(11)
    for car, side in (("a", 1), ("b", -1))
)
MAP = """<osm version="0.6">
<node id="1" x="-9" y="-4"/><node id="2" x="9" y="-4"/><node id="3" x="-9" y="4"/>
<node id="4" x="9" y="4"/>
<way id="10"><nd ref="3"/><nd ref="4"/><tag k="type" v="curbstone"/></way>
<way id="11"><nd ref="1"/><nd ref="2"/><tag k="type" v="curbstone"/></way>
<relation id="20"><member type="way" ref="10" role="left"/>
<member type="way" ref="11" role="right"/><tag k="type" v="lanelet"/>
<tag k="subtype" v="road"/></relation></osm>"""


def file(name: str, content: str | bytes) -> SourceFile:
    return SourceFile.holding(name, content.encode() if isinstance(content, str) else content)


TRACKS, ROAD = file("cars.csv", TABLE), file("road.osm_xy", MAP)


def refusal(*files: SourceFile, **options: object) -> str:
    with pytest.raises(SceneFormatError) as refused:
        read_scene(files, ReadOptions(**options))
    return str(refused.value)


def test_tracks_and_map_given_together_are_one_scene():
    reading = read_scene([ROAD, TRACKS])
    assert [track.id for track in reading.scene.tracks] == ["a", "b"]
    assert len(reading.scene.road_map.lanes) == 1
    report = reading.report
    assert (report.format, report.n_tracks, report.n_lanes) == ("csv", 2, 1)
    assert (report.n_samples, report.duration_s, report.step_s) == (22, 1.0, 0.1)
    assert set(report.files) == {"cars.csv", "road.osm_xy"}


def test_what_had_to_be_guessed_is_in_the_report():
    sentences = [note.sentence for note in read_scene([TRACKS]).report.notes]
    assert "There is no road map; the road users are shown on plain ground." in sentences
    assert any("is taken as the ego" in sentence for sentence in sentences)


def test_the_choices_of_the_researcher_are_those_of_the_scene():
    options = ReadOptions(
        ego_id="b", start_s=0.2, end_s=0.8, roles={"T": "a"}, kind=SceneKind.crossing, name="mine"
    )
    scene = read_scene([TRACKS], options).scene
    assert (scene.ego_id, scene.kind, scene.name) == ("b", SceneKind.crossing, "mine")
    assert dict(scene.roles)["T"] == "a"
    assert (scene.start_s, scene.end_s) == pytest.approx((0.2, 0.8))


def test_files_in_an_archive_are_read_as_if_they_were_beside_each_other():
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("data/cars.csv", TABLE)
        archive.writestr("data/road.osm_xy", MAP)
    together = read_scene([TRACKS, ROAD]).scene
    assert scene_hash(read_scene([file("all.zip", packed.getvalue())]).scene) == scene_hash(
        together
    )


@pytest.mark.parametrize("encode", [encode_scene, encode_csv])
def test_our_own_files_come_back_as_they_were(encode):
    scene = read_scene([TRACKS, ROAD]).scene
    again = read_scene([file("x", encode(scene))])
    assert scene_hash(again.scene) == scene_hash(scene)
    assert again.report.notes == ()


def test_our_own_files_can_be_chosen_from_again():
    scene = read_scene([TRACKS]).scene
    other = "b" if scene.ego_id == "a" else "a"
    chosen = read_scene([file("x.json", encode_scene(scene))], ReadOptions(ego_id=other)).scene
    assert chosen.ego_id == other


def test_a_map_alone_is_read_as_one():
    road_map = read_road_map(ROAD).road_map
    np.testing.assert_allclose(np.abs(road_map.lanes[0].polygon_m), [[9, 4]] * 4)


def test_a_file_of_tracks_is_no_map():
    with pytest.raises(SceneFormatError, match=r"^cars\.csv: this is of the kind csv, not a map"):
        read_road_map(TRACKS)


def test_a_map_alone_is_no_scene():
    assert refusal(ROAD) == (
        "road.osm_xy is only a road map; please add the tracks that drive on it"
    )


def test_no_file_is_no_scene():
    assert refusal() == "there is no file to read"


def test_two_scenes_at_once_are_refused():
    fcd = file("a.xml", "<fcd-export/>")
    assert "there are tracks of the kinds csv and sumo-fcd" in refusal(TRACKS, fcd)


def test_two_maps_are_refused():
    other = file("other.osm_xy", MAP)
    assert refusal(TRACKS, ROAD, other) == (
        "road.osm_xy and other.osm_xy are both road maps; please give one of them"
    )


def test_opendrive_is_known_and_not_read():
    xodr = file("a.xodr", "<OpenDRIVE/>")
    assert refusal(TRACKS, xodr) == "a.xodr: OpenDRIVE maps are not read yet"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"format": "excel"}, "no format is called 'excel'; there are canonical, "),
        ({"format": "commonroad"}, "cars.csv: asked for as commonroad, but the content is csv"),
        ({"ego_id": "z"}, "'z'"),
        ({"start_s": 5.0, "end_s": 6.0}, "there is no sample from 5 s to 6 s"),
        ({"roles": {"T": "z"}}, "'z'"),
        ({"roles": {"X": "a"}}, "'X'"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_a_sentence(options, words):
    assert words in refusal(TRACKS, **options)


def test_a_table_of_another_format_can_be_read_as_a_plain_one():
    table = "track_id,frame_id,timestamp_ms,agent_type,x,y\n1,1,100,car,0,0\n1,2,200,car,1,0\n"
    reading = read_scene([file("t.csv", table)], ReadOptions(format="csv"))
    assert reading.report.format == "csv"


def test_the_tables_about_a_recording_are_found_beside_it(tmp_path):
    for name in ("07_tracks.csv", "07_tracksMeta.csv", "07_recordingMeta.csv", "08_tracks.csv"):
        (tmp_path / name).touch()
    found = with_companions(tmp_path / "07_tracks.csv")
    assert [path.name for path in found] == [
        "07_tracks.csv",
        "07_tracksMeta.csv",
        "07_recordingMeta.csv",
    ]
    assert with_companions(tmp_path / "08_tracks.csv") == [tmp_path / "08_tracks.csv"]


def test_every_format_has_a_name():
    assert set(FORMATS) == {
        "canonical", "canonical-csv", "csv", "interaction", "levelx", "highd", "commonroad",
        "sumo-fcd",
    }  # fmt: skip


COMMONROAD = (
    '<commonRoad commonRoadVersion="2020a" timeStepSize="0.1" benchmarkID="ZAM_A-1_1_T-1">'
    '<dynamicObstacle id="1"><type>car</type><shape><rectangle><length>4</length>'
    "<width>2</width></rectangle></shape><initialState><position><point><x>0</x><y>0</y></point>"
    "</position><orientation><exact>0</exact></orientation><time><exact>3</exact></time>"
    "<velocity><exact>0</exact></velocity></initialState></dynamicObstacle></commonRoad>"
)


def test_a_scenario_without_lanelets_stands_on_the_map_beside_it():
    scenario = file("one.xml", COMMONROAD)
    assert len(read_scene([scenario, ROAD]).scene.road_map.lanes) == 1
    sentences = [note.sentence for note in read_scene([scenario]).report.notes]
    assert "There is no road map; the road users are shown on plain ground." in sentences


def test_a_file_that_is_not_used_is_named():
    own = file("scene.json", encode_scene(read_scene([TRACKS]).scene))
    notes = read_scene([own, ROAD], ReadOptions(licence="CC BY 4.0")).report.notes
    assert [note.sentence for note in notes] == [
        "road.osm_xy (lanelet2) was not used; the tracks need no such file."
    ]


def test_a_licence_is_written_into_our_own_files_too():
    own = file("scene.json", encode_scene(read_scene([TRACKS]).scene))
    scene = read_scene([own], ReadOptions(licence="CC BY 4.0")).scene
    assert scene.source.licence == "CC BY 4.0"


def test_a_name_that_is_too_long_is_cut_and_noted():
    reading = read_scene([file("x" * 300 + ".csv", TABLE)])
    assert reading.scene.name == "x" * 200
    assert "The name was cut after 200 characters." in [n.sentence for n in reading.report.notes]


def test_an_endless_id_is_refused_without_repeating_it():
    sentence = refusal(file("cars.csv", TABLE.replace("a,", "a" * 900_000 + ",", 3)))
    assert "900,000 characters; at most 200 are kept" in sentence
    assert len(sentence) < 200


def test_a_map_of_another_origin_is_doubted_and_can_be_moved():
    moved = MAP.replace('x="-9"', 'x="491"').replace('x="9"', 'x="509"')
    files = [TRACKS, file("road.osm_xy", moved)]
    first = read_scene(files).report.notes[0]
    assert first.kind == "doubtful"
    assert "moved by -500, 0 m (from centre to centre)" in first.sentence
    notes = read_scene(files, ReadOptions(map_offset_m=(-500.0, 0.0))).report.notes
    assert "doubtful" not in {note.kind for note in notes}


def test_our_own_files_are_doubted_too():
    table = "id,t,x,y,speed\n" + "".join(f"a,{k / 10},{k},0,36\n" for k in range(11))
    scene = read_scene([file("a.csv", table)]).scene
    notes = read_scene([file("a.json", encode_scene(scene))]).report.notes
    assert [note.sentence for note in notes if note.kind == "doubtful"] == [
        "1 of 1 road users ('a') have speeds that contradict their motion, 3.6 times as large "
        "(median), as if they were in km/h."
    ]


def test_german_names_of_columns_and_types_are_known():
    header = "Fahrzeug;Zeit;x;y;Geschwindigkeit [km/h];Länge;Breite;Typ\n"
    rows = "".join(f"a;0,{k};{k};0;36;1,8;0,6;Fahrrad\n" for k in range(9))
    walker = "".join(f"b;0,{k};0,{k};5;3,6;0,6;0,6;Fußgänger\n" for k in range(9))
    tracks = read_scene([file("a.csv", header + rows + walker)]).scene.tracks
    assert [track.kind for track in tracks] == ["bicycle", "pedestrian"]
    assert tracks[0].speed_mps[0] == pytest.approx(10)
    assert tracks[0].length_m == 1.8


def test_a_window_in_which_the_ego_is_not_seen_throughout_is_doubted():
    options = ReadOptions(ego_id="a", start_s=0.5, end_s=5.0)
    (told,) = [n for n in read_scene([TRACKS], options).report.notes if n.kind == "doubtful"]
    assert told.sentence == (
        "The ego 'a' is not seen throughout the window, but from 0.5 s to 1 s."
    )


def test_what_is_kept_around_a_window_may_lack_the_ego():
    options = ReadOptions(ego_id="a", start_s=0.2, end_s=0.8, around_s=1.0)
    reading = read_scene([TRACKS], options)
    assert reading.scene.duration_s == pytest.approx(1.0)
    assert "doubtful" not in {note.kind for note in reading.report.notes}
