"""The command line makes, opens, shares, closes and exports studies."""

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from app.auth.models import Role, User
from app.cli.commands import commands
from app.cli.main import main
from app.clips.models import Clip, ClipState
from app.config import Settings
from app.db import Database
from app.participants.models import Sitting
from app.studies.models import Study, StudyState
from app.studies.queries import get_study
from app.studies.schema import field_tables, schema_text
from tests.factories.answers import rate_study
from tests.factories.footage import make_film
from tests.factories.platform import make_study, make_user

DOCUMENT = """\
slug: mine
title: My study
video: {duration_s: 1, width_px: 320, height_px: 180, fps: 10}
clips:
  - {name: calm, condition: c, scene: {simulate: highway, model: attentive, seed: 1}}
  - {name: wild, condition: w, scene: {simulate: highway, model: aggressive, seed: 1}}
"""


@dataclass(frozen=True)
class Outcome:
    """What a command left on the screen."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], settings: Settings
) -> Callable[..., Outcome]:
    """Run `roadrater study …` through its real door, on the test's own database."""
    monkeypatch.setenv("ROADRATER_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("ROADRATER_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("ROADRATER_BASE_URL", "https://rate.example.org/")
    monkeypatch.setenv("COLUMNS", "200")

    def act(*words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["roadrater", "study", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return Outcome(int(left.value.code or 0), captured.out, captured.err)

    return act


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(DOCUMENT)
    return path


def add_admin(database: Database) -> None:
    with database.write.begin() as db:
        make_user(db, "admin@example.org", Role.admin)


def finish_films(database: Database) -> None:
    with database.write.begin() as db:
        for clip in db.scalars(select(Clip)):
            clip.state = ClipState.ready


def test_a_study_goes_from_its_document_to_links_and_is_closed(run, document, database):
    add_admin(database)
    created = run("create", document)
    assert created.code == 0
    assert "draft, version 1; 0 of 2 clips ready" in created.out
    finish_films(database)
    opened = run("open", "mine")
    assert (opened.code, opened.out) == (
        0,
        "The study 'mine' is open: https://rate.example.org/study/mine\n",
    )
    links = run("links", "mine", "-n", 3)
    tokens = [line.removeprefix("https://rate.example.org/s/") for line in links.out.split()]
    with database.read.begin() as db:
        assert set(db.scalars(select(Sitting.token))) == set(tokens)
    assert (len(tokens), links.err) == (3, "")
    assert run("close", "mine").out == "The study 'mine' is closed.\n"
    with database.read.begin() as db:
        assert get_study(db, "mine").state == StudyState.closed


def test_a_valid_document_is_told_in_one_line(run, document):
    outcome = run("validate", document)
    assert outcome.code == 0
    assert outcome.out.endswith("mine.yaml is a valid study: mine, 2 clips (1 c, 1 w).\n")


def test_what_is_good_to_know_of_a_film_is_noted(run, document):
    make_film(document.parent / "a.mp4", size_px=(320, 240), n_frames=120)
    entry = "  - {name: film, scene: {video: a.mp4}}\n"
    document.write_text(document.read_text().rstrip("\n") + "\n" + entry)
    assert "Note: line 7, clips[2].scene.video: The film is" in run("validate", document).err
    told = json.loads(run("validate", document, "--json").out)
    assert any("The film is 320 × 240 px" in remark for remark in told["remarks"])


def test_validating_stores_nothing(run, document, database):
    assert run("validate", document).code == 0
    with database.read.begin() as db:
        assert db.scalars(select(Study)).all() == []


@pytest.mark.parametrize("command", ["validate", "create"])
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("seed: 1", "seed: x"), "line 5, clips[0].scene.seed: Input should be a valid integer"),
        (("simulate: highway", "simulate: moon"), "line 5, clips[0].scene.simulate: no scenario"),
        (
            ("simulate: highway, model: attentive, seed: 1", "file: a.json"),
            "line 5, clips[0].scene.file: there is no file 'a.json'",
        ),
        (("slug: mine", "slug: [mine"), "line 2: not YAML at column"),
    ],
)
def test_a_wrong_document_is_a_sentence_and_code_2(
    run, document, database, command, change, problem
):
    add_admin(database)
    document.write_text(DOCUMENT.replace(*change, 1))
    outcome = run(command, document)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"roadrater: {problem}")
    assert outcome.err.count("\n") == 1


