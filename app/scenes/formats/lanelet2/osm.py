"""The elements of an OpenStreetMap XML file: nodes, ways and relations, every reference checked."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, isfinite, nan
from typing import TypeVar

import numpy as np

from app.scenes.formats.files import SourceFile
from app.scenes.formats.safe_xml import parse_stream
from app.scenes.scene import Floats

# Two and a half thousand lanelets take 10 MB. An element costs some 250 bytes of memory.
MAX_BYTES = 128 * 2**20
MAX_ELEMENTS = 2_500_000
LONGEST_ID = 40
# What may place a node, and the largest magnitude: the first four are attributes, the last two
# tags. Nothing on Earth is further from a map's origin than its circumference.
LIMITS = {
    "lat": 90.0,
    "lon": 180.0,
    "x": 5e7,
    "y": 5e7,
    "local_x": 5e7,
    "local_y": 5e7,
}
ATTRIBUTES = ("lat", "lon", "x", "y")
CHECKED_RELATIONS = ("lanelet", "multipolygon", "regulatory_element")

Tags = dict[str, str]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Way:
    """A line through nodes."""

    id: str
    nodes: list[str] = field(default_factory=list)
    tags: Tags = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Member:
    """What a relation refers to, and as what."""

    type: str
    ref: str
    role: str


@dataclass(frozen=True, slots=True)
class Relation:
    """Something made of ways and other relations."""

    id: str
    members: list[Member] = field(default_factory=list)
    tags: Tags = field(default_factory=dict)

    def ways(self, role: str) -> list[str]:
        """Ids of the ways in a role, in the order of the file."""
        return [m.ref for m in self.members if m.type == "way" and m.role == role]


@dataclass(frozen=True, slots=True, eq=False)
class OsmFile:
    """All elements by their ids; those of nodes, ways and relations are apart from each other."""

    nodes: dict[str, int]  # id to place in the arrays of `values`
    values: Mapping[str, Floats]  # each (n_nodes,), nan where a node has none, by `LIMITS`
    ways: dict[str, Way]
    relations: dict[str, Relation]
    n_deleted: int


def read_osm(file: SourceFile) -> OsmFile:
    """The elements of the file; those that an editor has marked as deleted are only counted."""
    reader = _Reader(file)
    with file.open(MAX_BYTES) as stream:
        parse_stream(file, stream, reader.start, reader.end)
    values = {name: np.array(column) for name, column in reader.values.items()}
    osm = OsmFile(reader.nodes, values, reader.ways, reader.relations, reader.n_deleted)
    _check_references(file, osm)
    return osm


class _Reader:
    """Takes the elements as they come; what is inside belongs to the element last begun."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.nodes: dict[str, int] = {}
        self.values = {name: array("d") for name in LIMITS}
        self.ways: dict[str, Way] = {}
        self.relations: dict[str, Relation] = {}
        self.n_elements = self.n_deleted = 0
        self.current: str | Way | Relation | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.n_elements += 1
        if self.n_elements == 1 and tag != "osm":
            raise self.file.wrong(f"the outermost element is <{tag[:LONGEST_ID]}>, not <osm>")
        if self.n_elements > MAX_ELEMENTS:
            raise self.file.wrong(f"there are more than {MAX_ELEMENTS:,} elements")
        if tag in ("node", "way", "relation"):
            self.begin(tag, attributes)
        elif tag == "tag":
            self.add_tag(attributes.get("k", ""), attributes.get("v", ""))
        elif tag == "nd" and isinstance(self.current, Way):
            self.current.nodes.append(attributes.get("ref", ""))
        elif tag == "member" and isinstance(self.current, Relation):
            named = (attributes.get(name, "") for name in ("type", "ref", "role"))
            self.current.members.append(Member(*named))

    def end(self, tag: str) -> None:
        if tag in ("node", "way", "relation"):
            self.current = None

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        if attributes.get("action") == "delete":
            self.n_deleted += 1
            return
        own_id = attributes.get("id", "")
        if not own_id or len(own_id) > LONGEST_ID:
            raise self.file.wrong(f"a {tag} has {'a very long' if own_id else 'no'} id")
        if tag == "node":
            self.begin_node(own_id, attributes)
        elif tag == "way":
            self.current = self.put(tag, self.ways, own_id, Way(own_id))
        else:
            self.current = self.put(tag, self.relations, own_id, Relation(own_id))

    def begin_node(self, own_id: str, attributes: dict[str, str]) -> None:
        self.put("node", self.nodes, own_id, len(self.nodes))
        self.current = own_id
        for name, column in self.values.items():
            text = attributes.get(name) if name in ATTRIBUTES else None
            column.append(self.number(name, text) if text else nan)

    def add_tag(self, key: str, value: str) -> None:
        if isinstance(self.current, str):
            if key in ("local_x", "local_y"):
                self.values[key][-1] = self.number(key, value)
        elif self.current is not None:
            self.current.tags[key] = value

    def put(self, tag: str, known: dict[str, Value], own_id: str, element: Value) -> Value:
        if own_id in known:
            raise self.file.wrong(f"{tag} {own_id} is there twice")
        known[own_id] = element
        return element

    def number(self, name: str, text: str) -> float:
        """The value of the node last begun; nan stands for no value and is none itself."""
        try:
            value = float(text)
        except ValueError:
            value = inf
        limit = LIMITS[name]
        if abs(value) <= limit:
            return value
        expected = f"within -{limit:g} to {limit:g}" if isfinite(value) else "a finite number"
        raise self.file.wrong(
            f"node {self.current}: {name} {text[:LONGEST_ID]!r} is not {expected}"
        )


def _check_references(file: SourceFile, osm: OsmFile) -> None:
    for way in osm.ways.values():
        if not way.nodes:
            raise file.wrong(f"way {way.id} has no nodes")
        if missing := [ref for ref in way.nodes if ref not in osm.nodes]:
            raise file.wrong(
                f"way {way.id} names node {missing[0][:LONGEST_ID]}, which is not there"
            )
    for relation in osm.relations.values():
        # Other relations, such as bus routes, are not used and reach beyond a cut-out map.
        if relation.tags.get("type") in CHECKED_RELATIONS:
            _check_members(file, osm, relation)


def _check_members(file: SourceFile, osm: OsmFile, relation: Relation) -> None:
    for member in relation.members:
        if member.type == "way" and member.ref not in osm.ways:
            raise file.wrong(
                f"{relation.tags['type']} {relation.id} names way {member.ref[:LONGEST_ID]}, "
                "which is not there"
            )
