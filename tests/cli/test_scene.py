"""`roadrater scene read`."""

import json

import pytest
from typer.testing import CliRunner

from app.cli.commands import commands
from app.errors import Invalid
from app.scenes.formats.canonical import decode_scene, scene_hash
from app.scenes.formats.canonical_csv import decode_csv
from tests.scenes.formats.test_reader import MAP, TABLE


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cars.csv").write_text(TABLE)
    (tmp_path / "road.osm_xy").write_text(MAP)
    return tmp_path


def run(*words):
    return CliRunner().invoke(commands, ["scene", "read", *map(str, words)], catch_exceptions=True)


def refusal(*words) -> str:
    error = run(*words).exception
    assert isinstance(error, Invalid)
    return str(error)


def test_a_person_reads_what_is_there_and_what_was_guessed(folder):
    output = run(folder / "cars.csv").output
    assert "csv (cars.csv)" in output
    assert "2 (2 car)" in output
    assert "inferred: Road users whose heading was computed from their motion. (× 2)" in output
    assert "assumed: There is no road map" in output


def test_json_is_one_document_with_scene_report_and_egos(folder):
    answer = json.loads(run(folder / "cars.csv", "--map", folder / "road.osm_xy", "--json").output)
    assert answer["scene"]["n_tracks"] == 2
    assert answer["report"]["n_lanes"] == 1
    assert {ego["track_id"] for ego in answer["egos"]} == {"a", "b"}


@pytest.mark.parametrize(
    ("name", "decode"),
    [("s.json", decode_scene), ("s.json.gz", decode_scene), ("s.csv", decode_csv)],
)
def test_the_scene_is_written_in_the_form_its_name_asks_for(folder, name, decode):
    answer = json.loads(run(folder / "cars.csv", "--json", "-o", folder / name).output)
    assert scene_hash(decode((folder / name).read_bytes())) == answer["scene"]["hash"]


def test_a_window_an_ego_and_roles_can_be_chosen(folder):
    words = (
        "--ego",
        "b",
        "--role",
        "T=a",
        "--start-s",
        0.2,
        "--duration-s",
        0.5,
        "--kind",
        "merge",
    )
    scene = json.loads(run(folder / "cars.csv", "--json", *words).output)["scene"]
    assert (scene["ego_id"], scene["roles"]["T"], scene["kind"]) == ("b", "a", "merge")
    assert (scene["start_s"], scene["duration_s"]) == pytest.approx((0.2, 0.5))


def test_columns_with_other_names_and_units_can_be_told(folder):
    table = TABLE.replace("id,t,x,y", "who,when,east,north")
    (folder / "odd.csv").write_text(table)
    words = [f"--column={pair}" for pair in ("id=who", "t=when", "x=east [ft]", "y=north [ft]")]
    result = run(folder / "odd.csv", *words, "-o", folder / "s.json")
    assert result.exit_code == 0, result.exception
    scene = decode_scene((folder / "s.json").read_bytes())
    assert scene.tracks[0].x_m[0] == pytest.approx(-5 * 0.3048)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere.csv",), "there is no file nowhere.csv"),
        (("cars.csv", "-o", "scene.xml"), "scene.xml must end in .json, .json.gz, .csv"),
        (("cars.csv", "--duration-s", "2"), "--duration-s needs --start-s"),
        (("cars.csv", "--role", "T"), "--role T: expected NAME=VALUE, each name once"),
        (("cars.csv", "--origin", "here"), "--origin here: expected two numbers, LAT,LON in"),
        (("cars.csv", "--format", "pdf"), "no format is called 'pdf'; there are "),
        (("cars.csv", "-o", "no/where.json"), "no/where.json cannot be written: No such file"),
        (("."), ". cannot be read: Is a directory"),
    ],
)
def test_bad_input_is_one_sentence(folder, monkeypatch, words, sentence):
    monkeypatch.chdir(folder)
    assert refusal(*words).startswith(sentence)
