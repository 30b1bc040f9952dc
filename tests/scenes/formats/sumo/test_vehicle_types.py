"""Vehicle types: what files say, else what SUMO has for the class."""

from __future__ import annotations

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.sumo.vehicle_types import VehicleType, find_type, read_vehicle_types
from app.scenes.scene import RoadUser


def types(*texts: str) -> dict[str, VehicleType]:
    files = [SourceFile.holding("r.xml", f"<routes>{text}</routes>".encode()) for text in texts]
    return read_vehicle_types(files)


def test_a_type_has_the_size_it_says():
    found = types('<vType id="a" length="3.5" width="1.5"/>')["a"]
    assert found == VehicleType(RoadUser.car, 3.5, 1.5, sized=True)


@pytest.mark.parametrize(
    ("vehicle_class", "kind", "length_m", "width_m"),
    [
        ("passenger", RoadUser.car, 5, 1.8),
        ("delivery", RoadUser.van, 6.5, 2.16),
        ("trailer", RoadUser.truck, 16.5, 2.55),
        ("coach", RoadUser.bus, 14, 2.6),
        ("moped", RoadUser.motorcycle, 2.1, 0.78),
        ("bicycle", RoadUser.bicycle, 1.6, 0.65),
        ("unheard_of", RoadUser.other, 5, 1.8),
    ],
)
def test_a_class_has_sumos_size(vehicle_class, kind, length_m, width_m):
    found = types(f'<vType id="a" vClass="{vehicle_class}"/>')["a"]
    assert found == VehicleType(kind, length_m, width_m, sized=False)


def test_types_of_all_files_and_inside_distributions_are_known():
    inside = (
        '<vTypeDistribution id="d"><vType id="b" guiShape="truck/semitrailer"/></vTypeDistribution>'
    )
    found = types('<vType id="a"/>', inside)
    assert found["b"].kind is RoadUser.truck
    assert find_type(found, "b@vehicle.7") == found["b"]
    assert find_type(found, "DEFAULT_BIKETYPE") is not None
    assert find_type(found, "stranger") is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<vType/>", "a <vType> has no id"),
        ('<vType id="a" length="-1"/>', "vType 'a': length: -1 is not a positive number"),
        ('<vType id="a" width="wide"/>', "vType 'a': width: 'wide' is not a number"),
        (
            '<vType id="a"/><vType id="a" length="3"/>',
            "vType 'a': there is another vType with this id",
        ),
    ],
)
def test_a_type_that_is_wrong_is_named(text, sentence):
    with pytest.raises(SceneFormatError, match=f"^r.xml: {sentence}$"):
        types(text)
