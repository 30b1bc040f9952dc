"""The obstacles of a CommonRoad file: what they are, how large, and where at each time step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from math import hypot, isnan, nan
from xml.etree.ElementTree import Element

import numpy as np

from app.scenes.formats.commonroad.elements import number, number_of, points_of
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.report import Notes
from app.scenes.geometry import box_corners_m
from app.scenes.road_map import Points
from app.scenes.scene import RoadUser, Track

OBSTACLES = frozenset({"obstacle", "staticObstacle", "dynamicObstacle"})
KINDS = {
    "car": RoadUser.car,
    "taxi": RoadUser.car,
    "priorityVehicle": RoadUser.car,
    "parkedVehicle": RoadUser.car,
    "truck": RoadUser.truck,
    "bus": RoadUser.bus,
    "motorcycle": RoadUser.motorcycle,
    "bicycle": RoadUser.bicycle,
    "pedestrian": RoadUser.pedestrian,
}
# A scenario of a day at ten steps in a second; more is not a time step.
LAST_STEP = 1_000_000

State = tuple[int, float, float, float, float, float]
"""Time step, x, y, heading, speed and acceleration; nan where the file has none."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A box, and where it lies to what the file calls the position and orientation."""

    length_m: float
    width_m: float
    ahead_m: float = 0.0
    left_m: float = 0.0
    turned_rad: float = 0.0

    def placed_on(self, track: Track) -> Track:
        """The track of the box's centre and front."""
        if not (self.ahead_m or self.left_m or self.turned_rad):
            return track
        cos, sin = np.cos(track.heading_rad), np.sin(track.heading_rad)
        return replace(
            track,
            x_m=track.x_m + self.ahead_m * cos - self.left_m * sin,
            y_m=track.y_m + self.ahead_m * sin + self.left_m * cos,
            heading_rad=track.heading_rad + self.turned_rad,
        )


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Somebody or something on the road; what stands has one state."""

    id: str
    kind: RoadUser
    shape: Shape
    states: list[State]
    stands: bool


def obstacles_of(file: SourceFile, root: Element, notes: Notes) -> list[Obstacle]:
    """All obstacles with exact states, in the order of the file."""
    found = [_obstacle(file, element, notes) for element in root if element.tag in OBSTACLES]
    for name, n in Counter(obstacle.id for obstacle in found).items():
        if n > 1:
            raise file.wrong(f"obstacle {name}: there are {n} obstacles with this id")
    return found


def _obstacle(file: SourceFile, element: Element, notes: Notes) -> Obstacle:
    name = (element.get("id") or "").strip()
    if not name:
        raise file.wrong(f"a <{element.tag}> has no id")
    try:
        stands = _stands(element)
        states = [_state(state) for state in _state_elements(element, stands)]
        if stands and isnan(states[0][3]):
            notes.assumed("Static obstacles without an orientation point along the x axis.")
            states = [(*states[0][:3], 0.0, 0.0, 0.0)]
        return Obstacle(name, _kind(element, notes), _shape(element, notes), states, stands)
    except SceneFormatError as error:
        raise file.wrong(f"obstacle {name}: {error}") from None


def _stands(element: Element) -> bool:
    if element.tag != "obstacle":
        return element.tag == "staticObstacle"
    role = (element.findtext("role") or "").strip()
    if role not in ("static", "dynamic"):
        raise SceneFormatError(f"the role is {role!r}, but static or dynamic was expected")
    return role == "static"


def _state_elements(element: Element, stands: bool) -> Iterator[Element]:
    if element.find("occupancySet") is not None:
        raise SceneFormatError(
            "it is predicted by an occupancy set; set-based predictions have no trajectory to film"
        )
    initial = element.find("initialState")
    if initial is None:
        raise SceneFormatError("<initialState> is missing")
    return chain([initial], () if stands else element.iterfind("trajectory/state"))


def _state(element: Element) -> State:
    step = _time_step(element)
    try:
        x_m, y_m = _position(element)
        heading_rad = _exact(element, "orientation")
        speed_mps, acceleration_mps2 = _exact(element, "velocity"), _exact(element, "acceleration")
        if element.find("velocityY") is not None:
            # A point mass: its velocity and acceleration are given along x and y.
            speed_mps, acceleration_mps2 = hypot(speed_mps, _exact(element, "velocityY")), nan
    except SceneFormatError as error:
        raise SceneFormatError(f"time step {step}: {error}") from None
    return step, x_m, y_m, heading_rad, speed_mps, acceleration_mps2


def _time_step(element: Element) -> int:
    time = _exact(element, "time")
    if isnan(time):
        raise SceneFormatError(f"a <{element.tag}> has no time")
    if time != int(time) or not 0 <= time <= LAST_STEP:
        raise SceneFormatError(f"the time {time:g} is not a number of steps")
    return int(time)


def _position(element: Element) -> tuple[float, float]:
    position = element.find("position")
    if position is None:
        raise SceneFormatError("<position> is missing")
    point = position.find("point")
    if point is None:
        areas = " and ".join(child.tag for child in position) or "nothing"
        raise SceneFormatError(
            f"the position is given as {areas} instead of a point; "
            "set-based predictions have no trajectory to film"
        )
    return number_of(point, "x"), number_of(point, "y")


def _exact(element: Element, tag: str) -> float:
    """The value of a state; nan where it has none."""
    value = element.find(tag)
    if value is None:
        return nan
    exact = value.find("exact")
    if exact is None:
        raise SceneFormatError(
            f"the {tag} is not exact but an interval; "
            "set-based predictions have no trajectory to film"
        )
    return number(exact.text, tag)


def _kind(element: Element, notes: Notes) -> RoadUser:
    name = (element.findtext("type") or "unknown").strip()
    if name not in KINDS:
        notes.assumed(f"Obstacles of the type {name[:40]} are drawn as boxes of the kind 'other'.")
    return KINDS.get(name, RoadUser.other)


def _shape(element: Element, notes: Notes) -> Shape:
    parts = element.findall("shape/*")
    if not parts:
        raise SceneFormatError("<shape> is missing or empty")
    if len(parts) == 1 and parts[0].tag == "rectangle":
        return _rectangle(parts[0])
    if len(parts) == 1 and parts[0].tag == "circle":
        radius_m = _size(parts[0], "radius")
        return Shape(2 * radius_m, 2 * radius_m, *_centre(parts[0]))
    notes.assumed("Obstacles that are polygons or of several parts are drawn as the box around.")
    return _box_around(np.vstack([_outline(part) for part in parts]))


def _rectangle(element: Element) -> Shape:
    turned_rad = 0.0 if element.find("orientation") is None else number_of(element, "orientation")
    length_m, width_m = _size(element, "length"), _size(element, "width")
    return Shape(length_m, width_m, *_centre(element), turned_rad)


def _size(element: Element, tag: str) -> float:
    size_m = number_of(element, tag)
    if size_m <= 0:
        raise SceneFormatError(f"shape: the {tag} {size_m:g} is not positive")
    return size_m


def _centre(element: Element) -> tuple[float, float]:
    centre = element.find("center")
    if centre is not None:
        return number_of(centre, "x"), number_of(centre, "y")
    shift = element.find("originXShift")
    # Where the file's position lies on the vehicle's long axis, counted from the middle.
    return (0.0 if shift is None else -number(shift.text, "originXShift")), 0.0


def _outline(element: Element) -> Points:
    if element.tag == "polygon":
        return points_of(element, at_least=3)
    if element.tag == "rectangle":
        box = _rectangle(element)
        return box_corners_m(box.ahead_m, box.left_m, box.turned_rad, box.length_m, box.width_m)
    if element.tag == "circle":
        radius_m, centre_m = _size(element, "radius"), np.array(_centre(element))
        return np.array([centre_m - radius_m, centre_m + radius_m])
    raise SceneFormatError(f"shape: <{element.tag}> is none of rectangle, circle and polygon")


def _box_around(points_m: Points) -> Shape:
    low_m, high_m = points_m.min(axis=0), points_m.max(axis=0)
    length_m, width_m = (float(size_m) for size_m in high_m - low_m)
    if length_m <= 0 or width_m <= 0:
        raise SceneFormatError("shape: the polygon has no area")
    ahead_m, left_m = (float(middle_m) for middle_m in (low_m + high_m) / 2)
    return Shape(length_m, width_m, ahead_m, left_m)
