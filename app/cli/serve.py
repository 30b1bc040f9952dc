"""`roadrater serve`: the web server, with a worker of its own unless told otherwise."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
import uvicorn

from app.cli.context import prepare
from app.config import Settings
from app.errors import Conflict


def register(commands: typer.Typer) -> None:
    """Add the command."""

    @commands.command("serve")
    def serve_pages(
        host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
        port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
        processes: Annotated[int, typer.Option(min=1, help="Web processes.")] = 1,
        no_worker: Annotated[
            bool, typer.Option("--no-worker", help="Start no worker beside the server.")
        ] = False,
    ) -> None:
        """Serve the studies, and film clips in a worker process of its own.

        Example: [bold]roadrater serve --port 8001 --processes 2[/bold]
        """
        require_free_port(host, port)
        tell_base_url(host, port)
        prepare(Settings())
        if no_worker:
            run_server(host, port, processes)
            return
        with own_worker():
            run_server(host, port, processes)


def require_free_port(host: str, port: int) -> None:
    """Say so before any work if another program listens there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Conflict(f"cannot listen on {host}:{port}: {error.strerror}") from error


def tell_base_url(host: str, port: int) -> None:
    """Links begin with the address that is served, unless a setting names a public one."""
    if "base_url" not in Settings().model_fields_set:
        reached_at = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104
        os.environ["ROADRATER_BASE_URL"] = f"http://{reached_at}:{port}"


def run_server(host: str, port: int, processes: int = 1) -> None:
    """Serve until Ctrl-C; open event streams do not hold the process for long."""
    uvicorn.run(
        "app.main:create_app",
        factory=True,
        host=host,
        port=port,
        workers=processes,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=5,
        server_header=False,
    )


@contextmanager
def own_worker() -> Iterator[None]:
    """A worker process that is started again if it dies, and ends with us."""
    # The server ends by raising its signal again; the default would skip the lines below.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    stopping = threading.Event()
    keeper = threading.Thread(target=_keep_worker, args=(stopping,), daemon=True)
    keeper.start()
    try:
        yield
    finally:
        stopping.set()
        keeper.join(timeout=30)


def _keep_worker(stopping: threading.Event) -> None:
    while not stopping.is_set():
        # A session of its own: Ctrl-C in the terminal reaches us, and we tell it. We hold the
        # other end of its input, so that it ends with us even if we are killed.
        with subprocess.Popen(
            [sys.executable, "-m", "app", "worker", "--until-input-ends"],
            stdin=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            while process.poll() is None and not stopping.wait(0.5):
                pass
            process.terminate()
        stopping.wait(1.0)
