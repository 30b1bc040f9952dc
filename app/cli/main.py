"""The door of the command line: runs a command, turns an error into a sentence."""

from __future__ import annotations

import os
import sys

from app.errors import AppError


def main() -> None:
    """Run a command; bad input is one sentence and exit code 2."""
    # Before numpy is loaded: more BLAS threads only make two clips at once slower.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    from app.cli.commands import commands

    try:
        commands()
    except (AppError, ValueError, FileNotFoundError) as error:
        sys.stderr.write(f"roadrater: {error}\n")
        sys.exit(2)
