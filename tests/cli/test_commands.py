"""Every command of the published interface is there."""

import typer

from app.cli.commands import commands

GROUP = typer.main.get_command(commands)


def test_the_commands_that_scripts_rely_on_exist():
    assert {"demo", "serve", "worker", "db", "user", "token", "study", "film", "agree"} <= set(
        GROUP.commands
    )


def test_the_study_commands_that_scripts_rely_on_exist():
    wanted = {"validate", "create", "list", "show", "open", "close", "links", "export"}
    assert wanted <= set(GROUP.commands["study"].commands)


def test_the_demo_takes_the_options_that_make_run_gives_it():
    options = {o for p in GROUP.commands["demo"].params for o in p.opts}
    assert {"--clips", "--port", "--data", "--no-browser"} <= options
