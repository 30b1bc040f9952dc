"""What is wrong with a study document, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.errors import Invalid

FieldPath = tuple[str | int, ...]

MAX_TOLD = 20
MAX_KEY_LENGTH = 40
PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend; `line` counts from 1, `field` is empty for the document as a whole."""

    line: int
    field: str
    message: str

    def __str__(self) -> str:
        where = f"line {self.line}, {self.field}" if self.field else f"line {self.line}"
        return f"{where}: {self.message}"


class StudyFormatError(Invalid):
    """The document cannot be used; all problems that could be found at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line))
        super().__init__(_sentence(self.problems))


def field_name(path: FieldPath) -> str:
    """The path as people write it.

    >>> field_name(("clips", 3, "scene", "seed"))
    'clips[3].scene.seed'
    """
    name = ""
    for step in path:
        name += f"[{step}]" if isinstance(step, int) else f".{_key(step)}"
    return name.removeprefix(".")


def _key(key: str) -> str:
    """A key that could be anything, fit to be shown."""
    shown = key if len(key) <= MAX_KEY_LENGTH else f"{key[:MAX_KEY_LENGTH]}…"
    return shown if PLAIN_KEY.fullmatch(shown) else ascii(shown)


def _sentence(problems: tuple[Problem, ...]) -> str:
    told = "; ".join(str(problem) for problem in problems[:MAX_TOLD])
    left = len(problems) - MAX_TOLD
    return f"{told}; and {left} more" if left > 0 else told
