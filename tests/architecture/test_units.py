"""A float in a science dataclass says its unit in its last word, or is listed as having none."""

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import app.rendering
import app.scenes
import app.simulation

UNITS = {"m", "s", "mps", "mps2", "rad", "deg", "px"}
DIMENSIONLESS = {"exponent", "opacity", "politeness", "share", "spread", "temper"}


def science_dataclasses() -> Iterator[type]:
    for room in (app.scenes, app.simulation, app.rendering):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            for value in vars(module).values():
                if (
                    isinstance(value, type)
                    and dataclasses.is_dataclass(value)
                    and value.__module__ == module.__name__
                ):
                    yield value


def is_measured(annotation: str) -> bool:
    """Whether the annotation, as written, is a float or an array of floats."""
    return any(word in annotation for word in ("float", "Floats", "Points"))


@pytest.mark.parametrize("kind", list(science_dataclasses()), ids=lambda kind: kind.__qualname__)
def test_a_measured_field_ends_in_its_unit(kind):
    for field in dataclasses.fields(kind):
        last_word = field.name.rsplit("_", 1)[-1]
        if is_measured(str(field.type)) and "Mapping" not in str(field.type):
            assert last_word in UNITS | DIMENSIONLESS, f"{kind.__qualname__}.{field.name}"
