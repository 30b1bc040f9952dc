"""The compose file names commands and settings that exist."""

from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from app.cli.commands import commands
from app.config import Settings

COMPOSE = yaml.safe_load((Path(__file__).parents[2] / "docker-compose.yml").read_text())
OURS = {name: s for name, s in COMPOSE["services"].items() if s["image"] == "roadrater"}


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_a_command_that_exists_with_options_it_knows(name):
    program, *arguments = OURS[name]["command"]
    assert program == "roadrater"
    result = CliRunner().invoke(commands, [*arguments, "--help"])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("name", OURS)
def test_a_service_sets_only_settings_that_exist(name):
    known = {f"ROADRATER_{field.upper()}" for field in Settings.model_fields}
    assert set(OURS[name]["environment"]) <= known


def test_a_password_is_asked_for_and_never_given_here():
    password = COMPOSE["services"]["database"]["environment"]["POSTGRES_PASSWORD"]
    assert password.startswith("${POSTGRES_PASSWORD:?")
