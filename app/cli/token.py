"""`roadrater token`: keys for programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from app.auth.api_tokens import add_api_token
from app.auth.models import Scope
from app.cli.context import open_parts, whose
from app.config import Settings

commands = typer.Typer(help="API tokens: keys for programs.", no_args_is_help=True)


@commands.callback()
def keep_group() -> None:
    """API tokens: keys for programs."""


@commands.command("add")
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the token is for.")],
    scope: Annotated[Scope, typer.Option(help="read: look and download; write: also change.")],
    user: Annotated[
        str, typer.Option(metavar="EMAIL", help="For whom it acts; by default the only admin.")
    ] = "",
) -> None:
    """Make an API token and print it, once.

    Example: [bold]roadrater token add nightly-export --scope read[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        token = add_api_token(db, name, whose(db, user, "--user"), scope, datetime.now(UTC))
    typer.echo(token)
    typer.echo("Keep it: it is stored as a hash and cannot be shown again.", err=True)
