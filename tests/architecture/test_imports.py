"""The staircase holds: import-linter's contracts in pyproject.toml."""

from click.testing import CliRunner
from importlinter.cli import lint_imports_command


def test_every_import_follows_the_staircase():
    result = CliRunner().invoke(lint_imports_command, ["--no-cache"])
    assert result.exit_code == 0, result.output
