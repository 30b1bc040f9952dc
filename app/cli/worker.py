"""`roadrater worker`: film clips until told to stop."""

from __future__ import annotations

import os
import threading
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
        until_input_ends: Annotated[
            bool, typer.Option(help="Stop when standard input ends: for a parent process.")
        ] = False,
    ) -> None:
        """Film clips from the queue until told to stop (Ctrl-C).

        Example: [bold]roadrater worker --concurrency 4[/bold]
        """
        settings = Settings()
        if concurrency is not None:
            settings = settings.model_copy(update={"worker_concurrency": concurrency})
        stop = threading.Event()
        if until_input_ends:
            threading.Thread(target=_wait_for_end_of_input, args=(stop,), daemon=True).start()
        run_worker(settings, stop)


def _wait_for_end_of_input(stop: threading.Event) -> None:
    # Not sys.stdin: at exit, Python would wait for the lock of a buffer that is being read.
    while os.read(0, 1024):
        pass
    stop.set()
