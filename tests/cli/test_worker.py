"""`roadrater worker` starts a worker; what it does is tested in tests/test_worker.py."""

from typer.testing import CliRunner

from app.cli.commands import commands


def test_no_clip_at_a_time_is_refused():
    result = CliRunner().invoke(commands, ["worker", "--concurrency", "0"])
    assert result.exit_code == 2
