"""Tables with a header, read in blocks of columns; errors name the line and the column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, TextIO

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.scene import Floats

# exiD, the widest format that is read, has 57 columns.
MAX_COLUMNS = 1000
MAX_HEADER_BYTES = 2**16
MAX_NAMES = 200_000
# The reader looks a few dozen blocks ahead, so that larger blocks cost memory and gain nothing.
BLOCK_BYTES = 2**20
# Larger than any place, time or frame, and small enough to be multiplied without overflowing.
LARGEST_NUMBER = 1e15
DELIMITERS = ",;\t"
EMPTY = ["", "nan", "NaN", "NAN", "NA", "N/A", "null", "None"]

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TableBlock:
    """Rows of a table, by columns of shape (n_rows,).

    `numbers` are nan where a cell is empty. `texts` are codes into a list of names, without spaces
    around them, which grows from block to block and never changes.
    """

    first_row: int  # of the table, from 0; `line_of_row` says where that is in the file
    n_rows: int
    numbers: Mapping[str, Floats]
    texts: dict[str, tuple[Codes, list[str]]]


def read_header(file: SourceFile) -> list[str]:
    """Names of the columns, without spaces around them."""
    text, delimiter = _first_line(file)
    try:
        names = [name.strip() for name in next(csv.reader([text], delimiter=delimiter), [])]
    except csv.Error as error:
        raise file.wrong(f"line 1: {error}") from error
    if len(names) > MAX_COLUMNS:
        raise file.wrong(f"there are {len(names):,} columns, but at most {MAX_COLUMNS:,} are read")
    for i, name in enumerate(names):
        if name and name in names[:i]:
            raise file.wrong(f"line 1: two columns are called {name!r}")
    return names


def delimiter_of(file: SourceFile) -> str:
    """What separates the cells: the most frequent of comma, semicolon and tab in the header."""
    return _first_line(file)[1]


def stream_columns(
    file: SourceFile,
    numbers: Sequence[str],
    texts: Sequence[str] = (),
    decimal_point: str = ".",
) -> Iterator[TableBlock]:
    """The named columns of a table in blocks of a few megabytes; the others are never parsed.

    Raises SceneFormatError for a column that is not there, a row that has not as many cells as
    the header and a cell that is not a number.
    """
    header = read_header(file)
    if missing := [name for name in (*numbers, *texts) if name not in header]:
        raise file.wrong(f"columns missing: {', '.join(missing)}")
    if b"\n" not in file.head(MAX_HEADER_BYTES):
        return  # a header without an end has no rows below it
    first_row = 0
    names: dict[str, list[str]] = {column: [] for column in texts}
    codes: dict[str, dict[str, int]] = {column: {} for column in texts}
    try:
        with file.open() as stream:
            for batch in _open(stream, header, delimiter_of(file), numbers, texts, decimal_point):
                if batch.num_rows:
                    values = {column: _floats(batch.column(column)) for column in numbers}
                    _check_size(file, values, first_row)
                    yield TableBlock(
                        first_row,
                        batch.num_rows,
                        values,
                        {
                            column: (
                                _codes(file, batch.column(column), names[column], codes[column]),
                                names[column],
                            )
                            for column in texts
                        },
                    )
                first_row += batch.num_rows
    except pa.ArrowInvalid as error:
        raise _diagnosis(file, numbers, decimal_point) or file.wrong(
            f"not a table: {str(error).splitlines()[0]}"
        ) from error


def read_table(
    file: SourceFile, numbers: Sequence[str], texts: Sequence[str] = (), decimal_point: str = "."
) -> TableBlock:
    """The named columns of a small table, whole."""
    blocks = list(stream_columns(file, numbers, texts, decimal_point))
    return TableBlock(
        0,
        sum(block.n_rows for block in blocks),
        {
            name: np.concatenate([block.numbers[name] for block in blocks] or [np.empty(0)])
            for name in numbers
        },
        {
            name: (
                np.concatenate(
                    [block.texts[name][0] for block in blocks] or [np.empty(0, np.int64)]
                ),
                blocks[-1].texts[name][1] if blocks else [],
            )
            for name in texts
        },
    )


def code_of(names: Sequence[str], name: str) -> int | None:
    """The code of a name among those of a column; None if no row has it."""
    return names.index(name) if name in names else None


def line_of_row(file: SourceFile, row: int) -> int:
    """The line on which a row of the table begins; blank lines and line breaks in cells count."""
    with file.open() as stream, _text(stream, errors="replace") as text:
        rows = _rows(text, delimiter_of(file))
        try:
            return next(line for i, (line, _) in enumerate(rows) if i == row + 1)
        except csv.Error:  # a cell, read by nobody, that is longer than any should be
            return row + 2


def _open(
    stream: BinaryIO,
    header: list[str],
    delimiter: str,
    numbers: Sequence[str],
    texts: Sequence[str],
    decimal_point: str,
) -> Iterator[pa.RecordBatch]:
    types = {name: pa.float64() for name in numbers} | {name: pa.string() for name in texts}
    # A column without a name cannot be asked for, but it has to be counted.
    names = [name or f"\0{i}" for i, name in enumerate(header)]
    return iter(
        arrow_csv.open_csv(
            stream,
            read_options=arrow_csv.ReadOptions(
                column_names=names, skip_rows=1, block_size=BLOCK_BYTES
            ),
            parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=False),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=[*numbers, *texts],
                column_types=types,
                null_values=EMPTY,
                strings_can_be_null=False,
                decimal_point=decimal_point,
            ),
        )
    )


def _floats(column: pa.Array) -> Floats:
    values: Floats = column.to_numpy(zero_copy_only=False)
    return values


def _check_size(file: SourceFile, columns: dict[str, Floats], first_row: int) -> None:
    for name, values in columns.items():
        wrong = (np.abs(values) > LARGEST_NUMBER) & np.isfinite(values)
        if wrong.any():
            row = int(np.argmax(wrong))
            line = line_of_row(file, first_row + row)
            raise file.wrong(f"line {line}: column {name!r}: {values[row]:g} is too large")


def _codes(file: SourceFile, column: pa.Array, names: list[str], codes: dict[str, int]) -> Codes:
    encoded = column.dictionary_encode()
    written = [name.strip() for name in encoded.dictionary.to_pylist()]
    for name in written:
        if name not in codes:
            codes[name] = len(names)
            names.append(name)
    if len(names) > MAX_NAMES:
        raise file.wrong(f"there are more than {MAX_NAMES:,} different names in one column")
    known = np.array([codes[name] for name in written], dtype=np.int64)
    places: Codes = known[encoded.indices.to_numpy()]
    return places


def _first_line(file: SourceFile) -> tuple[str, str]:
    head = file.head(MAX_HEADER_BYTES)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise file.wrong("the file is in UTF-16; please save it as CSV UTF-8")
    line, _, rest = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    if not rest and len(head) == MAX_HEADER_BYTES:
        raise file.wrong(f"line 1 has no end within {MAX_HEADER_BYTES:,} bytes")
    if b"\0" in line:
        raise file.wrong("the file is not text")
    try:
        text = line.decode().rstrip("\r")
    except UnicodeDecodeError:
        raise file.wrong("line 1 is not in UTF-8; please save the file as CSV UTF-8") from None
    return text, max(DELIMITERS, key=text.count)


def _diagnosis(
    file: SourceFile, numbers: Sequence[str], decimal_point: str
) -> SceneFormatError | None:
    """What is wrong with the first row that is wrong; read slowly, because now it matters."""
    try:
        with file.open() as stream, _text(stream) as text:
            return _first_fault(file, text, numbers, decimal_point)
    except UnicodeDecodeError as error:
        return file.wrong(f"not in UTF-8 ({error.reason}); please save the file as CSV UTF-8")
    except csv.Error as error:
        return file.wrong(f"not a table: {error}")


def _first_fault(
    file: SourceFile, text: TextIO, numbers: Sequence[str], decimal_point: str
) -> SceneFormatError | None:
    rows = _rows(text, delimiter_of(file))
    header = [name.strip() for name in next(rows)[1]]
    places = {name: header.index(name) for name in numbers}
    for line, cells in rows:
        if len(cells) != len(header):
            return file.wrong(
                f"line {line}: {len(cells)} cells, but the header has {len(header)} columns"
            )
        for name, place in places.items():
            if not _is_number(cells[place], decimal_point):
                return file.wrong(
                    f"line {line}: column {name!r}: {cells[place][:40]!r} is not a number"
                )
    return None


def _rows(text: TextIO, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The line on which each row begins, and its cells; the header is the first."""
    reader = csv.reader(text, delimiter=delimiter)
    line = 1
    for cells in reader:
        if cells:
            yield line, cells
        line = reader.line_num + 1


def _text(stream: BinaryIO, errors: str = "strict") -> TextIO:
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors=errors, newline="")


def _is_number(cell: str, decimal_point: str) -> bool:
    cell = cell.strip()
    if cell in EMPTY:
        return True
    try:
        float(cell.replace(decimal_point, "."))
    except ValueError:
        return False
    return "_" not in cell  # 1_000 is a number in Python only
