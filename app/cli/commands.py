"""Every command, gathered: one file each."""

from __future__ import annotations

import typer

from app.cli import agree, db, demo, film, plan, scene, serve, study, token, user, worker

commands = typer.Typer(
    name="roadrater",
    help="User studies on the realism of simulated traffic.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for part in (demo, serve, worker, film, agree, plan):
    part.register(commands)
for name, group in {"db": db, "study": study, "scene": scene, "user": user, "token": token}.items():
    commands.add_typer(group.commands, name=name)
