"""The canonical scene file as a JSON Schema, for those who write one by other means.

It says what a schema can say; `app.scenes.validation` says the rest, such as that the lists of
a track are equally long and that an ego is one of the tracks.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from app.scenes.road_map import Marking
from app.scenes.scene import RoadUser, SceneKind
from app.scenes.validation import INFERABLE, ROLE_NAMES, STATE_FIELDS

Schema: TypeAlias = dict[str, object]

FORMAT = "roadrater-scene"
VERSION = 1

NUMBER: Schema = {"type": "number"}
POSITIVE: Schema = {"type": "number", "exclusiveMinimum": 0}
TEXT: Schema = {"type": "string"}
NAME: Schema = {"type": "string", "minLength": 1}
POINT: Schema = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}


def _list(items: Schema, at_least: int = 0) -> Schema:
    return {"type": "array", "items": items, "minItems": at_least}


def _set(items: Schema) -> Schema:
    return {"type": "array", "items": items, "uniqueItems": True}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _one_of(kinds: type[StrEnum]) -> Schema:
    return {"enum": [kind.value for kind in kinds]}


def _object(properties: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


LINE = _list(POINT, at_least=2)
POLYGON = _list(POINT, at_least=3)

TRACK_FIELDS: dict[str, Schema] = {
    "id": NAME,
    "kind": _one_of(RoadUser),
    "length_m": POSITIVE,
    "width_m": POSITIVE,
    "inferred": _set({"enum": sorted(INFERABLE)}),
    "time_s": _list(NUMBER, at_least=1),
    "valid": _list({"type": "boolean"}, at_least=1),
    **{field: _list({"type": ["number", "null"]}, at_least=1) for field in STATE_FIELDS},
}

SOURCE_FIELDS: dict[str, Schema] = {
    "generator": TEXT,
    "model": TEXT,
    "configuration": {
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean"]},
    },
    "seed": _or_null({"type": "integer"}),
    "licence": TEXT,
    "ground_truth": TEXT,
}

LANE_FIELDS: dict[str, Schema] = {
    "id": TEXT,
    "polygon_m": POLYGON,
    "centre_line_m": _or_null(LINE),
}

BOUNDARY_FIELDS: dict[str, Schema] = {"marking": _one_of(Marking), "points_m": LINE}

ROAD_MAP_FIELDS: dict[str, Schema] = {
    "lanes": _list(_object(LANE_FIELDS)),
    "boundaries": _list(_object(BOUNDARY_FIELDS)),
    "stop_lines_m": _list(LINE),
    "crossings_m": _list(POLYGON),
}

SCENE_FIELDS: dict[str, Schema] = {
    "format": {"const": FORMAT},
    "version": {"const": VERSION},
    "name": TEXT,
    "kind": _one_of(SceneKind),
    "step_s": POSITIVE,
    "ego_id": _or_null(NAME),
    "roles": {
        "type": "object",
        "propertyNames": {"enum": sorted(ROLE_NAMES)},
        "additionalProperties": NAME,
    },
    "right_of_way_ids": _set(NAME),
    "reference_path_m": _or_null(LINE),
    "source": _object(SOURCE_FIELDS),
    "road_map": _object(ROAD_MAP_FIELDS),
    "tracks": _list(_object(TRACK_FIELDS), at_least=1),
}

CANONICAL_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Roadrater scene",
    "description": "Who was where, when, on which road. SI units; positions are centres of boxes; "
    "angles in radians counter-clockwise from +x; null where a sample is not valid.",
    **_object(SCENE_FIELDS),
}
