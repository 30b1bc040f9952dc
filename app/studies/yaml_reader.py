"""A study document is read: what is wrong with it is told by line and field, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from app.studies.document import StudyDocument
from app.studies.fields import COLOUR, LANGUAGE, NAME, SLUG, Part
from app.studies.problems import FieldPath, Problem, StudyFormatError, field_name
from app.studies.scene_entries import CONTENT_KEY
from app.studies.yaml_tree import YamlTree, read_tree

__all__ = ["Problem", "StudyFormatError", "StudySource", "decode_text", "parse_study", "read_study"]

# What a pattern asks for, in words: nobody should have to read one in an error.
PATTERNS_IN_WORDS = {
    SLUG: "lower-case letters and digits, with single hyphens between them",
    NAME: "letters, digits, spaces, dots, hyphens and underscores, with a letter or digit first",
    COLOUR: "a colour such as '#D55E00'",
    LANGUAGE: "a language code such as en or pt-BR",
    CONTENT_KEY: "the first 12 or more digits of a key: 0 to 9 and a to f",
}


@dataclass(frozen=True, slots=True)
class StudySource:
    """A valid document and where its fields stand, for what is found wrong only later."""

    document: StudyDocument
    tree: YamlTree

    def problem(self, path: FieldPath, message: str) -> Problem:
        """Something about a field that only the world outside the document shows."""
        return Problem(self.tree.line(path), field_name(path), message)


def read_study(text: str) -> StudyDocument:
    """The document in a YAML text; StudyFormatError with every problem otherwise."""
    return parse_study(text).document


def parse_study(text: str) -> StudySource:
    """The document with the lines of its fields."""
    tree = read_tree(text)
    if not isinstance(tree.value, dict):
        message = "a study document consists of fields such as 'slug: my-study'"
        raise StudyFormatError([Problem(tree.line(()), "", message)])
    try:
        document = StudyDocument.model_validate(tree.value)
    except ValidationError as error:
        parts = error.errors(include_url=False)
        problems = [_problem(tree, part) for part in parts if not _only_follows(part)]
        raise StudyFormatError(problems) from None
    return StudySource(document, tree)


def decode_text(content: bytes) -> str:
    """The text in a file."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise StudyFormatError([Problem(line, "", "the file is not UTF-8 text")]) from None


def _only_follows(error: Mapping[str, Any]) -> bool:
    """A list counts as too short if its elements are wrong: they are told of, it is not."""
    is_short: bool = error["type"] == "too_short"
    return is_short and len(error["input"]) >= error["ctx"]["min_length"]


def _problem(tree: YamlTree, error: Mapping[str, Any]) -> Problem:
    below = error.get("ctx", {}).get("below", ())
    path = _path(tree.value, (*error["loc"], *below))
    return Problem(tree.line(path), field_name(path), _message(error, path))


def _path(value: object, location: FieldPath) -> FieldPath:
    """The location without the steps that are in the model only (which kind of scene it is)."""
    path: list[str | int] = []
    for number, step in enumerate(location, start=1):
        match value:
            case dict() if step in value:
                value = value[step]
            case list() if isinstance(step, int) and step < len(value):
                value = value[step]
            case _ if number < len(location):
                continue
        path.append(step)
    return tuple(path)


def _message(error: Mapping[str, Any], path: FieldPath) -> str:
    match error["type"]:
        case "missing":
            return "the field is missing"
        case "extra_forbidden":
            return _no_such_field(str(path[-1]))
        case "string_pattern_mismatch":
            pattern = error["ctx"]["pattern"]
            return f"Input should be {PATTERNS_IN_WORDS.get(pattern, pattern)}"
        case "string_type" if error["input"] is None:
            return "nothing stands here; a text that begins with # needs quotes"
        case "string_type" if isinstance(error["input"], bool | int | float):
            return "Input should be a text; put it in quotes"
        case "tuple_type":
            return "Input should be a list"
        case "model_type":
            return "Input should be fields of its own, indented below"
        case "too_short":
            return f"the list is too short; it needs at least {error['ctx']['min_length']}"
        case "too_long":
            return f"the list is too long; it can have at most {error['ctx']['max_length']:,}"
    return str(error["msg"])


def _no_such_field(name: str) -> str:
    known = {field for part in Part.__subclasses__() for field in part.model_fields}
    close = get_close_matches(name, known - {name}, n=1)
    hint = f"; did you mean {close[0]!r}?" if close and name not in known else ""
    return f"there is no such field{hint}"
