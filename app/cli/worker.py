"""`roadrater worker`: film clips until told to stop."""

from __future__ import annotations

from typing import Annotated

import typer

from app.config import Settings
from app.worker import run_worker


def register(commands: typer.Typer) -> None:
    """Add the command."""

    @commands.command("worker")
    def work(
        concurrency: Annotated[
            int | None, typer.Option(min=1, help="Clips at the same time; by default the setting.")
        ] = None,
    ) -> None:
        """Film clips from the queue until told to stop (Ctrl-C).

        Example: [bold]roadrater worker --concurrency 4[/bold]
        """
        settings = Settings()
        if concurrency is not None:
            settings = settings.model_copy(update={"worker_concurrency": concurrency})
        run_worker(settings)
