"""The lanelets of a CommonRoad file as lanes, painted lines, stop lines and crossings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np

from app.scenes.formats.commonroad.elements import points_of
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.report import Notes
from app.scenes.geometry import ring_between, without_repetitions
from app.scenes.road_map import Boundary, Lane, Marking, Points, RoadMap

MARKINGS = {
    "solid": Marking.solid,
    "broad_solid": Marking.solid,
    "solid_solid": Marking.double_solid,
    "solid_dashed": Marking.solid,
    "dashed_solid": Marking.solid,
    "dashed": Marking.dashed,
    "broad_dashed": Marking.dashed,
    "dashed_dashed": Marking.dashed,
    "curb": Marking.curb,
    "lowered_curb": Marking.curb,
    "no_marking": Marking.none,
}
ASSUMED_MARKINGS = (
    "Lines whose marking the file does not say: edges of the road and lines between opposite "
    "directions are drawn solid, lines between lanes of one direction dashed, and none where "
    "lanelets fork, join or cross."
)
# Neighbours share a line; maps from measurements repeat it with this much noise.
SAME_LINE_M = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The left or right bound of a lanelet, and the lanelet beyond it."""

    points_m: Points
    marking: Marking | None  # None: the file does not say
    neighbour: str
    same_direction: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Lanelet:
    id: str
    left: _Side
    right: _Side
    types: frozenset[str]
    before: tuple[str, ...]
    after: tuple[str, ...]
    stop_line_m: Points | None


def road_map_of(file: SourceFile, root: Element, notes: Notes) -> RoadMap:
    """The road of a file that is parsed already; empty if it has no lanelets."""
    lanelets = {}
    for element in root.iterfind("lanelet"):
        lanelet = _lanelet(file, element, notes)
        if lanelet.id in lanelets:
            raise file.wrong(f"lanelet {lanelet.id}: there are two lanelets with this id")
        lanelets[lanelet.id] = lanelet
    crossings = [lane for lane in lanelets.values() if "crosswalk" in lane.types]
    roads = {lane.id: lane for lane in lanelets.values() if "crosswalk" not in lane.types}
    stop_lines_m = (lane.stop_line_m for lane in roads.values())
    return RoadMap(
        lanes=tuple(Lane(r.id, _outline(r), _centre_line(r)) for r in roads.values()),
        boundaries=tuple(_boundaries(roads, _in_junctions(roads, root), notes)),
        stop_lines_m=tuple(line_m for line_m in stop_lines_m if line_m is not None),
        crossings_m=tuple(_outline(crossing) for crossing in crossings),
    )


def _lanelet(file: SourceFile, element: Element, notes: Notes) -> _Lanelet:
    name = (element.get("id") or "").strip()
    if not name:
        raise file.wrong("a <lanelet> has no id")
    try:
        left, right = _side(element, "left"), _side(element, "right")
        return _Lanelet(
            id=name,
            left=left,
            right=right,
            types=frozenset((e.text or "").strip() for e in element.iterfind("laneletType")),
            before=tuple(e.get("ref", "") for e in element.iterfind("predecessor")),
            after=tuple(e.get("ref", "") for e in element.iterfind("successor")),
            stop_line_m=_stop_line(element, left, right, notes),
        )
    except SceneFormatError as error:
        raise file.wrong(f"lanelet {name}: {error}") from None


def _side(element: Element, side: str) -> _Side:
    bound = element.find(f"{side}Bound")
    if bound is None:
        raise SceneFormatError(f"<{side}Bound> is missing")
    neighbour = element.find(f"adjacent{side.title()}")
    attributes = {} if neighbour is None else neighbour.attrib
    return _Side(
        points_of(bound),
        MARKINGS.get((bound.findtext("lineMarking") or "").strip()),
        attributes.get("ref", ""),
        attributes.get("drivingDir") == "same",
    )


def _stop_line(element: Element, left: _Side, right: _Side, notes: Notes) -> Points | None:
    line = element.find("stopLine")
    if line is None:
        return None
    if line.find("point") is not None:
        return points_of(line)
    notes.assumed("Stop lines without points are drawn across the end of their lanelet.")
    return np.array([left.points_m[-1], right.points_m[-1]])


def _outline(lanelet: _Lanelet) -> Points:
    return ring_between(lanelet.left.points_m, lanelet.right.points_m)


def _centre_line(lanelet: _Lanelet) -> Points | None:
    """Between the points of the two bounds, which come in pairs."""
    left_m, right_m = lanelet.left.points_m, lanelet.right.points_m
    return (left_m + right_m) / 2 if len(left_m) == len(right_m) else None


def _in_junctions(lanelets: Mapping[str, _Lanelet], root: Element) -> frozenset[str]:
    """Lanelets that lie across others, whose edges are therefore no lines on the road."""
    ways = [f"intersection/incoming/successors{way}" for way in ("Left", "Right", "Straight")]
    named = {e.get("ref", "") for way in ways for e in root.iterfind(way)}
    typed = {lane.id for lane in lanelets.values() if "intersection" in lane.types}
    leaving = Counter(ref for lane in lanelets.values() for ref in lane.before)
    entering = Counter(ref for lane in lanelets.values() for ref in lane.after)
    forking = {
        lane.id
        for lane in lanelets.values()
        if any(leaving[ref] > 1 for ref in lane.before)
        or any(entering[ref] > 1 for ref in lane.after)
    }
    return frozenset(named | typed | forking)


def _boundaries(
    lanelets: Mapping[str, _Lanelet], in_junctions: frozenset[str], notes: Notes
) -> Iterator[Boundary]:
    """Every line once, though two lanelets bring it."""
    done: set[tuple[str, str]] = set()
    for lanelet in lanelets.values():
        for name, side in (("left", lanelet.left), ("right", lanelet.right)):
            if (lanelet.id, name) in done:
                continue
            marking = side.marking
            beyond = _shared_side(lanelets, name, side)
            if beyond is not None:
                done.add(beyond[0])
                marking = marking or beyond[1].marking
            if marking is None:
                notes.assumed(ASSUMED_MARKINGS)
                marking = _usual_marking(side, lanelet.id in in_junctions, lanelets)
            line_m = without_repetitions(side.points_m)
            if marking != Marking.none and len(line_m) > 1:
                yield Boundary(line_m, marking)


def _shared_side(
    lanelets: Mapping[str, _Lanelet], name: str, side: _Side
) -> tuple[tuple[str, str], _Side] | None:
    """The neighbour's side along the same line, if it has one there."""
    neighbour = lanelets.get(side.neighbour)
    if neighbour is None:
        return None
    beyond = ("right" if name == "left" else "left") if side.same_direction else name
    other: _Side = getattr(neighbour, beyond)
    ends_m = other.points_m[[0, -1] if side.same_direction else [-1, 0]]
    if np.abs(side.points_m[[0, -1]] - ends_m).max() > SAME_LINE_M:
        return None
    return (neighbour.id, beyond), other


def _usual_marking(side: _Side, in_junction: bool, lanelets: Mapping[str, _Lanelet]) -> Marking:
    if in_junction:
        return Marking.none
    if side.neighbour not in lanelets:
        return Marking.road_edge
    return Marking.dashed if side.same_direction else Marking.solid
