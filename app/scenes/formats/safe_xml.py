"""XML from strangers: no document type, no entities of its own, nothing fetched, bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Never
from xml.etree.ElementTree import Element, ParseError, XMLParser
from xml.parsers import expat

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile

MAX_DEPTH = 64
MAX_TREE_ELEMENTS = 5_000_000
PIECE_BYTES = 2**18
PROLOG_PIECE_BYTES = 2**12

Start = Callable[[str, dict[str, str]], object]
End = Callable[[str], object]
Characters = Callable[[str], object]


def parse_tree(file: SourceFile, max_bytes: int) -> Element:
    """The whole document as a tree; comments are left out.

    Python sees only what comes before the first element, the one place for a document type; the
    rest is read by the standard library's parser in C, several times as fast.
    """
    _check_prolog(file, max_bytes)
    parser = XMLParser()  # noqa: S314  there is no document type, so there are no entities
    n_tags = 0
    with file.open(max_bytes) as stream, _what_is_not_xml(file):
        while piece := stream.read(PIECE_BYTES):
            n_tags += piece.count(b"<")
            if n_tags > 2 * MAX_TREE_ELEMENTS:
                raise file.wrong(f"there are more than {MAX_TREE_ELEMENTS:,} elements")
            parser.feed(piece)
        root: Element = parser.close()
    _check_depth(file, root)
    return root


def parse_stream(
    file: SourceFile,
    stream: BinaryIO,
    start: Start,
    end: End | None = None,
    characters: Characters | None = None,
) -> None:
    """Call back for every element while the bytes come in; memory does not grow with the file.

    What the callbacks raise goes through. Raises SceneFormatError with the line for what is not
    well-formed or declares a document type.
    """
    for _ in parse_pieces(file, stream, start, end, characters):
        pass


def parse_pieces(
    file: SourceFile,
    stream: BinaryIO,
    start: Start,
    end: End | None = None,
    characters: Characters | None = None,
) -> Iterator[None]:
    """As `parse_stream`, with a stop after each piece, to hand over what has come together."""
    parser = _strict_parser(file)
    # The callbacks themselves, nothing around them: for large files calls are what takes time.
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    if characters is not None:
        parser.CharacterDataHandler = characters
    while piece := stream.read(PIECE_BYTES):
        with _what_is_not_xml(file):
            parser.Parse(piece, False)
        yield
    with _what_is_not_xml(file):
        parser.Parse(b"", True)


def _check_prolog(file: SourceFile, max_bytes: int) -> None:
    """Refuse a document type; it can only stand before the first element."""
    parser = _strict_parser(file)
    begun = False

    def begin(_tag: str, _attributes: dict[str, str]) -> None:
        nonlocal begun
        begun = True
        parser.StartElementHandler = None

    parser.StartElementHandler = begin
    with file.open(max_bytes) as stream, _what_is_not_xml(file):
        while not begun and (piece := stream.read(PROLOG_PIECE_BYTES)):
            parser.Parse(piece, False)


def _strict_parser(file: SourceFile) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(*_: object) -> Never:
        raise file.wrong(
            f"line {parser.CurrentLineNumber}: a document type or entity is declared, "
            "which no format here needs and which is refused for safety"
        )

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    return parser


@contextmanager
def _what_is_not_xml(file: SourceFile) -> Iterator[None]:
    """Both parsers' errors as a sentence with the line."""
    try:
        yield
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "not well-formed")
        raise file.wrong(f"line {error.lineno}: not XML: {reason}") from error
    except ParseError as error:
        reason = expat.errors.messages.get(error.code, "not well-formed")
        raise file.wrong(f"line {error.position[0]}: not XML: {reason}") from error
    except (LookupError, UnicodeError, ValueError) as error:
        # An encoding that Python does not know, or bytes that are not in the one declared.
        if isinstance(error, SceneFormatError):
            raise
        raise file.wrong(f"not XML: {error}") from error


def _check_depth(file: SourceFile, root: Element) -> None:
    level = [root]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
    if level:
        raise file.wrong(f"elements are nested deeper than {MAX_DEPTH}")
