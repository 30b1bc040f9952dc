from __future__ import annotations

from math import pi

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind
from app.scenes.formats.plain_csv.tracks import read_plain_csv
from app.scenes.scene import RoadUser
from tests.factories.tables import FILES, read_with, table, track_of


def read(file, **options):
    return read_with(read_plain_csv, file, kind=FileKind.plain_csv, **options)


def refusal(file, **options) -> str:
    with pytest.raises(SceneFormatError) as caught:
        read(file, **options)
    return str(caught.value)


def test_a_plain_table_is_read_as_it_is():
    draft, notes = read(FILES / "csv" / "cut_in.csv")
    other = track_of(draft, "other")
    assert (other.kind, other.length_m, other.width_m) == (RoadUser.truck, 12.0, 2.5)
    np.testing.assert_array_equal(other.y_m, [3.5, 3.4, 3.3])
    np.testing.assert_array_equal(other.heading_rad, -0.05)
    np.testing.assert_array_equal(other.speed_mps, 18.0)
    assert draft.step_s == pytest.approx(0.1)
    assert [sentence for kind, sentence, _ in notes if kind == "assumed"] == [
        "Columns without a unit ('t', 'x', 'y', 'speed', 'length', 'width'); metres, seconds, "
        "m/s and m/s² were assumed.",
        "The heading in 'heading' has no unit; by its values it is in radians.",
    ]


def test_a_german_spreadsheet_has_semicolons_and_decimal_commas():
    draft, notes = read(FILES / "csv" / "german_spreadsheet.csv", columns={"t": "Zeit [s]"})
    first, second = draft.tracks
    np.testing.assert_allclose(first.x_m, [10.5, 11.5])
    np.testing.assert_allclose(first.speed_mps, 10.0)
    np.testing.assert_allclose(first.heading_rad, 0.0, atol=1e-15)  # to the east
    np.testing.assert_allclose(second.heading_rad, -pi / 2)  # to the south
    assert ("assumed", "Numbers are written with a decimal comma.", 1) in notes


def test_feet_frames_and_tabs_are_no_trouble():
    draft, notes = read(FILES / "csv" / "feet_and_frames.csv")
    seven, eight = draft.tracks
    np.testing.assert_allclose(seven.time_s, [0.0, 0.1, 0.2])
    np.testing.assert_allclose(seven.x_m, [30.48, 30.7848, 31.0896])
    np.testing.assert_allclose(seven.speed_mps, 3.048)
    assert eight.time_s.tolist() == [0.1, 0.2]
    assert ("dropped", "Rows without a place.", 1) in notes
    assert ("assumed", "Road users without a type; they were taken for cars.", 2) in notes


def test_headings_of_more_than_a_turn_are_degrees():
    draft, notes = read(table("id,t,x,y,heading\na,0,0,0,90\na,1,0,1,90"))
    np.testing.assert_allclose(draft.tracks[0].heading_rad, pi / 2)
    sentence = "The heading in 'heading' has no unit; by its values it is in degrees."
    assert ("assumed", sentence, 1) in notes


def test_a_vehicle_that_moves_against_its_heading_reverses():
    draft, _ = read(table("id,t,x,y,heading_rad,vx,vy\na,0,0,0,0,-2,0\na,1,-2,0,0,-2,0"))
    np.testing.assert_allclose(draft.tracks[0].speed_mps, -2.0)


def test_half_a_velocity_is_not_used():
    _, notes = read(table("id,t,x,y,vx\na,0,0,0,1\na,1,1,0,1"))
    assert ("dropped", "The column 'vx', because there is no vy.", 1) in notes


