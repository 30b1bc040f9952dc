from __future__ import annotations

import json
from collections.abc import Callable

import jsonschema
import pytest

from app.scenes.formats.canonical import CANONICAL_SCHEMA, encode_scene
from tests.factories.scenes import roundabout_scene, straight_road_scene

VALIDATOR = jsonschema.Draft202012Validator(CANONICAL_SCHEMA)


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(CANONICAL_SCHEMA)


@pytest.mark.parametrize("scene", [straight_road_scene(), roundabout_scene()])
def test_what_is_written_fits_the_schema(scene):
    VALIDATOR.validate(json.loads(encode_scene(scene)))


BREAKAGES: dict[str, Callable[[dict], object]] = {
    "a newer version": lambda d: d.update(version=2),
    "an unknown field": lambda d: d.update(colour="red"),
    "a missing field": lambda d: d.pop("ego_id"),
    "a kind of road user that is none": lambda d: d["tracks"][0].update(kind="tank"),
    "a size of nothing": lambda d: d["tracks"][0].update(length_m=0),
    "a role that is none": lambda d: d["roles"].update(X="car-0"),
    "a point in space": lambda d: d.update(reference_path_m=[[0, 0, 0], [1, 1, 1]]),
}


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_what_the_reader_refuses_does_not_fit_the_schema(breakage):
    document = json.loads(encode_scene(straight_road_scene()))
    BREAKAGES[breakage](document)
    assert not VALIDATOR.is_valid(document)
