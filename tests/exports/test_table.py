"""Tables that other programs read."""

import csv
import tracemalloc
from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.exports.table import Column, as_cell, write_csv

WORDS = (
    Column("word", "A word.", lambda row: row[0]),
    Column("number", "A number.", lambda row: row[1]),
)


def test_a_table_is_rfc_4180_with_a_header():
    text = "".join(write_csv(WORDS, [('say "hi", you', 1), ("two\nlines", None)]))
    assert text == 'word,number\r\n"say ""hi"", you",1\r\n"two\nlines",\r\n'


def test_a_table_without_rows_has_its_header():
    assert "".join(write_csv(WORDS, [])) == "word,number\r\n"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        (True, "true"),
        (3, "3"),
        (-2, "-2"),
        (0.1, "0.1"),
        (datetime(2026, 11, 18, 12, 0, 0, 123456, UTC), "2026-11-18T12:00:00.123Z"),
        (
            datetime(2026, 11, 18, 13, 0, tzinfo=timezone(timedelta(hours=1))),
            "2026-11-18T12:00:00.000Z",
        ),
    ],
)
def test_a_value_is_written_one_way(value, cell):
    assert as_cell(value) == cell


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_that_a_spreadsheet_would_compute_is_made_text(text):
    assert as_cell(text) == "'" + text


def test_memory_does_not_grow_with_the_rows():
    def rows(n):
        return (("a word of some length", number) for number in range(n))

    def peak(n):
        tracemalloc.start()
        length = sum(len(piece) for piece in write_csv(WORDS, rows(n)))
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert length > 20 * n
        return size

    assert peak(100_000) < 1.2 * peak(10_000)


def test_what_is_written_is_read_back():
    rows = [("a,b", 1), ('"', 2), ("é\r\n", 3)]
    text = "".join(write_csv(WORDS, rows))
    read = list(csv.reader(text.splitlines(keepends=True), strict=True))
    assert [(word, int(number)) for word, number in read[1:]] == rows
