"""YAML as values and the lines they stand on; whatever a study does not need is refused.

Only plain values are read: mappings, lists, text, numbers, true, false and null, as in the
core schema of YAML 1.2 (so `yes` is a text, and 12:30 is no number). Anchors, tags and second
documents have no use here, and are how small files become large ones or harmful ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from app.studies.problems import FieldPath, Problem, StudyFormatError, field_name

MAX_BYTES = 1_000_000
MAX_DEPTH = 20

# Twenty times as fast with libyaml, which most installations have.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

NOT_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NULL = re.compile(r"~|null|Null|NULL|")
BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
INTEGER = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan")
# Python refuses to read longer integers, and no field needs one.
MAX_DIGITS = 100


@dataclass(frozen=True, slots=True)
class YamlTree:
    """What a document says, and on which line it says it."""

    value: object
    lines: dict[FieldPath, int]

    def line(self, path: FieldPath) -> int:
        """The line of a field; of what it is missing from, if it is not there."""
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]


def read_tree(text: str, loader: Any = LOADER) -> YamlTree:
    """The one document in a text; StudyFormatError for everything else."""
    _check_text(text)
    builder = _Builder(text, loader)
    value = builder.document()
    if builder.problems:
        raise StudyFormatError(builder.problems)
    return YamlTree(value, builder.lines)


def _check_text(text: str) -> None:
    n_bytes = len(text.encode(errors="surrogatepass"))
    if n_bytes > MAX_BYTES:
        _refuse(1, f"the document has {n_bytes:,} bytes; at most {MAX_BYTES:,} are read")
    if found := NOT_TEXT.search(text.removeprefix("\ufeff")):
        before = text[: text.index(found[0])]
        column = len(before) - (before.rfind("\n") + 1) + 1
        _refuse(
            before.count("\n") + 1,
            f"column {column} holds the character U+{ord(found[0]):04X}, which is not text",
        )


def _refuse(line: int, message: str) -> NoReturn:
    raise StudyFormatError([Problem(line, "", message)])


class _Builder:
    """Follows the parser's events, so that a hostile document is refused before it is built."""

    def __init__(self, text: str, loader: Any) -> None:
        self.problems: list[Problem] = []
        self.lines: dict[FieldPath, int] = {}
        self._n_lines = text.count("\n") + 1
        self._events = self._parse(text, loader)

    def document(self) -> object:
        next(self._events)  # the stream's start
        if isinstance(next(self._events), yaml.StreamEndEvent):
            _refuse(1, "the document is empty")
        value = self._value(next(self._events), ())
        next(self._events)  # the document's end
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            _refuse(_line(after), "a second document begins here; a study is one document")
        return value

    def _parse(self, text: str, loader: Any) -> Iterator[yaml.Event]:
        try:
            yield from yaml.parse(text, Loader=loader)
        except yaml.MarkedYAMLError as error:
            # Both marks are optional; an error about the end may point behind it.
            mark = error.problem_mark or error.context_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            what = error.problem or error.context or "this cannot be read"
            _refuse(min(line, self._n_lines), f"not YAML at column {column}: {what}")
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            _refuse(1, f"not YAML: {str(error).splitlines()[0]}")

    def _value(self, event: yaml.Event, path: FieldPath) -> object:
        self.lines.setdefault(path, _line(event))
        if len(path) > MAX_DEPTH:
            _refuse(_line(event), f"nested more than {MAX_DEPTH} levels deep")
        if isinstance(event, yaml.AliasEvent):
            self._report(event, path, f"aliases such as *{event.anchor} are not supported")
            return None
        if isinstance(event, yaml.ScalarEvent):
            self._check_decoration(event, path)
            return self._scalar(event, path)
        if isinstance(event, yaml.SequenceStartEvent):
            self._check_decoration(event, path)
            return self._list(path)
        if isinstance(event, yaml.MappingStartEvent):
            self._check_decoration(event, path)
            return self._mapping(path)
        raise TypeError(f"the parser gave {event} where a value begins")

    def _check_decoration(
        self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, path: FieldPath
    ) -> None:
        if event.anchor is not None:
            self._report(event, path, f"anchors such as &{event.anchor} are not supported")
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._report(event, path, f"tags such as {tag} are not supported")

    def _list(self, path: FieldPath) -> list[object]:
        values: list[object] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            values.append(self._value(event, (*path, len(values))))
        return values

    def _mapping(self, path: FieldPath) -> dict[str, object]:
        values: dict[str, object] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, path)
            below = (*path, key)
            if key in values:
                first = self.lines[below]
                self._report(event, below, f"this field is already on line {first}")
            self.lines.setdefault(below, _line(event))
            values[key] = self._value(next(self._events), below)
        return values

    def _key(self, event: yaml.Event, path: FieldPath) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            _refuse(_line(event), "a field's name must be a word")
        self._check_decoration(event, path)
        return str(event.value)

    def _scalar(self, event: yaml.ScalarEvent, path: FieldPath) -> object:
        text = str(event.value)
        if not event.implicit[0]:  # in quotes, or a block: always a text
            return text
        if NULL.fullmatch(text):
            return None
        if BOOLEAN.fullmatch(text):
            return text.lower() == "true"
        if INTEGER.fullmatch(text):
            if len(text) > MAX_DIGITS:
                self._report(event, path, f"a number of {len(text):,} digits is too long")
                return None
            return int(text)
        if FLOAT.fullmatch(text):
            return float(text.replace(".inf", "inf").replace(".nan", "nan"))
        return text

    def _report(self, event: yaml.Event, path: FieldPath, message: str) -> None:
        self.problems.append(Problem(_line(event), field_name(path), message))


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
