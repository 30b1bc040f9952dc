"""Lanelets and areas of a Lanelet2 file, as geometry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.scenes.formats.files import SourceFile
from app.scenes.formats.lanelet2.bounds import aligned, joined, length_m
from app.scenes.formats.lanelet2.osm import OsmFile, Relation
from app.scenes.road_map import Points

# A bound is one line in Lanelet2; some editors cut it in a few. An area has up to some dozens.
MAX_PIECES = 1_000
# Lanelets may share a line, so that a small file could ask for points without end.
MAX_POINTS = 5_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Lanelet:
    """A piece of lane between two bounds, both running forwards."""

    id: str
    subtype: str
    ways: tuple[str, ...]  # of both bounds
    left_m: Points
    right_m: Points
    centre_m: Points | None  # where the file gives one


@dataclass(frozen=True, slots=True, eq=False)
class LaneletMap:
    """A file, and the place of each of its nodes."""

    file: SourceFile
    osm: OsmFile
    points_m: Points

    def relations(self, kind: str) -> list[Relation]:
        """Those of a type, in the order of the file."""
        return [r for r in self.osm.relations.values() if r.tags.get("type") == kind]

    def way_m(self, way_id: str) -> Points:
        """(n, 2) array of the points of a way."""
        return self.line_m(self.osm.ways[way_id].nodes)

    def line_m(self, nodes: list[str]) -> Points:
        """(n, 2) array of the places of nodes."""
        line_m: Points = self.points_m[[self.osm.nodes[node] for node in nodes]]
        return line_m

    def lanelets(self) -> Iterator[Lanelet]:
        """Every lanelet, in the order of the file."""
        n_points = 0
        for relation in self.relations("lanelet"):
            lanelet = self._lanelet(relation)
            n_points += len(lanelet.left_m) + len(lanelet.right_m)
            self._check_points("lanelets", n_points)
            yield lanelet

    def rings_m(self, areas: Iterable[Relation]) -> Iterator[Points]:
        """(n, 2) array of the outer corners of each area, each corner once."""
        n_points = 0
        for area in areas:
            ring_m = self._ring_m(area)
            n_points += len(ring_m)
            self._check_points("areas", n_points)
            yield ring_m

    def _check_points(self, what: str, n_points: int) -> None:
        if n_points > MAX_POINTS:
            raise self.file.wrong(f"the {what} have more than {MAX_POINTS:,} points")

    def _ring_m(self, area: Relation) -> Points:
        nodes = self._joined(area, "outer")
        if nodes[0] != nodes[-1] or len(nodes) < 4:
            raise self.file.wrong(f"multipolygon {area.id}: its outer ways are no closed ring")
        return self.line_m(nodes[:-1])

    def _lanelet(self, relation: Relation) -> Lanelet:
        left_m, right_m = aligned(self._bound_m(relation, "left"), self._bound_m(relation, "right"))
        return Lanelet(
            id=relation.id,
            subtype=relation.tags.get("subtype", "road"),
            ways=(*relation.ways("left"), *relation.ways("right")),
            left_m=left_m,
            right_m=right_m,
            centre_m=self._bound_m(relation, "centerline") if relation.ways("centerline") else None,
        )

    def _bound_m(self, relation: Relation, role: str) -> Points:
        bound_m = self.line_m(self._joined(relation, role))
        if len(bound_m) < 2 or length_m(bound_m) == 0:
            raise self.file.wrong(f"lanelet {relation.id}: its {role} bound has no length")
        return bound_m

    def _joined(self, relation: Relation, role: str) -> list[str]:
        where = f"{relation.tags['type']} {relation.id}"
        way_ids = relation.ways(role)
        if not way_ids:
            raise self.file.wrong(f"{where} has no {role} way")
        if len(way_ids) > MAX_PIECES:
            raise self.file.wrong(f"{where} has more than {MAX_PIECES:,} {role} ways")
        nodes = joined([self.osm.ways[way_id].nodes for way_id in way_ids])
        if nodes is None:
            raise self.file.wrong(f"{where}: its {role} ways do not meet end to end")
        return nodes
