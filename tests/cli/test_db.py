"""`roadrater db`."""

import sqlite3

from typer.testing import CliRunner

from app.cli.commands import commands
from app.cli.context import open_parts
from app.config import Settings
from app.participants.models import ClipCount
from app.studies.queries import list_study_clips
from tests.factories.platform import make_study


def test_an_upgrade_makes_the_tables_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("ROADRATER_DATA_DIR", str(tmp_path))
    result = CliRunner().invoke(commands, ["db", "upgrade"])
    assert "up to date" in result.output
    with sqlite3.connect(tmp_path / "roadrater.db") as database:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    database.close()
    assert {"ratings", "studies", "clips", "workflow_status"} <= tables


def test_a_check_of_sound_counts_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("ROADRATER_DATA_DIR", str(tmp_path))
    result = CliRunner().invoke(commands, ["db", "check"])
    assert result.exit_code == 0
    assert "Every count is what the ratings say." in result.output


def test_a_wrong_count_is_named_with_exit_code_1_and_repaired_on_demand(tmp_path, monkeypatch):
    monkeypatch.setenv("ROADRATER_DATA_DIR", str(tmp_path))
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        study = make_study(db)
        clip = list_study_clips(db, study)[0]
        db.add(ClipCount(study_clip_id=clip.id, answer=4, n=2))
    found = CliRunner().invoke(commands, ["db", "check"])
    assert found.exit_code == 1
    assert "clip clip-1, answer 4: 2 too many counted" in found.output
    assert CliRunner().invoke(commands, ["db", "check", "--repair"]).exit_code == 0
    assert CliRunner().invoke(commands, ["db", "check"]).exit_code == 0
