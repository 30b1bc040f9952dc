"""The published schema and the documented fields are the model's own."""

import json
import re

import jsonschema
import pytest

from app.config import ROOT
from app.studies.demo_study import demo_yaml
from app.studies.document import StudyDocument
from app.studies.fields import Part
from app.studies.schema import PLACES, field_tables, schema_text, study_schema
from app.studies.yaml_tree import read_tree

DOCS = ROOT / "docs"


def test_the_schema_is_valid_and_accepts_the_demo_study():
    jsonschema.Draft202012Validator.check_schema(study_schema())
    jsonschema.validate(read_tree(demo_yaml(4)).value, study_schema())


def test_the_schema_refuses_what_the_reader_refuses():
    document = read_tree(demo_yaml(2)).value
    assert isinstance(document, dict)
    for wrong in ({"slug": "A B"}, {"clips": []}, {"extra": 1}, {"order": "other"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document | wrong, study_schema())


def test_every_field_is_described_in_the_schema():
    for part in Part.__subclasses__():
        for name, field in part.model_fields.items():
            assert field.description, f"{part.__name__}.{name}"


def test_every_part_of_the_document_is_in_the_tables():
    assert set(PLACES.values()) == set(Part.__subclasses__())
    for part in PLACES.values():
        for name in part.model_fields:
            assert f"| `{name}` |" in field_tables()


def test_the_published_schema_is_current():
    published = (DOCS / "study.schema.json").read_text()
    assert published == schema_text(), "write it anew: roadrater study schema"


def test_the_documented_fields_are_current():
    assert field_tables() in (DOCS / "study_document.md").read_text(), (
        "write them anew: roadrater study schema --tables"
    )


def test_the_short_example_in_the_documentation_is_a_study():
    text = (DOCS / "study_document.md").read_text()
    examples = re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL)
    assert examples
    for example in examples:
        StudyDocument.model_validate(read_tree(example).value)


def test_the_schema_is_json():
    assert json.loads(schema_text()) == study_schema()
