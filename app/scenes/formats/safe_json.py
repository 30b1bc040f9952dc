"""Typed access to parsed JSON; what is not as expected is refused by its path in the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.errors import SceneFormatError
from app.scenes.road_map import Points
from app.scenes.scene import Floats

Choice = TypeVar("Choice", bound=StrEnum)
Value = TypeVar("Value")

NUMBER_TYPES = {int, float}


def parse_json(text: str) -> Element:
    """The top element of a JSON document without duplicate keys, NaN or Infinity."""
    try:
        return Element(
            "", json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
        )
    except SceneFormatError:
        raise
    except RecursionError:
        raise SceneFormatError("the file is nested too deeply") from None
    except ValueError as error:
        raise SceneFormatError(f"not JSON: {error}") from error


@dataclass(frozen=True, slots=True)
class Element:
    """A value of a JSON document and its path in it, such as `tracks[3].x_m`."""

    path: str
    value: object

    def expect(self, names: Collection[str]) -> None:
        """Refuse an object in which one of these fields is missing, or another is there."""
        present = self.fields_by_name()
        for name in present:
            if name not in names:
                raise self.at(name).wrong("there is no such field in this format")
        for name in names:
            if name not in present:
                raise self.at(name).wrong("missing")

    def fields_by_name(self) -> dict[str, object]:
        if not isinstance(self.value, dict):
            raise self.wrong("expected an object")
        return self.value

    def at(self, name: str) -> Element:
        """The field of an object; None where it is left out."""
        return Element(
            f"{self.path}.{name}" if self.path else name, self.fields_by_name().get(name)
        )

    def items(self) -> Iterator[Element]:
        if not isinstance(self.value, list):
            raise self.wrong("expected a list")
        for i, value in enumerate(self.value):
            yield Element(f"{self.path}[{i}]", value)

    def fields(self) -> Iterator[tuple[str, Element]]:
        return ((name, self.at(name)) for name in self.fields_by_name())

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("expected a string")
        return self.value

    def choice(self, kinds: type[Choice]) -> Choice:
        try:
            return kinds(self.text())
        except ValueError:
            raise self.wrong(f"expected one of {', '.join(kinds)}") from None

    def whole(self) -> int:
        if type(self.value) is not int:
            raise self.wrong("expected a whole number")
        return self.value

    def number(self) -> float:
        if type(self.value) not in NUMBER_TYPES:
            raise self.wrong("expected a number")
        return float(self._floats_of([self.value])[0])

    def scalar(self) -> str | float | int | bool:
        if not isinstance(self.value, str | float | int | bool):
            raise self.wrong("expected a string, a number, true or false")
        return self.value

    def floats(self) -> Floats:
        """(n,) array; nan where the file says null."""
        if not isinstance(self.value, list):
            raise self.wrong("expected a list of numbers")
        for kind in set(map(type, self.value)) - NUMBER_TYPES - {type(None)}:
            raise self.wrong(f"expected a list of numbers, but there is a {kind.__name__}")
        return self._floats_of(self.value)

    def bools(self) -> NDArray[np.bool_]:
        """(n,) array."""
        if not isinstance(self.value, list) or not set(map(type, self.value)) <= {bool}:
            raise self.wrong("expected a list of true and false")
        return np.array(self.value, dtype=np.bool_)

    def points(self) -> Points:
        """(n, 2) array."""
        rows = [item.value for item in self.items()]
        for i, row in enumerate(rows):
            if not isinstance(row, list) or [type(v) in NUMBER_TYPES for v in row] != [True, True]:
                raise Element(f"{self.path}[{i}]", row).wrong("expected a point [x, y]")
        return self._floats_of(rows).reshape(-1, 2)

    def texts(self) -> frozenset[str]:
        texts = [item.text() for item in self.items()]
        if len(set(texts)) < len(texts):
            raise self.wrong("something is there twice")
        return frozenset(texts)

    def or_null(self, read: Callable[[Element], Value]) -> Value | None:
        return None if self.value is None else read(self)

    def _floats_of(self, values: list[object]) -> Floats:
        try:
            numbers = np.array(values, dtype=np.float64)
        except OverflowError:
            raise self.wrong("a number is too large") from None
        if np.isinf(numbers).any():
            raise self.wrong("a number is too large")
        return numbers

    def wrong(self, what: str) -> SceneFormatError:
        return SceneFormatError(f"{self.path or 'the file'}: {what}")


def _no_constant(name: str) -> float:
    raise SceneFormatError(f"not JSON: {name} is not a number there")


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise SceneFormatError(f"not JSON: the field {twice!r} is there twice")
    return fields
