"""What is wrong with a study document, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.errors import Invalid

FieldPath = tuple[str | int, ...]

MAX_TOLD = 20
MAX_NAMED = 3
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


@dataclass(frozen=True, slots=True)
class Remark:
    """No error, but good to know of what a clip is made of; it may hold there several times."""

    clip: str
    about: Problem
    n: int = 1

    def __str__(self) -> str:
        return f"{self.about}{_times(self.n)}"


class StudyFormatError(Invalid):
    """The document cannot be used; all problems that could be found at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line))
        super().__init__(_sentence(self.problems))


def told_once(remarks: Iterable[Remark]) -> list[str]:
    """A sentence that holds for several clips is told once, with some of their names."""
    by_sentence: dict[str, list[Remark]] = {}
    for remark in remarks:
        by_sentence.setdefault(remark.about.message, []).append(remark)
    return [_of_all(sentence, group) for sentence, group in by_sentence.items()]


def field_name(path: FieldPath) -> str:
    """The path as people write it.

    >>> field_name(("clips", 3, "scene", "seed"))
    'clips[3].scene.seed'
    """
    name = ""
    for step in path:
        name += f"[{step}]" if isinstance(step, int) else f".{_key(step)}"
    return name.removeprefix(".")


def _of_all(sentence: str, remarks: Sequence[Remark]) -> str:
    names = list(dict.fromkeys(remark.clip for remark in remarks))
    if len(remarks) == 1:
        return str(remarks[0])
    named = ", ".join(names[:MAX_NAMED])
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    n = sum(remark.n for remark in remarks)
    return f"{len(names)} clips ({named}{more}): {sentence}{_times(n if n > len(names) else 1)}"


def _times(n: int) -> str:
    return f" (× {n:,})" if n > 1 else ""


def _key(key: str) -> str:
    """A key that could be anything, fit to be shown."""
    shown = key if len(key) <= MAX_KEY_LENGTH else f"{key[:MAX_KEY_LENGTH]}…"
    return shown if PLAIN_KEY.fullmatch(shown) else ascii(shown)


def _sentence(problems: tuple[Problem, ...]) -> str:
    """One problem in its line; of several, one in each line."""
    if len(problems) == 1:
        return str(problems[0])
    told = [f"  {problem}" for problem in problems[:MAX_TOLD]]
    left = len(problems) - MAX_TOLD
    more = [f"  and {left} more"] if left > 0 else []
    return "\n".join([f"{len(problems)} problems in the study document:", *told, *more])
