"""XML from strangers: no document type, no entities of its own, nothing fetched, bounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Never
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile

MAX_DEPTH = 64
MAX_TREE_ELEMENTS = 5_000_000
PIECE_BYTES = 2**18

Start = Callable[[str, dict[str, str]], object]
End = Callable[[str], object]
Characters = Callable[[str], object]


def parse_tree(file: SourceFile, max_bytes: int) -> Element:
    """The whole document as a tree; comments are left out."""
    builder = TreeBuilder()
    n_elements = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal n_elements
        n_elements += 1
        if n_elements > MAX_TREE_ELEMENTS:
            raise file.wrong(f"there are more than {MAX_TREE_ELEMENTS:,} elements")
        builder.start(tag, attributes)

    with file.open(max_bytes) as stream:
        parse_stream(file, stream, start, builder.end, builder.data)
    return builder.close()


def parse_stream(
    file: SourceFile,
    stream: BinaryIO,
    start: Start,
    end: End | None = None,
    characters: Characters | None = None,
) -> None:
    """Call back for every element while the bytes come in; memory does not grow with the file.

    What the callbacks raise goes through. Raises SceneFormatError with the line for what is not
    well-formed, declares a document type or nests deeper than `MAX_DEPTH`.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth = 0

    def refuse(*_: object) -> Never:
        raise file.wrong(
            f"line {parser.CurrentLineNumber}: a document type or entity is declared, "
            "which no format here needs and which is refused for safety"
        )

    def deeper(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise file.wrong(
                f"line {parser.CurrentLineNumber}: elements are nested deeper than {MAX_DEPTH}"
            )
        start(tag, attributes)

    def higher(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if end is not None:
            end(tag)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler = deeper
    parser.EndElementHandler = higher
    if characters is not None:
        parser.CharacterDataHandler = characters
    try:
        while piece := stream.read(PIECE_BYTES):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "not well-formed")
        raise file.wrong(f"line {error.lineno}: not XML: {reason}") from error
    except (LookupError, UnicodeError, ValueError) as error:
        # An encoding that Python does not know, or bytes that are not in the one declared.
        if isinstance(error, SceneFormatError):
            raise
        raise file.wrong(f"line {parser.CurrentLineNumber}: not XML: {error}") from error
