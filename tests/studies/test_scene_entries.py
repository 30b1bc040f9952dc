"""A scene is of one kind, told by one field."""

import pytest
from pydantic import TypeAdapter, ValidationError

from app.studies.scene_entries import (
    FootageFile,
    SceneEntry,
    SceneFile,
    SimulatedScene,
    UploadedScene,
    telling_field,
)

ENTRY = TypeAdapter(SceneEntry)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"simulate": "highway", "model": "attentive", "seed": 1}, SimulatedScene),
        ({"file": "a.json"}, SceneFile),
        ({"video": "films/a.mp4", "start_s": 2.5}, FootageFile),
        ({"uploaded": "0123456789ab"}, UploadedScene),
    ],
)
def test_one_field_tells_what_a_scene_is(fields, kind):
    entry = ENTRY.validate_python(fields)
    assert type(entry) is kind
    assert telling_field(entry) == next(iter(fields))
    assert ENTRY.validate_python(entry) == entry
    assert ENTRY.validate_python(ENTRY.dump_python(entry, mode="json")) == entry


def test_a_file_comes_with_all_that_can_be_said_of_it():
    entry = ENTRY.validate_python(
        {
            "file": "tracks.csv",
            "also": ["map.osm", "meta.csv"],
            "format": "plain_csv",
            "ego": "7",
            "start_s": 3,
            "kind": "roundabout",
            "case": "12.0",
            "columns": {"x": "pos_x [ft]"},
            "origin": [48.7, 9.1],
        }
    )
    assert (entry.also, entry.ego, entry.origin) == (("map.osm", "meta.csv"), "7", (48.7, 9.1))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"path": "a.json"},
        {"video": "a.mp4", "start_s": -1.0},
        {"video": "a.mp4", "ego": "7"},
        {"uploaded": "0123"},
        {"uploaded": "0123456789AB"},
        {"uploaded": "0123456789a%"},
        {"file": "a.json", "origin": [91.0, 0.0]},
        {"file": "a.json", "also": ["x"] * 21},
        {"file": "a.json", "video": "a.mp4"},
        "a.json",
    ],
    ids=str,
)
def test_what_is_of_no_kind_or_of_two_is_refused(fields):
    with pytest.raises(ValidationError):
        ENTRY.validate_python(fields)
