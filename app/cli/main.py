"""The door of the command line: runs a command, turns an error into a sentence."""

from __future__ import annotations

import os
import sys

from pydantic import ValidationError
from sqlalchemy.exc import OperationalError

from app.errors import AppError


def main() -> None:
    """Run a command; bad input is one sentence and exit code 2."""
    # Before numpy is loaded: more BLAS threads only make two clips at once slower.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    from app.cli.commands import commands

    try:
        commands()
    except (AppError, FileNotFoundError) as error:
        fail(str(error), 2)
    except ValidationError as error:
        fail("; ".join(f"setting {part['loc'][0]}: {part['msg']}" for part in error.errors()), 2)
    except OperationalError as error:
        fail(f"the database does not answer: {error.orig}", 1)


def fail(sentence: str, code: int) -> None:
    """One sentence, no traceback."""
    sys.stderr.write(f"roadrater: {sentence}\n")
    sys.exit(code)
