"""XML from strangers: both ways of reading refuse the same."""

from __future__ import annotations

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.safe_xml import parse_stream, parse_tree

BOMB = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>'
REFUSED = [
    (BOMB.encode(), "a document type or entity is declared"),
    (BOMB.encode("utf-16"), "a document type or entity is declared"),
    (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "a document type or entity is declared"),
    (b"<a>&b;</a>", "line 1: not XML: undefined entity"),
    (b"<a>\n<b></a>", "line 2: not XML: mismatched tag"),
    (b"", "line 1: not XML: no element found"),
    (b'<?xml version="1.0" encoding="foo"?><a/>', "not XML: unknown encoding: foo"),
]


@pytest.mark.parametrize(("content", "sentence"), REFUSED)
def test_what_is_unsafe_or_broken_is_refused_by_both(content, sentence):
    file = SourceFile.holding("a.xml", content)
    with pytest.raises(SceneFormatError) as by_tree:
        parse_tree(file, 10_000)
    with pytest.raises(SceneFormatError) as by_stream, file.open() as stream:
        parse_stream(file, stream, lambda _tag, _attributes: None)
    for refused in (by_tree, by_stream):
        assert str(refused.value).startswith("a.xml: ")
        assert sentence in str(refused.value)


def test_a_tree_has_what_the_file_has():
    root = parse_tree(SourceFile.holding("a.xml", b"<a b='1'><!-- no --><c>2</c></a>"), 100)
    assert (root.tag, root.attrib, root.findtext("c")) == ("a", {"b": "1"}, "2")


def test_a_tree_that_is_too_deep_for_those_who_walk_it_is_refused():
    file = SourceFile.holding("a.xml", b"<a>" * 70 + b"</a>" * 70)
    with pytest.raises(SceneFormatError, match=r"a\.xml: elements are nested deeper than 64"):
        parse_tree(file, 10_000)


def test_a_stream_may_be_as_deep_as_it_likes_because_nobody_keeps_it():
    file = SourceFile.holding("a.xml", b"<a>" * 100_000 + b"</a>" * 100_000)
    seen = []
    with file.open() as stream:
        parse_stream(file, stream, lambda tag, _attributes: seen.append(tag))
    assert len(seen) == 100_000
