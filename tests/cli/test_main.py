"""Errors on the command line are one sentence and an exit code."""

import subprocess
import sys


def roadrater(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "app", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


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
