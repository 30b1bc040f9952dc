"""`roadrater db`."""

import sqlite3

from typer.testing import CliRunner

from app.cli.commands import commands


def test_an_upgrade_makes_the_tables_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("ROADRATER_DATA_DIR", str(tmp_path))
    result = CliRunner().invoke(commands, ["db", "upgrade"])
    assert "up to date" in result.output
    with sqlite3.connect(tmp_path / "roadrater.db") as database:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    database.close()
    assert {"ratings", "studies", "clips", "workflow_status"} <= tables