def test_a_file_that_cannot_be_read_is_a_sentence_and_code_2(run, tmp_path):
    missing = run("validate", tmp_path / "none.yaml")
    assert missing == Outcome(2, "", f"roadrater: There is no file {tmp_path / 'none.yaml'}.\n")
    assert (
        run("validate", tmp_path).err == f"roadrater: {tmp_path} cannot be read: Is a directory.\n"
    )
    (tmp_path / "film.mp4").write_bytes(bytes(range(256)))
    assert run("validate", tmp_path / "film.mp4").err == (
        "roadrater: line 2: the file is not UTF-8 text\n"
    )


def test_a_study_needs_an_owner(run, document, database):
    nobody = run("create", document)
    assert nobody.code == 2
    assert "roadrater user add EMAIL --role admin" in nobody.err
    with database.write.begin() as db:
        make_user(db, "ada@example.org", Role.researcher)
    assert run("create", document, "--owner", "nobody@example.org").code == 2
    assert run("create", document, "--owner", "ADA@example.org").code == 0
    with database.read.begin() as db:
        owner_id = get_study(db, "mine").owner_id
        assert db.get_one(User, owner_id).email == "ada@example.org"


def test_the_only_admin_owns_a_study_by_default_and_of_several_one_is_named(
    run, document, database
):
    with database.write.begin() as db:
        first = make_user(db, "z@example.org", Role.admin)
    assert run("create", document).code == 0
    with database.write.begin() as db:
        assert get_study(db, "mine").owner_id == first.id
        make_user(db, "a@example.org", Role.admin)
    assert "--owner EMAIL" in run("create", document).err


def test_creating_again_makes_the_next_version_of_a_draft_only(run, document, database):
    add_admin(database)
    run("create", document)
    document.write_text(DOCUMENT.replace("My study", "Renamed"))
    assert "draft, version 2" in run("create", document).out
    assert "draft, version 2" in run("create", document).out
    finish_films(database)
    run("open", "mine")
    document.write_text(DOCUMENT)
    outcome = run("create", document)
    assert outcome.code == 2
    assert outcome.err.startswith("roadrater: The study 'mine' is open, and only a draft")


def test_a_study_does_not_open_before_its_films_are_there(run, document, database):
    add_admin(database)
    run("create", document)
    outcome = run("open", "mine")
    assert outcome == Outcome(
        2,
        "",
        "roadrater: 2 of 2 clips of the study 'mine' are not ready: "
        "calm (queued), wild (queued).\n",
    )


@pytest.mark.parametrize(
    "words",
    [("show", "x"), ("open", "x"), ("close", "x"), ("links", "x"), ("export", "x", "-o", "y")],
)
def test_an_unknown_study_is_a_sentence_and_code_2(run, words):
    assert run(*words) == Outcome(2, "", "roadrater: There is no study 'x'.\n")


def test_links_of_a_study_that_is_not_open_come_with_a_warning(run, database):
    with database.write.begin() as db:
        make_study(db, state=StudyState.draft)
    outcome = run("links", "test-study", "-n", 2)
    assert outcome.out.count("\n") == 2
    assert outcome.err == "The study is not open (draft); the links wait until it is.\n"


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("n", ["0", "-1", "10001", "many"])
def test_a_senseless_number_of_links_is_refused(database, n):
    with database.write.begin() as db:
        make_study(db)
    outcome = CliRunner().invoke(commands, ["study", "links", "test-study", "-n", n])
    assert outcome.exit_code == 2
    with database.read.begin() as db:
        assert db.scalars(select(Sitting)).all() == []


