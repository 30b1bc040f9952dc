"""The study document described for editors and programs, and for people."""

from __future__ import annotations

import json
from typing import Any

from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema

from app.studies.document import ClipEntry, StudyDocument, Texts, VideoSettings
from app.studies.fields import Part
from app.studies.scene_entries import FootageFile, SceneFile, SimulatedScene, UploadedScene

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Where in the document each part stands.
PLACES: dict[str, type[Part]] = {
    "The document": StudyDocument,
    "`texts`": Texts,
    "`video`": VideoSettings,
    "Each of `clips`": ClipEntry,
    "`scene`, simulated": SimulatedScene,
    "`scene`, from a file": SceneFile,
    "`scene`, a finished film": FootageFile,
    "`scene`, uploaded": UploadedScene,
}


def study_schema() -> dict[str, Any]:
    """JSON Schema of the study document; editors complete and check with it."""
    schema = StudyDocument.model_json_schema(schema_generator=_WithoutTitles)
    return {"$schema": DIALECT} | schema | {"title": "Roadrater study document"}


def schema_text() -> str:
    """The schema as it is published."""
    return json.dumps(study_schema(), indent=2, ensure_ascii=False) + "\n"


def field_tables() -> str:
    """Every field with its default and meaning, as Markdown."""
    properties = {part: part.model_json_schema()["properties"] for part in PLACES.values()}
    return "\n".join(
        f"### {place}\n\n{_table(part, properties[part])}" for place, part in PLACES.items()
    )


class _WithoutTitles(GenerateJsonSchema):
    """A title that only repeats the field's name in capitals helps nobody."""

    def field_title_should_be_set(self, schema: CoreSchema) -> bool:
        return False


def _table(part: type[Part], properties: dict[str, dict[str, Any]]) -> str:
    rows = ["| field | default | meaning |", "|---|---|---|"]
    for name, field in part.model_fields.items():
        meaning = " ".join(filter(None, [field.description, _limits(properties[name])]))
        rows.append(f"| `{name}` | {_default(field)} | {meaning} |")
    return "\n".join(rows) + "\n"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.default
    if isinstance(value, Part):
        return "see below"
    if value is None:
        return "none"
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"`{shown}`"


def _limits(schema: dict[str, Any]) -> str:
    for branch in schema.get("anyOf", ()):
        schema = branch | schema
    low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
    if low is not None and high is not None:
        above = "above " if "exclusiveMinimum" in schema else ""
        even = ", even" if schema.get("multipleOf") == 2 else ""
        return f"({above}{low:,} to {high:,}{even})"
    if "maxItems" in schema:
        return f"({schema.get('minItems', 0)} to {schema['maxItems']:,} of them)"
    if "maxLength" in schema:
        return f"(up to {schema['maxLength']:,} characters)"
    return ""
