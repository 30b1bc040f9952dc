"""Tables for other programs: columns declared once, written as CSV piece by piece."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

Row = TypeVar("Row")
Value = str | int | float | bool | datetime | None

PIECE_CHARACTERS = 64_000
# A spreadsheet computes a cell that begins like this; an apostrophe makes it text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table: its name, what it means, and how a row fills it."""

    name: str
    description: str
    read: Callable[[Row], Value]


def write_csv(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> Iterator[str]:
    """The table as RFC 4180 text, in pieces; memory does not grow with the rows."""
    piece = io.StringIO(newline="")
    writer = csv.writer(piece)
    writer.writerow([column.name for column in columns])
    for row in rows:
        writer.writerow([as_cell(column.read(row)) for column in columns])
        if piece.tell() > PIECE_CHARACTERS:
            yield piece.getvalue()
            piece.seek(0)
            piece.truncate()
    yield piece.getvalue()


def as_cell(value: Value) -> str:
    """A value as text: empty if missing, times in UTC, text that no spreadsheet will run."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return str(value)
