"""Errors on the command line are one sentence and an exit code."""

import os
import subprocess
import sys


def roadrater(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "app", *arguments]
    environment = os.environ | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_missing_file_is_one_sentence_and_exit_code_2():
    result = roadrater("agree", "nowhere.csv")
    assert result.returncode == 2
    assert "nowhere.csv" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_unknown_command_is_refused_with_help():
    result = roadrater("fly")
    assert result.returncode == 2
    assert "No such command" in result.stderr


def test_help_lists_the_commands():
    result = roadrater("--help")
    assert result.returncode == 0
    for command in ("demo", "serve", "worker", "study", "agree", "user", "token", "db"):
        assert command in result.stdout


def test_a_setting_that_cannot_be_read_is_named():
    result = roadrater("db", "upgrade", ROADRATER_SESSION_HOURS="long")
    assert result.returncode == 2
    assert "session_hours" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_database_that_does_not_answer_is_a_sentence():
    address = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"
    result = roadrater("study", "list", ROADRATER_DATABASE_URL=address)
    assert result.returncode == 1
    assert "the database does not answer" in result.stderr
    assert "Traceback" not in result.stderr
