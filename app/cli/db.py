"""`roadrater db`: the tables and whether they can be trusted."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.context import open_parts, prepare
from app.config import Settings
from app.participants.count_check import list_wrong_counts, rebuild_counts

commands = typer.Typer(help="The database: bring it up to date, check it.", no_args_is_help=True)


@commands.command("upgrade")
def upgrade_database() -> None:
    """Bring the tables up to date; nothing happens if they are.

    Example: [bold]roadrater db upgrade[/bold]
    """
    prepare(Settings())
    typer.echo("The database is up to date.")


@commands.command("check")
def check_database(
    repair: Annotated[bool, typer.Option(help="Count again where they differ.")] = False,
) -> None:
    """Compare the counts that the live page shows with the ratings; exit code 1 if they differ.

    Example: [bold]roadrater db check --repair[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        wrong = list_wrong_counts(db)
        if wrong and repair:
            rebuild_counts(db)
    for count in wrong:
        typer.echo(
            f"study {count.study}, clip {count.clip}, answer {count.answer}: "
            f"{abs(count.surplus)} too {'many' if count.surplus > 0 else 'few'} counted"
        )
    if not wrong:
        typer.echo("Every count is what the ratings say.")
    elif repair:
        typer.echo("Counted again.")
    else:
        typer.echo("Run `roadrater db check --repair` to count again.", err=True)
        raise typer.Exit(1)
