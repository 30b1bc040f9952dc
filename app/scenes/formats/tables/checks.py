"""What every cell of a table of trajectories has to be; what is wrong is said with its line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.tables.blocks import TableBlock, line_of_row


def check_finite(
    file: SourceFile,
    block: TableBlock,
    columns: Sequence[str],
    rows: NDArray[np.bool_] | None = None,
) -> None:
    """Refuse cells that are empty, nan or infinite, in these rows or in all of them."""
    for column in columns:
        values = block.numbers[column]
        wrong = ~np.isfinite(values) if rows is None else ~np.isfinite(values) & rows
        if wrong.any():
            value = values[np.argmax(wrong)]
            what = "there is no number" if np.isnan(value) else f"{value:g} is not finite"
            raise _at(file, block, column, wrong, what)


def check_not_infinite(file: SourceFile, block: TableBlock, columns: Sequence[str]) -> None:
    """Refuse infinite cells; an empty one may be filled in later."""
    for column in columns:
        if (wrong := np.isinf(block.numbers[column])).any():
            value = block.numbers[column][np.argmax(wrong)]
            raise _at(file, block, column, wrong, f"{value:g} is not finite")


def check_sizes(file: SourceFile, block: TableBlock, columns: Sequence[str]) -> None:
    """Refuse lengths and widths below zero; zero is how some formats say nothing."""
    check_not_infinite(file, block, columns)
    for column in columns:
        if (wrong := block.numbers[column] < 0).any():
            value = block.numbers[column][np.argmax(wrong)]
            raise _at(file, block, column, wrong, f"a size cannot be {value:g}")


def check_named(file: SourceFile, block: TableBlock, column: str) -> None:
    """Refuse a road user without an id."""
    codes, names = block.texts[column]
    if "" in names and (wrong := codes == names.index("")).any():
        raise _at(file, block, column, wrong, "there is no id")


def _at(
    file: SourceFile, block: TableBlock, column: str, wrong: NDArray[np.bool_], what: str
) -> SceneFormatError:
    line = line_of_row(file, block.first_row + int(np.argmax(wrong)))
    return file.wrong(f"line {line}: column {column!r}: {what}")
