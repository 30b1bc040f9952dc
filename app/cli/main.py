"""The door of the command line: runs a command, turns an error into a sentence."""

from __future__ import annotations

import os
import sys

import click

from app.errors import AppError


def main() -> None:
    """Run a command; bad input is one sentence and exit code 2."""
    # Before numpy is loaded: more BLAS threads only make two clips at once slower.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    from app.cli.commands import commands

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