def test_json_is_one_document_and_nothing_else(run, document, database):
    add_admin(database)
    read = {
        name: json.loads(outcome.out)
        for name, outcome in {
            "validate": run("validate", document, "--json"),
            "create": run("create", document, "--json"),
            "list": run("list", "--json"),
            "show": run("show", "mine", "--json"),
            "links": run("links", "mine", "-n", 2, "--json"),
        }.items()
    }
    assert read["validate"]["valid"] is True
    assert read["validate"]["document_hash"] == read["show"]["document_hash"]
    assert read["create"] == read["show"]
    assert [line["slug"] for line in read["list"]] == ["mine"]
    assert [clip["name"] for clip in read["show"]["clips"]] == ["calm", "wild"]
    assert len({link["url"] for link in read["links"]["links"]}) == 2


def test_the_list_says_how_to_begin_or_what_there_is(run, database):
    assert "There is no study yet" in run("list").out
    assert json.loads(run("list", "--json").out) == []
    with database.write.begin() as db:
        rate_study(db, make_study(db, title="A [bold]title[/bold]"), [[1, 2, 3], [4]])
    line = next(line for line in run("list").out.splitlines() if "test-study" in line)
    for part in ("A [bold]title[/bold]", "open", "3 of 3", "1", "4"):
        assert part in line


def test_an_export_has_every_answer_and_the_agreement(run, database, tmp_path):
    with database.write.begin() as db:
        rate_study(db, make_study(db), [[1, 3, 5], [2, 3, 5], [1, 3]])
    folder = tmp_path / "new" / "results"
    outcome = run("export", "test-study", "-o", folder)
    assert outcome.out.split() == [
        str(folder / name) for name in ("responses.csv", "agreement.json", "study.yaml")
    ]
    with (folder / "responses.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["rating"]) for row in rows] == [1, 3, 5, 2, 3, 5, 1, 3]
    agreement = json.loads((folder / "agreement.json").read_text())
    assert (agreement["status"], agreement["n_ratings"], agreement["n_raters"]) == ("OK", 8, 3)
    assert 0 < agreement["standard"]["kappa"] < 1


def test_the_exported_document_makes_the_same_study(run, document, database, tmp_path):
    add_admin(database)
    run("create", document)
    run("export", "mine", "-o", tmp_path / "out")
    assert (tmp_path / "out" / "study.yaml").read_text() == DOCUMENT


def test_a_folder_that_cannot_be_written_is_a_sentence_and_code_2(run, database, tmp_path):
    with database.write.begin() as db:
        make_study(db)
    (tmp_path / "taken").write_text("")
    outcome = run("export", "test-study", "-o", tmp_path / "taken")
    assert outcome.code == 2
    assert "cannot be written" in outcome.err


def test_the_schema_is_printed_for_editors_and_for_people(run):
    assert run("schema").out == schema_text()
    assert run("schema", "--tables").out == field_tables()


def test_every_command_shows_an_example(run):
    (group,) = (group for group in commands.registered_groups if group.name == "study")
    for command in group.typer_instance.registered_commands:
        outcome = run(command.name, "--help")
        assert outcome.code == 0
        assert f"Example: roadrater study {command.name}" in outcome.out


def test_filming_is_stopped_taken_up_again_and_watched_to_its_end(run, document, database):
    add_admin(database)
    run("create", document)
    assert run("film", "mine", "--stop").out == "0 of 2 clips\n"
    with database.read.begin() as db:
        assert set(db.scalars(select(Clip.state))) == {ClipState.cancelled}
    finish_films(database)
    watched = run("film", "mine")
    assert (watched.code, watched.out) == (0, "2 of 2 clips\n")
    assert "No worker is running" in watched.err
