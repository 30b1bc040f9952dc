"""`roadrater user`: who can sign in."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from app.auth.accounts import add_user
from app.auth.models import Role
from app.auth.queries import get_user
from app.auth.signing_in import make_sign_in_link
from app.cli.context import open_parts
from app.config import Settings

commands = typer.Typer(help="Researchers: add one, sign one in.", no_args_is_help=True)

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The person's e-mail address.")]


@commands.command("add")
def add(
    email: Email,
    role: Annotated[Role, typer.Option(help="admin: all; researcher: own studies; viewer: look.")],
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
) -> None:
    """Add a user and print a link that signs them in once.

    On a terminal it asks for a password; an empty one means: by links only.

    Example: [bold]roadrater user add ada@example.org --role researcher[/bold]
    """
    password = _read_password(password_stdin)
    now = datetime.now(UTC)
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        user = add_user(db, email, role, password, now)
        token = make_sign_in_link(db, user, now, parts.settings.sign_in_link_minutes)
    typer.echo(f"{user.email} is now {_with_article(role)}.")
    _say_link(parts.settings, token)


@commands.command("link")
def link(email: Email) -> None:
    """Print a link that signs a user in once.

    Example: [bold]roadrater user link ada@example.org[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        user = get_user(db, email)
        minutes = parts.settings.sign_in_link_minutes
        token = make_sign_in_link(db, user, datetime.now(UTC), minutes)
    _say_link(parts.settings, token)


def _read_password(from_stdin: bool) -> str | None:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        return None
    entered: str = typer.prompt(
        "Password (empty: sign in by links only)",
        default="",
        hide_input=True,
        confirmation_prompt=True,
        show_default=False,
    )
    return entered or None


def _say_link(settings: Settings, token: str) -> None:
    typer.echo(f"Signs in once, within {settings.sign_in_link_minutes:g} minutes:")
    typer.echo(f"  {settings.base_url.rstrip('/')}/admin/sign-in/{token}")


def _with_article(role: Role) -> str:
    return f"an {role}" if role == Role.admin else f"a {role}"
