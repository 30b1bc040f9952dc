"""The command line: one file per command, gathered here."""

from __future__ import annotations

import sys

import click
import typer

from app.cli import agree, db, demo, serve, study, token, user, worker
from app.errors import AppError

commands = typer.Typer(
    name="roadrater",
    help="User studies on the realism of simulated traffic.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for part in (demo, serve, worker, agree):
    part.register(commands)
for name, group in {"db": db, "study": study, "user": user, "token": token}.items():
    commands.add_typer(group.commands, name=name)


def main() -> None:
    """Run a command; bad input is one sentence and exit code 2."""
    try:
        sys.exit(commands(standalone_mode=False))
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (AppError, ValueError, FileNotFoundError) as error:
        click.echo(f"roadrater: {error}", err=True)
        sys.exit(2)
