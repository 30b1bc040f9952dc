"""YAML is read with its lines, and whatever a study does not need is refused."""

import re
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.studies.problems import StudyFormatError
from app.studies.yaml_tree import LOADER, MAX_BYTES, MAX_DEPTH, read_tree


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def loader(request):
    """With libyaml and without: not every installation has it."""
    if not hasattr(yaml, request.param):
        pytest.skip("this PyYAML was built without libyaml")
    return getattr(yaml, request.param)


def problems(text, loader=LOADER):
    with pytest.raises(StudyFormatError) as caught:
        read_tree(text, loader)
    return [(problem.line, problem.field, problem.message) for problem in caught.value.problems]


def test_values_know_the_lines_on_which_they_stand(loader):
    tree = read_tree("a: 1\n\nb:\n  c: [2,\n    3]\n  # why\n  d:\n    - x: y\n", loader)
    assert tree.value == {"a": 1, "b": {"c": [2, 3], "d": [{"x": "y"}]}}
    assert tree.line(("b", "c")) == 4
    assert tree.line(("b", "c", 1)) == 5
    assert tree.line(("b", "d")) == 7
    assert tree.line(("b", "d", 0, "x")) == 8


def test_a_missing_field_is_on_the_line_of_its_parent():
    tree = read_tree("a: 1\nb:\n  c: 2\n")
    assert tree.line(("b", "missing")) == 2
    assert tree.line(("missing",)) == 1


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1", 1),
        ("-12", -12),
        ("010", 10),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("yes", "yes"),
        ("off", "off"),
        ("12:30", "12:30"),
        ("2026-11-18", "2026-11-18"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("'1'", "1"),
        ('"true"', "true"),
    ],
)
def test_plain_values_are_read_as_in_yaml_1_2(written, read, loader):
    value = read_tree(f"a: {written}\n", loader).value["a"]
    assert (value, type(value)) == (read, type(read))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff"])
def test_an_empty_document_is_refused(text, loader):
    assert problems(text, loader) == [(1, "", "the document is empty")]


def test_anchors_and_aliases_are_refused_where_they_stand(loader):
    assert problems("a: 1\nb: &x\n  c: 2\nd:\n  - *x\n", loader) == [
        (2, "b", "anchors such as &x are not supported"),
        (5, "d[0]", "aliases such as *x are not supported"),
    ]


def test_a_thousand_million_laughs_are_refused_at_once(loader):
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefg", "bcdefgh", strict=True)
    ]
    began = time.perf_counter()
    assert len(problems("\n".join(lines), loader)) > 50
    assert time.perf_counter() - began < 1.0


def test_tags_are_refused_where_they_stand(loader):
    assert problems("a: 1\nb: !!python/object:os.system x\nc: !own {d: 1}\n", loader) == [
        (2, "b", "tags such as !!python/object:os.system are not supported"),
        (3, "c", "tags such as !own are not supported"),
    ]


def test_a_field_given_twice_is_refused_with_both_lines(loader):
    assert problems("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n", loader) == [
        (4, "b.c", "this field is already on line 3"),
        (5, "a", "this field is already on line 1"),
    ]


def test_a_second_document_is_refused(loader):
    (problem,) = problems("a: 1\n---\nb: 2\n", loader)
    assert problem == (2, "", "a second document begins here; a study is one document")


@pytest.mark.parametrize("bracket", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused_before_it_is_built(bracket, loader):
    began = time.perf_counter()
    ((line, field, message),) = problems(bracket * 50_000, loader)
    assert (line, field) == (1, "")
    assert message in (f"nested more than {MAX_DEPTH} levels deep", "a field's name must be a word")
    assert time.perf_counter() - began < 2.0


def test_nesting_up_to_the_limit_is_read():
    assert read_tree("[" * MAX_DEPTH + "x" + "]" * MAX_DEPTH)
    assert problems("[" * (MAX_DEPTH + 1) + "x" + "]" * (MAX_DEPTH + 1))


def test_a_list_is_no_name_of_a_field(loader):
    assert problems("a: 1\n? [b, c]\n: 2\n", loader) == [(2, "", "a field's name must be a word")]


def test_a_document_over_a_megabyte_is_refused_unread():
    text = "a: " + "x" * MAX_BYTES
    assert problems(text) == [
        (1, "", "the document has 1,000,003 bytes; at most 1,000,000 are read")
    ]


def test_the_megabyte_counts_bytes_not_letters():
    assert "bytes" in problems("a: " + "ä" * (MAX_BYTES // 2))[0][2]


@pytest.mark.parametrize(
    ("character", "code"), [("\0", "0000"), ("\x1b", "001B"), ("\ud800", "D800")]
)
def test_what_is_not_text_is_refused_with_its_place(character, code):
    assert problems(f"a: 1\nb: x{character}") == [
        (2, "", f"column 5 holds the character U+{code}, which is not text")
    ]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: 1\nb: c: d\n", 2, 5),
        ("a: 1\n\tb: 2\n", 2, 1),
        ("a: 1\nb: @x\n", 2, 4),
        ("a: 1\nb: %x\n", 2, 4),
        ('a: "\\q"\n', 1, 5),
    ],
)
def test_broken_yaml_is_refused_with_line_and_column(text, line, column, loader):
    ((at, field, message),) = problems(text, loader)
    assert (at, field) == (line, "")
    assert re.match(r"not YAML at column \d+: \w", message)
    assert abs(int(re.search(r"column (\d+)", message)[1]) - column) <= 1


@pytest.mark.parametrize("text", ["a: [", "a: {b: 1", "a: 'x", "a:\n  - b\n c"])
def test_an_error_at_the_end_points_into_the_document(text, loader):
    ((line, _, message),) = problems(text, loader)
    assert line <= text.count("\n") + 1
    assert message.startswith("not YAML")


def test_an_escape_beyond_unicode_is_refused(loader):
    ((line, _, message),) = problems('a: "\\UFFFFFFFF"', loader)
    assert line == 1
    assert message.startswith("not YAML")


def test_a_number_of_thousands_of_digits_is_refused(loader):
    assert problems(f"a: 1\nb: {'9' * 6000}\n", loader) == [
        (2, "b", "a number of 6,000 digits is too long")
    ]


@given(
    st.recursive(st.integers() | st.booleans() | st.none() | st.text("abc ", min_size=1), st.lists)
)
def test_what_yaml_wrote_is_read_back(value):
    assert read_tree(yaml.safe_dump({"a": value})).value == {"a": value}
