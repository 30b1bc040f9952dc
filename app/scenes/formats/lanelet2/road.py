"""Lanelet2 maps: lanelets become lanes and crossings, lines become boundaries and stop lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.scenes.formats.files import SourceFile
from app.scenes.formats.lanelet2.bounds import centre_line_m
from app.scenes.formats.lanelet2.crossings import MAX_LINES, find_pairs, paired_outline_m
from app.scenes.formats.lanelet2.lanelets import Lanelet, LaneletMap
from app.scenes.formats.lanelet2.osm import Way, read_osm
from app.scenes.formats.lanelet2.places import node_points_m
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.geometry import ring_between
from app.scenes.road_map import Boundary, Lane, Marking, Points, RoadMap

ROADS = frozenset(
    {"road", "highway", "play_street", "emergency_lane", "bus_lane", "bicycle_lane", "exit"}
    | {"road_shoulder"}
)
NOT_DRIVEN = frozenset({"walkway", "shared_walkway", "stairs", "pedestrian_lane", "rail"})
PAVED_AREAS = frozenset({"parking", "freespace", "exit"})
PAINTED = frozenset({"line_thin", "line_thick"})
PAINTED_MARKINGS = {
    "solid": Marking.solid,
    "dashed": Marking.dashed,
    "solid_solid": Marking.double_solid,
    "solid_dashed": Marking.solid,
    "dashed_solid": Marking.solid,
}
CROSSING_LINES = frozenset({"pedestrian_marking", "zebra_marking"})
MARKINGS = {
    "curbstone": Marking.curb,
    "road_border": Marking.road_edge,
    "guard_rail": Marking.guard_rail,
    "jersey_barrier": Marking.guard_rail,
    "fence": Marking.guard_rail,
    "wall": Marking.guard_rail,
    "keepout": Marking.solid,
    "bike_marking": Marking.dashed,
    "pedestrian_marking": Marking.dashed,
    "zebra_marking": Marking.dashed,
}
MOST_NAMES, LONGEST_NAME = 8, 24


def read_lanelet2_map(file: SourceFile, options: ReadOptions, notes: Notes) -> RoadMap:
    """The road that the file describes; what of it is left out is noted."""
    lanelet_map = open_lanelet_map(file, options, notes)
    lanelets = list(lanelet_map.lanelets())
    if not lanelets:
        raise file.wrong("there is no relation of the type lanelet")
    crossings_m, crossing_ways = _crossings(lanelet_map, lanelets, notes)
    stop_ways = _stop_ways(lanelet_map, notes)
    lines = [way for way in lanelet_map.osm.ways.values() if len(way.nodes) > 1]
    notes.dropped("Lines of a single point were left out.", len(lanelet_map.osm.ways) - len(lines))
    drawn_otherwise = crossing_ways | stop_ways
    others = [way for way in lines if way.id not in drawn_otherwise]
    return RoadMap(
        lanes=(*_lanes(lanelets, notes), *_areas(lanelet_map, notes)),
        boundaries=tuple(_boundaries(lanelet_map, others, notes)),
        stop_lines_m=tuple(lanelet_map.way_m(way.id) for way in lines if way.id in stop_ways),
        crossings_m=tuple(crossings_m),
    )


def open_lanelet_map(file: SourceFile, options: ReadOptions, notes: Notes) -> LaneletMap:
    """The elements of the file with their places in metres."""
    osm = read_osm(file)
    notes.dropped("Elements that an editor has marked as deleted were left out.", osm.n_deleted)
    return LaneletMap(file, osm, node_points_m(file, osm, options, notes))


def _lanes(lanelets: list[Lanelet], notes: Notes) -> Iterator[Lane]:
    left_out = [a.subtype for a in lanelets if a.subtype in NOT_DRIVEN]
    unknown = [a.subtype for a in lanelets if a.subtype not in ROADS | NOT_DRIVEN | {"crosswalk"}]
    notes.dropped(
        f"Lanelets that nobody drives on were left out: {_names(left_out)}.", len(left_out)
    )
    notes.assumed(
        f"Lanelets of unknown subtypes were taken as lanes: {_names(unknown)}.", len(unknown)
    )
    for lanelet in lanelets:
        if lanelet.subtype not in NOT_DRIVEN | {"crosswalk"}:
            centre_m = lanelet.centre_m
            if centre_m is None:
                centre_m = centre_line_m(lanelet.left_m, lanelet.right_m)
            yield Lane(lanelet.id, ring_between(lanelet.left_m, lanelet.right_m), centre_m)


def _areas(lanelet_map: LaneletMap, notes: Notes) -> Iterator[Lane]:
    """Paved areas are lanes without a direction."""
    areas = lanelet_map.relations("multipolygon")
    left_out = [kind for a in areas if (kind := a.tags.get("subtype", "")) not in PAVED_AREAS]
    notes.dropped(f"Areas that nobody drives on were left out: {_names(left_out)}.", len(left_out))
    paved = [area for area in areas if area.tags.get("subtype") in PAVED_AREAS]
    notes.dropped("Holes in paved areas were filled.", sum(bool(a.ways("inner")) for a in paved))
    for area, ring_m in zip(paved, lanelet_map.rings_m(paved), strict=True):
        yield Lane(area.id, ring_m)


def _crossings(
    lanelet_map: LaneletMap, lanelets: list[Lanelet], notes: Notes
) -> tuple[list[Points], set[str]]:
    """Outlines of the crossings, and the lines at their sides, which are drawn with them."""
    lines = {w.id for w in lanelet_map.osm.ways.values() if w.tags.get("type") in CROSSING_LINES}
    between = [a for a in lanelets if a.subtype != "crosswalk" and lines.issuperset(a.ways)]
    notes.inferred(
        "Lanelets between two pedestrian or zebra markings are drawn as crossings, too.",
        len(between),
    )
    found = [a for a in lanelets if a.subtype == "crosswalk"] + between
    outlines_m = [ring_between(a.left_m, a.right_m) for a in found]
    of_crossings = lines & {way_id for a in found for way_id in a.ways}
    lone = lines - {way_id for a in lanelets for way_id in a.ways}
    paired_m, paired = _paired_crossings(lanelet_map, lone, notes)
    return outlines_m + paired_m, of_crossings | paired


def _paired_crossings(
    lanelet_map: LaneletMap, lone: set[str], notes: Notes
) -> tuple[list[Points], set[str]]:
    ways = [w.id for w in lanelet_map.osm.ways.values() if w.id in lone and len(w.nodes) > 1]
    lines_m = [lanelet_map.way_m(way_id) for way_id in ways]
    pairs = find_pairs(lines_m)
    notes.dropped(
        f"More than {MAX_LINES:,} pedestrian and zebra markings were not searched for crossings.",
        int(len(lines_m) > MAX_LINES),
    )
    notes.inferred(
        "Two pedestrian or zebra markings side by side were taken as the sides of a crossing.",
        len(pairs),
    )
    outlines_m = [paired_outline_m(lines_m[first], lines_m[second]) for first, second in pairs]
    return outlines_m, {ways[i] for pair in pairs for i in pair}


def _stop_ways(lanelet_map: LaneletMap, notes: Notes) -> set[str]:
    """Stop lines by their type, and lines at which a rule says to stop, unless they are virtual."""
    ways = lanelet_map.osm.ways
    rules = lanelet_map.relations("regulatory_element")
    kinds = [rule.tags.get("subtype", "") for rule in rules]
    notes.dropped(
        f"Regulatory elements were left out, except for their stop lines: {_names(kinds)}.",
        len(rules),
    )
    by_rule = {way_id for rule in rules for way_id in rule.ways("ref_line")}
    seen = {way_id for way_id in by_rule if ways[way_id].tags.get("type") != "virtual"}
    return seen | {way.id for way in ways.values() if way.tags.get("type") == "stop_line"}


def _boundaries(lanelet_map: LaneletMap, ways: list[Way], notes: Notes) -> Iterator[Boundary]:
    kinds = Counter(way.tags.get("type", "") for way in ways)
    notes.dropped("Virtual lines, which nobody sees, were left out.", kinds.pop("virtual", 0))
    left_out = [kind for kind in kinds.elements() if kind not in MARKINGS.keys() | PAINTED]
    notes.dropped(f"Lines that are not drawn were left out: {_names(left_out)}.", len(left_out))
    for way in ways:
        kind = way.tags.get("type", "")
        if kind in PAINTED:
            yield Boundary(lanelet_map.way_m(way.id), _painted(way, notes))
        elif kind in MARKINGS:
            yield Boundary(lanelet_map.way_m(way.id), MARKINGS[kind])


def _painted(way: Way, notes: Notes) -> Marking:
    subtype = way.tags.get("subtype", "")
    if subtype in ("solid_dashed", "dashed_solid"):
        notes.assumed("Lines that are solid on one side and dashed on the other are drawn solid.")
    if subtype not in PAINTED_MARKINGS:
        notes.assumed("Painted lines that are not said to be solid or dashed are drawn solid.")
    return PAINTED_MARKINGS.get(subtype, Marking.solid)


def _names(kinds: list[str]) -> str:
    """What they are called, each once, as far as a sentence can hold."""
    names = sorted({kind[:LONGEST_NAME] or "without a type" for kind in kinds})
    return ", ".join(names[:MOST_NAMES]) + (" and others" if len(names) > MOST_NAMES else "")
