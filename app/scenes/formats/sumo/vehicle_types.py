"""Vehicle types of SUMO: from route and additional files, else SUMO's defaults per class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.safe_xml import parse_stream
from app.scenes.scene import RoadUser

MAX_TYPES = 100_000

# Kind, length and width in metres of each vehicle class, as SUMO 1.28 has them where a vType does
# not say (sumo.dlr.de/docs/Vehicle_Type_Parameter_Defaults.html).
CLASSES: dict[str, tuple[RoadUser, float, float]] = {
    "passenger": (RoadUser.car, 5.0, 1.8),
    "private": (RoadUser.car, 5.0, 1.8),
    "taxi": (RoadUser.car, 5.0, 1.8),
    "hov": (RoadUser.car, 5.0, 1.8),
    "vip": (RoadUser.car, 5.0, 1.8),
    "evehicle": (RoadUser.car, 5.0, 1.8),
    "authority": (RoadUser.car, 5.0, 1.8),
    "army": (RoadUser.car, 5.0, 1.8),
    "custom1": (RoadUser.car, 5.0, 1.8),
    "custom2": (RoadUser.car, 5.0, 1.8),
    "ignoring": (RoadUser.car, 5.0, 1.8),
    "delivery": (RoadUser.van, 6.5, 2.16),
    "emergency": (RoadUser.van, 6.5, 2.16),
    "truck": (RoadUser.truck, 7.1, 2.4),
    "trailer": (RoadUser.truck, 16.5, 2.55),
    "bus": (RoadUser.bus, 12.0, 2.5),
    "coach": (RoadUser.bus, 14.0, 2.6),
    "motorcycle": (RoadUser.motorcycle, 2.2, 0.9),
    "moped": (RoadUser.motorcycle, 2.1, 0.78),
    "bicycle": (RoadUser.bicycle, 1.6, 0.65),
    "pedestrian": (RoadUser.pedestrian, 0.215, 0.478),
    "tram": (RoadUser.other, 22.0, 2.4),
    "rail_urban": (RoadUser.other, 109.5, 3.0),
    "rail": (RoadUser.other, 135.0, 2.84),
    "rail_electric": (RoadUser.other, 200.0, 2.95),
    "rail_fast": (RoadUser.other, 200.0, 2.95),
    "ship": (RoadUser.other, 17.0, 4.0),
    # In newer versions only, and not in that table: common sizes.
    "scooter": (RoadUser.motorcycle, 1.2, 0.5),
    "wheelchair": (RoadUser.pedestrian, 0.8, 0.5),
}
USUAL_CLASS = "passenger"
# The part before the first slash of a guiShape, such as truck/semitrailer.
GUI_SHAPES = {
    "passenger": RoadUser.car,
    "evehicle": RoadUser.car,
    "taxi": RoadUser.car,
    "police": RoadUser.car,
    "delivery": RoadUser.van,
    "emergency": RoadUser.van,
    "truck": RoadUser.truck,
    "firebrigade": RoadUser.truck,
    "bus": RoadUser.bus,
    "motorcycle": RoadUser.motorcycle,
    "moped": RoadUser.motorcycle,
    "scooter": RoadUser.motorcycle,
    "bicycle": RoadUser.bicycle,
    "pedestrian": RoadUser.pedestrian,
}


@dataclass(frozen=True, slots=True)
class VehicleType:
    """How large vehicles of a type are; `sized` if the files say so themselves."""

    kind: RoadUser
    length_m: float
    width_m: float
    sized: bool


def type_of_class(name: str) -> VehicleType:
    """A vehicle of a class about which nothing else is known."""
    return VehicleType(*CLASSES[name], sized=False)


# Types that SUMO knows without a file; a file may give them other values.
BUILT_IN = {
    "DEFAULT_VEHTYPE": type_of_class("passenger"),
    "DEFAULT_TAXITYPE": type_of_class("taxi"),
    "DEFAULT_BIKETYPE": type_of_class("bicycle"),
    "DEFAULT_PEDTYPE": type_of_class("pedestrian"),
    "DEFAULT_RAILTYPE": type_of_class("rail"),
}


def read_vehicle_types(files: Sequence[SourceFile]) -> dict[str, VehicleType]:
    """The vTypes of all files, also those inside distributions, and SUMO's own."""
    types: dict[str, VehicleType] = {}
    for file in files:
        _add_types(file, types)
    return {**BUILT_IN, **types}


def find_type(types: Mapping[str, VehicleType], name: str) -> VehicleType | None:
    """The type of that name; SUMO calls a vehicle's own variant of a type TYPE@VEHICLE."""
    return types.get(name) or types.get(name.partition("@")[0])


def size_m(attributes: Mapping[str, str], name: str, usual_m: float) -> float:
    """The length or width that an element has, or else the usual one."""
    if name not in attributes:
        return usual_m
    try:
        found_m = float(attributes[name])
    except ValueError:
        raise SceneFormatError(f"{name}: {attributes[name][:40]!r} is not a number") from None
    if not (isfinite(found_m) and found_m > 0):
        raise SceneFormatError(f"{name}: {found_m:g} is not a positive number")
    return found_m


def _add_types(file: SourceFile, types: dict[str, VehicleType]) -> None:
    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag not in ("vType", "vtype"):
            return
        name = attributes.get("id")
        if name is None:
            raise file.wrong("a <vType> has no id")
        try:
            found = _vehicle_type(attributes)
        except SceneFormatError as error:
            raise file.wrong(f"vType {name!r}: {error}") from None
        if types.setdefault(name, found) != found:
            raise file.wrong(f"vType {name!r}: there is another vType with this id")
        if len(types) > MAX_TYPES:
            raise file.wrong(f"there are more than {MAX_TYPES:,} vTypes")

    with file.open() as stream:
        parse_stream(file, stream, start)


def _vehicle_type(attributes: Mapping[str, str]) -> VehicleType:
    name = attributes.get("vClass", USUAL_CLASS)
    # Classes for ships, planes and cable cars come and go; who drives on a road does not.
    kind, length_m, width_m = CLASSES.get(name, (RoadUser.other, *CLASSES[USUAL_CLASS][1:]))
    return VehicleType(
        kind=GUI_SHAPES.get(attributes.get("guiShape", "").partition("/")[0], kind),
        length_m=size_m(attributes, "length", length_m),
        width_m=size_m(attributes, "width", width_m),
        sized="length" in attributes and "width" in attributes,
    )
