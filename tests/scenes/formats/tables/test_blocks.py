import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.tables import blocks as module
from app.scenes.formats.tables.blocks import (
    delimiter_of,
    line_of_row,
    read_header,
    read_table,
    stream_columns,
)


def table(content: bytes | str) -> SourceFile:
    return SourceFile.holding("t.csv", content.encode() if isinstance(content, str) else content)


def test_the_columns_asked_for_are_read_and_the_others_are_not():
    block = read_table(table('id,note,x\n1,what?,2.5\n2,"a,b",-1e3\n'), ["id", "x"])
    assert block.numbers["id"].tolist() == [1, 2]
    assert block.numbers["x"].tolist() == [2.5, -1000]


@pytest.mark.parametrize("cell", ["", "nan", "NaN", "NA", "null"])
def test_an_empty_cell_is_nan(cell):
    block = read_table(table(f"a,b\n1,{cell}\n"), ["a", "b"])
    assert np.isnan(block.numbers["b"]).tolist() == [True]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_header_tells_what_separates_the_cells(delimiter):
    file = table(delimiter.join("abc") + "\n" + delimiter.join("123") + "\n")
    assert delimiter_of(file) == delimiter
    assert read_header(file) == ["a", "b", "c"]
    assert read_table(file, ["c"]).numbers["c"].tolist() == [3]


def test_decimal_commas_are_read_where_told():
    block = read_table(table("a;b\n1,5;2\n"), ["a", "b"], decimal_point=",")
    assert block.numbers["a"].tolist() == [1.5]


def test_a_byte_order_mark_spaces_and_windows_line_ends_do_not_matter():
    block = read_table(table(b"\xef\xbb\xbfa, b \r\n1, 2 \r\n"), ["a", "b"])
    assert [block.numbers[name].tolist() for name in "ab"] == [[1], [2]]


def test_names_keep_their_codes_from_block_to_block(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_BYTES", 64)
    rows = "".join(f"{name},1\n" for name in ["car", "bus", "car"] * 40)
    blocks = list(stream_columns(table("kind,x\n" + rows), ["x"], ["kind"]))
    assert len(blocks) > 2
    named = [names[code] for b in blocks for codes, names in [b.texts["kind"]] for code in codes]
    assert named == ["car", "bus", "car"] * 40
    assert [block.first_row for block in blocks][1] == blocks[0].n_rows


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b\n1,2\n3\n", "t.csv: line 3: 1 cells, but the header has 2 columns"),
        ("a,b\n1,2,\n", "t.csv: line 2: 3 cells, but the header has 2 columns"),
        ("a,b\n\n\n1,x\n", "t.csv: line 4: column 'b': 'x' is not a number"),
        ("a,b\n1,1_000\n", "t.csv: line 2: column 'b': '1_000' is not a number"),
        ("a,b\n\n1,2\n1,-1e308\n", "t.csv: line 4: column 'b': -1e+308 is too large"),
        ("a,c\n1,2\n", "t.csv: columns missing: b"),
        ("", "t.csv: columns missing: a, b"),
        ("a,b,a\n", "t.csv: line 1: two columns are called 'a'"),
        (b"a,b\n1,\xff\n", "t.csv: not in UTF-8 (invalid start byte); please save the file as"),
        (
            "a,b\n1,2\n".encode("utf-16"),
            "t.csv: the file is in UTF-16; please save it as CSV UTF-8",
        ),
        ("ä,a,b\n1,2\n".encode("latin-1"), "t.csv: line 1 is not in UTF-8; please save the file"),
        (b"a,b\0\n", "t.csv: the file is not text"),
        ("a," * 1500 + "b\n", "t.csv: there are 1,501 columns, but at most 1,000 are read"),
        ("a," * 1_000_000 + "b\n", "t.csv: line 1 has no end within 65,536 bytes"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(content, sentence):
    with pytest.raises(SceneFormatError) as refusal:
        read_table(table(content), ["a", "b"])
    assert str(refusal.value).startswith(sentence)


def test_a_fault_deep_in_a_large_file_is_found():
    content = "a,b\n" + "1,2\n" * 300_000 + "1,oops\n"
    with pytest.raises(SceneFormatError, match="line 300002: column 'b': 'oops'"):
        read_table(table(content), ["a", "b"])


@pytest.mark.parametrize("content", ["a,b", "a,b\n", "a,b\r\n\r\n"])
def test_a_header_alone_has_no_rows(content):
    block = read_table(table(content), ["a"], ["b"])
    assert (block.n_rows, block.numbers["a"].tolist()) == (0, [])


def test_infinity_is_a_number_here_and_refused_by_those_who_cannot_use_it():
    assert read_table(table("a,b\ninf,-inf\n"), ["a", "b"]).numbers["a"].tolist() == [np.inf]


def test_a_column_of_too_many_names_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_NAMES", 3)
    with pytest.raises(SceneFormatError, match="more than 3 different names"):
        read_table(table("a,b\n" + "".join(f"n{i},1\n" for i in range(5))), ["b"], ["a"])


def test_the_line_of_a_row_counts_blank_lines_and_line_breaks_in_cells():
    file = table('a,b\n\n1,"two\nlines"\n2,x\n')
    assert [line_of_row(file, row) for row in (0, 1)] == [3, 5]


@pytest.mark.parametrize("cell", [b"\xff\xfe", b"x" * 200_000])
def test_the_line_of_a_row_is_found_whatever_else_is_in_the_file(cell):
    assert line_of_row(table(b"a,b\n1," + cell + b"\n2,x\n"), 1) == 3
