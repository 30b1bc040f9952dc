from __future__ import annotations

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.plain_csv.columns import BY_NAME, SYNONYMS, find_columns
from tests.factories.tables import table

FILE = table("id,t,x,y")


def found(header: str, **mapping: str) -> dict[str, tuple[str, float | None]]:
    columns = find_columns(FILE, header.split(","), mapping)
    return {
        meaning: (column.name, None if column.scale is None else float(column.scale))
        for meaning, column in columns.items()
    }


def refusal(header: str, **mapping: str) -> str:
    with pytest.raises(SceneFormatError) as caught:
        found(header, **mapping)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "meaning", "scale"),
    [
        ("heading_deg", "heading", 0.017453292519943295),
        ("psi_rad", "heading", 1),
        ("Yaw [deg]", "heading", 0.017453292519943295),
        ("azimuth", "compass", None),
        ("speed_kmh", "speed", 1 / 3.6),
        ("Velocity (mph)", "speed", 0.44704),
        ("speed_m_s", "speed", 1),
        ("velocity_x", "vx", None),
        ("vx_mps", "vx", 1),
        ("acceleration_mps2", "acceleration", 1),
        ("accel [g]", "acceleration", 9.80665),
        ("length_m", "length", 1),
        ("Vehicle Width [ft]", "width", 0.3048),
        ("agent_type", "type", None),
    ],
)
def test_a_column_is_known_by_its_name_and_unit(name, meaning, scale):
    assert found(f"id,t,x,y,{name}")[meaning] == (name, pytest.approx(scale))


@pytest.mark.parametrize("header", ["id,t,x,y", "trackId,time,xCenter,yCenter"])
def test_usual_headers_need_no_mapping(header):
    assert set(found(header)) == {"id", "t", "x", "y"}


@pytest.mark.parametrize(
    ("time", "scale"), [("timestamp_ms", 0.001), ("t_s", 1), ("time [s]", 1), ("t", None)]
)
def test_a_time_says_its_unit(time, scale):
    assert found(f"id,{time},x,y")["t"] == (time, scale)


def test_a_count_of_frames_is_a_time_only_with_a_length():
    assert found("id,frame [1/25 s],x,y")["t"] == ("frame [1/25 s]", 0.04)
    assert found("id,frame,x,y", t="frame [25 Hz]")["t"] == ("frame", 0.04)
    sentence = (
        "tracks.csv: the column 'frame' counts frames, but nothing says how long one lasts; "
        "please say so, for example t=frame [1/25 s]"
    )
    assert refusal("id,frame,x,y") == sentence
    assert refusal("id,frame,x,y", t="frame") == sentence


def test_a_time_is_taken_before_a_count_of_frames():
    assert found("id,frame,time,x,y")["t"] == ("time", None)


def test_what_is_mapped_counts_more_than_a_name():
    columns = found("id,t,x,y,pos_x", x="pos_x [ft]")
    assert columns["x"] == ("pos_x", 0.3048)
    assert found("id,t,x,y", x="y", y="x")["x"] == ("y", None)
    assert found("id,t,x [ft],y", x="x [m]")["x"] == ("x [ft]", 1)


def test_a_bearing_stays_one_whatever_it_is_mapped_to():
    assert found("id,t,x,y,bearing", heading="bearing [deg]")["compass"][0] == "bearing"
    assert found("id,t,x,y,hdg", compass="hdg [deg]")["compass"][0] == "hdg"


def test_a_unit_of_something_else_means_that_the_name_misleads():
    assert "speed" not in found("id,t,x,y,v [V]")


@pytest.mark.parametrize(
    ("header", "mapping", "sentence"),
    [
        (
            "id,t,x,y,pos_x",
            {},
            "the columns 'x' and 'pos_x' could each be x; please say which one is, for example x=x",
        ),
        (
            "id,t,x,y,heading,bearing",
            {},
            "the columns 'heading' and 'bearing' could each be heading; please say which one is, "
            "for example heading=heading",
        ),
        (
            "foo,t,bar",
            {},
            "no column for id, x and y was found among 'foo', 't', 'bar'; id, t, x and y are "
            "needed: name them so, or say which they are, for example x=pos_x [ft]",
        ),
        ("id,t,x,y", {"x": "u"}, "there is no column 'u' for x, only 'id', 't', 'x', 'y'"),
    ],
)
def test_what_cannot_be_decided_is_refused_with_the_names(header, mapping, sentence):
    assert refusal(header, **mapping) == f"tracks.csv: {sentence}"


def test_an_unknown_unit_or_meaning_is_refused():
    assert refusal("id,t,x,y", x="x [px]").startswith(
        "tracks.csv: column 'x': 'px' is no unit of length; known are m, meter"
    )
    assert refusal("id,t,x,y", colour="x").startswith("tracks.csv: 'colour' cannot be mapped;")


def test_no_name_means_two_things():
    assert len(BY_NAME) == sum(len(names.split()) for names in SYNONYMS.values())
