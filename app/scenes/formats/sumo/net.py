"""SUMO networks: lanes from their shapes and widths, junctions, crossings, usual markings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.safe_xml import parse_stream
from app.scenes.formats.sumo.vehicle_types import CLASSES, size_m
from app.scenes.geometry import offset_polylines, ring_between, without_repetitions
from app.scenes.road_map import Boundary, Lane, Marking, Points, RoadMap
from app.scenes.scene import RoadUser

# A network of a large city; far more than a clip can show.
MAX_BYTES = 2**28
MAX_LANES = 200_000
USUAL_WIDTH_M = 3.2
# Centre lines of the two directions of a road that are this near to each other are one line.
SAME_LINE_M = 1.0
LARGEST_M = 1e9  # farther than around the Earth
LEAST_AREA_M2 = 0.01
HEAD_BYTES = 2**18  # the location comes before the first edge
_NET_OFFSET = re.compile(
    rb'<location [^>]*netOffset="(-?\d{1,12}(?:\.\d*)?),(-?\d{1,12}(?:\.\d*)?)"'
)
ALL_CLASSES = frozenset(CLASSES)
ROAD_CLASSES = frozenset(name for name, (kind, *_) in CLASSES.items() if kind != RoadUser.other)
ON_FOOT = frozenset({"pedestrian", "wheelchair"})


@dataclass(frozen=True, slots=True, eq=False)
class _Lane:
    """A lane of an edge between its left and right side, seen in its direction."""

    id: str
    centre_m: Points
    left_m: Points
    right_m: Points
    for_walking: bool

    @property
    def outline_m(self) -> Points:
        return ring_between(self.left_m, self.right_m)


@dataclass(slots=True)
class _Edge:
    id: str
    function: str
    ends: tuple[str, str]
    lanes: list[_Lane]  # from the one that keeps furthest from the middle of the road


class _Net:
    """What is collected from the elements of a network while they pass."""

    def __init__(self, file: SourceFile, notes: Notes) -> None:
        self.file = file
        self.notes = notes
        self.left_hand = False
        self.edges: list[_Edge] = []
        self.junctions: dict[str, Points] = {}
        self.lane_ids: set[str] = set()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "lane":
            self._add_lane(attributes)
        elif tag == "edge":
            ends = (attributes.get("from", ""), attributes.get("to", ""))
            name, function = attributes.get("id", ""), attributes.get("function", "normal")
            self.edges.append(_Edge(name, function, ends, []))
        elif tag == "junction" and attributes.get("shape"):
            self._add_junction(attributes)
        elif tag == "net":
            self.left_hand = attributes.get("lefthand") in ("true", "1")

    def _add_lane(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("id")
        if name is None or not self.edges:
            raise self.file.wrong("a lane has no id" if self.edges else "a lane is outside an edge")
        if name in self.lane_ids:
            raise self.file.wrong(f"lane {name!r}: there are two lanes with this id")
        if len(self.lane_ids) >= MAX_LANES:
            raise self.file.wrong(f"there are more than {MAX_LANES:,} lanes")
        self.lane_ids.add(name)
        if self.edges[-1].function == "walkingarea":
            self.notes.dropped("Walking areas at junctions are not drawn.")
            return
        allowed = _allowed(attributes)
        if not allowed & ROAD_CLASSES:
            self.notes.dropped("Lanes for trains, ships or nobody are not drawn.")
            return
        try:
            lane = _lane(name, attributes, allowed <= ON_FOOT)
        except SceneFormatError as error:
            raise self.file.wrong(f"lane {name!r}: {error}") from None
        if lane is None:
            self.notes.dropped("Lanes without length are not drawn.")
        else:
            self.edges[-1].lanes.append(lane)

    def _add_junction(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("id", "")
        try:
            outline_m = _shape(attributes["shape"])
        except SceneFormatError as error:
            raise self.file.wrong(f"junction {name!r}: {error}") from None
        # Ends of roads have a junction that is only a line.
        if _area_m2(outline_m) > LEAST_AREA_M2:
            self.junctions[f"junction {name}"] = outline_m


def read_sumo_net_map(file: SourceFile, options: ReadOptions, notes: Notes) -> RoadMap:
    """The road of a network; SUMO has no markings, so the usual ones are drawn."""
    net = _Net(file, notes)
    with file.open(MAX_BYTES) as stream:
        parse_stream(file, stream, net.start)
    roads = [edge for edge in net.edges if edge.function != "crossing"]
    if not any(edge.lanes for edge in roads):
        raise file.wrong("there is no lane for road users in the network")
    notes.assumed(
        "A SUMO network has no markings: lines between lanes of one direction are drawn dashed, "
        "between directions and at the edges solid, and none inside junctions."
    )
    lanes = [lane for edge in roads for lane in edge.lanes]
    surfaces = [Lane(lane.id, lane.outline_m, lane.centre_m) for lane in lanes]
    junctions = [Lane(name, outline_m) for name, outline_m in net.junctions.items()]
    crossings = [lane for edge in net.edges if edge.function == "crossing" for lane in edge.lanes]
    return RoadMap(
        lanes=(*surfaces, *junctions),
        boundaries=tuple(_boundaries([e for e in roads if e.lanes], net.left_hand)),
        crossings_m=tuple(lane.outline_m for lane in crossings),
    )


def net_offset_m(file: SourceFile) -> tuple[float, float]:
    """What SUMO added to the places of the network when it was made; 0, 0 if it does not say."""
    location = _NET_OFFSET.search(file.head(HEAD_BYTES))
    return (float(location[1]), float(location[2])) if location else (0.0, 0.0)


def _allowed(attributes: Mapping[str, str]) -> frozenset[str]:
    """Classes that may use a lane; all known ones if the net does not say."""
    if "allow" in attributes and attributes["allow"] != "all":
        return frozenset(attributes["allow"].split())
    if attributes.get("disallow") == "all":
        return frozenset()
    return ALL_CLASSES.difference(attributes.get("disallow", "").split())


def _lane(name: str, attributes: Mapping[str, str], for_walking: bool) -> _Lane | None:
    if "shape" not in attributes:
        raise SceneFormatError("shape is missing")
    centre_m = _shape(attributes["shape"])
    if len(centre_m) < 2:
        return None
    half_m = size_m(attributes, "width", USUAL_WIDTH_M) / 2
    left_m, right_m = offset_polylines(centre_m, (half_m, -half_m))
    return _Lane(name, centre_m, left_m, right_m, for_walking)


def _shape(text: str) -> Points:
    """Points of `x,y x,y` or `x,y,z x,y,z`, none of them twice in a row."""
    try:
        points_m = np.array([[float(n) for n in point.split(",")[:2]] for point in text.split()])
    except ValueError:
        raise SceneFormatError(f"shape: {text[:60]!r} is not a list of points x,y") from None
    flat = points_m.ndim == 2 and points_m.shape[1] == 2
    if not (flat and (np.abs(points_m) <= LARGEST_M).all()):
        raise SceneFormatError(f"shape: {text[:60]!r} is not a list of points x,y")
    return without_repetitions(points_m)


def _area_m2(outline_m: Points) -> float:
    x_m, y_m = (outline_m - outline_m[0]).T  # so that the last side adds nothing
    return float(abs(x_m[:-1] @ y_m[1:] - x_m[1:] @ y_m[:-1]) / 2)


def _boundaries(edges: Iterable[_Edge], left_hand: bool) -> Iterator[Boundary]:
    """Of each road outside junctions, from its edge to its middle."""
    roads = [edge for edge in edges if edge.function != "internal"]
    middles = _middles(roads, left_hand)
    for edge in roads:
        outer, inner = ("left_m", "right_m") if left_hand else ("right_m", "left_m")
        yield Boundary(getattr(edge.lanes[0], outer), Marking.road_edge)
        for lane, next_lane in zip(edge.lanes[:-1], edge.lanes[1:], strict=True):
            kerb = lane.for_walking != next_lane.for_walking
            yield Boundary(getattr(lane, inner), Marking.curb if kerb else Marking.dashed)
        if (marking := middles[edge.id]) is not None:
            yield Boundary(getattr(edge.lanes[-1], inner), marking)


def _middles(roads: Iterable[_Edge], left_hand: bool) -> dict[str, Marking | None]:
    """How the inner side of each edge is painted; None where the opposite edge brings the line."""
    inner = "right_m" if left_hand else "left_m"
    by_ends: dict[tuple[str, str], list[_Edge]] = {}
    found: dict[str, Marking | None] = {}
    for edge in roads:
        line_m: Points = getattr(edge.lanes[-1], inner)
        opposite = [
            other
            for other in by_ends.get((edge.ends[1], edge.ends[0]), [])
            if _is_same_line(line_m, getattr(other.lanes[-1], inner)[::-1])
        ]
        found[edge.id] = None if opposite else Marking.road_edge
        for other in opposite:
            found[other.id] = Marking.solid
        by_ends.setdefault(edge.ends, []).append(edge)
    return found


def _is_same_line(one_m: Points, other_m: Points) -> bool:
    return bool(np.hypot(*(one_m[[0, -1]] - other_m[[0, -1]]).T).max() <= SAME_LINE_M)