def test_a_mapping_gives_names_and_units():
    file = table("who,ms,east,north\na,0,0,0\na,100,10,0")
    columns = {"id": "who", "t": "ms [ms]", "x": "east [ft]", "y": "north [ft]"}
    draft, _ = read(file, columns=columns)
    np.testing.assert_allclose(draft.tracks[0].time_s, [0.0, 0.1])
    np.testing.assert_allclose(draft.tracks[0].x_m, [0.0, 3.048])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "id,t,x,y\na,0,0,0\na,100,1,0\na,200,2,0",
            "by the column 't' there are 100 s between samples; if it is not in seconds, please "
            "say so, for example t=t [ms]",
        ),
        ("id,t,x,y\na,0,inf,0", "line 2: column 'x': inf is not finite"),
        ("id,t,x,y\na,,1,0", "line 2: column 't': there is no number"),
        ("id,t,x,y\na,0,1,0\n,1,1,0", "line 3: column 'id': there is no id"),
        ("id,t,x,y\na,0,1,0\na,12:30,1,0", "line 3: column 't': '12:30' is not a number"),
        ("id,t,x,y\na,0,1,0\na,1,1", "line 3: 3 cells, but the header has 4 columns"),
        ("id,t,x,y,width\na,0,1,0,-2", "line 2: column 'width': a size cannot be -2"),
        ("id,t,x,y\na,0,1,0\na,0,2,0", "road user 'a' has two different rows at 0 s"),
        ("id,t,x,x\na,0,1,0", "line 1: two columns are called 'x'"),
        (
            "timestep_time;vehicle_angle;vehicle_id;vehicle_x;vehicle_y\n0;90;a;0;0",
            "this is SUMO's floating car data as a table, whose places are front bumpers; "
            "please give the XML file",
        ),
    ],
)
def test_a_table_that_cannot_be_right_is_refused(text, sentence):
    assert refusal(table(text)) == f"tracks.csv: {sentence}"


def test_a_table_without_rows_is_refused():
    assert "there are no rows" in refusal(table("id,t,x,y"))
    assert "there are no rows" in refusal(table("id,t,x,y\na,0,nan,nan"))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            "id,t,x,y\na,0,0,0\n".encode("utf-16"),
            "the file is in UTF-16; please save it as CSV UTF-8",
        ),
        (
            "id,t,x,y,größe\na,0,0,0,1\n".encode("latin-1"),
            "line 1 is not in UTF-8; please save the file as CSV UTF-8",
        ),
        (
            (",".join(map(str, range(2000))) + "\n1\n").encode(),
            "there are 2,000 columns, but at most 1,000 are read",
        ),
        (
            (",".join(map(str, range(10**6))) + "\n1\n").encode(),
            "line 1 has no end within 65,536 bytes",
        ),
    ],
)
def test_what_is_no_readable_table_is_refused(content, sentence):
    assert refusal(SourceFile.holding("a.csv", content)) == f"a.csv: {sentence}"


def test_a_last_line_without_an_end_is_read_and_a_cut_one_refused():
    draft, _ = read(SourceFile.holding("a.csv", b"id,t,x,y\na,0,0,0\na,1,1,0"))
    assert draft.tracks[0].x_m.tolist() == [0.0, 1.0]
    cut = SourceFile.holding("a.csv", b"id,t,x,y\na,0,0,0\na,1,")
    assert refusal(cut) == "a.csv: line 3: 3 cells, but the header has 4 columns"


def test_spaces_around_an_id_are_no_part_of_it():
    draft, _ = read(table("id, t, x, y\na, 0, 0, 0\n a, 0.1, 1, 0\nb ,0,5,5\nb,0.1,6,5"))
    assert [(track.id, len(track.time_s)) for track in draft.tracks] == [("a", 2), ("b", 2)]


def test_times_that_count_from_1970_have_the_step_they_were_written_with():
    rows = [f"a,{1_600_000_000_000 + 100 * k},{k},0" for k in range(20)]
    draft, _ = read(table("id,timestamp_ms,x,y\n" + "\n".join(rows)))
    assert draft.step_s == 0.1


def test_who_hardly_moves_faces_where_its_velocity_points():
    rows = [f"a,{k / 10},0,{k / 100},0,0.2" for k in range(10)]
    draft, notes = read(table("id,t,x,y,vx,vy\n" + "\n".join(rows)))
    np.testing.assert_allclose(draft.tracks[0].heading_rad, pi / 2)
    assert "heading" in draft.tracks[0].inferred
    assert ("inferred", "Road users that hardly move; they face as their velocity points.", 1) in (
        notes
    )
