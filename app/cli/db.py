"""`roadrater db`: the tables and whether they can be trusted."""

from __future__ import annotations

import typer

from app.cli.context import prepare
from app.config import Settings

commands = typer.Typer(help="The database: bring it up to date, check it.", no_args_is_help=True)


@commands.command("upgrade")
def upgrade_database() -> None:
    """Bring the tables up to date; nothing happens if they are.

    Example: [bold]roadrater db upgrade[/bold]
    """
    settings = Settings()
    prepare(settings)
    typer.echo("The database is up to date.")
