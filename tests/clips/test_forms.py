"""What is chosen is taken as it was meant, or refused in words."""

import pytest

from app.clips.forms import CutForm, UploadForm, parse_form
from app.errors import Invalid


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"ego": "4", "T": "4"}, "'4' cannot be both ego and T."),
        ({"V1": "7", "V2": "7"}, "'7' cannot be both V1 and V2."),
        ({"T": "7", "V4": "7", "ego": "1"}, "'7' cannot be both T and V4."),
    ],
)
def test_nobody_plays_two_parts(fields, sentence):
    with pytest.raises(Invalid) as refusal:
        parse_form(CutForm, fields)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("name", ["egoo", "start", "v1"])
def test_a_misspelt_field_is_named(name):
    with pytest.raises(Invalid, match=f"^{name}: there is no such field; there are name, kind"):
        parse_form(UploadForm, {name: "1"})


def test_roles_without_an_ego_are_kept():
    assert parse_form(CutForm, {"T": "2", "V1": "3", "V2": ""}).roles == {"T": "2", "V1": "3"}
