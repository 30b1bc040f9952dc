"""The road as layers: shoulder, asphalt, what is painted on it and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from app.rendering.outlines import merged
from app.rendering.sprites import Layer, Sprite
from app.rendering.strokes import chained, dashes, place, places_along, stroke
from app.scenes.road_map import Boundary, Marking, Points, RoadMap

SHOULDER = "#B9BDB4"
ASPHALT = "#868C93"
PAINT = "#F7F7F4"
KERB = "#DADCDD"
RAIL = "#5E656C"
POST = "#FBFBF8"
POST_SHADE = "#6E746C"

SHOULDER_M = 1.4  # of the outline that shows half on each side of a lane's edge
LINE_M = 0.15
DOUBLE_LINE_GAP_M = 0.15
DASH_M, DASH_GAP_M = 4.0, 8.0
KERB_M = 0.25
RAIL_M = 0.2
STOP_LINE_M = 0.5
ZEBRA_BAR_M, ZEBRA_GAP_M = 0.5, 0.5
POST_SPACING_M, POST_M = 12.0, 0.35
# Thinner lines than this many pixels crumble when the video is compressed.
MIN_LINE_PX = 1.4


def road_sprite(road_map: RoadMap, scale_px_per_m: float) -> Sprite:
    """The whole road, in metres from the same origin as the map's points.

    Lines are white on asphalt; where no lane is known they lie on the ground and are grey.
    """
    thinnest_m = MIN_LINE_PX / scale_px_per_m
    lanes = merged([lane.polygon_m for lane in road_map.lanes if len(lane.polygon_m) >= 3])
    lines = _distinct(b for b in road_map.boundaries if len(b.points_m) >= 2)
    return [
        Layer(_all(stroke(closed(lane), SHOULDER_M) for lane in lanes), SHOULDER),
        Layer(lanes, ASPHALT),
        Layer(_paint(road_map, lines, thinnest_m), PAINT if lanes else ASPHALT),
        Layer(_along(lines, Marking.curb, max(KERB_M, thinnest_m)), KERB),
        Layer(_along(lines, Marking.guard_rail, max(RAIL_M, thinnest_m)), RAIL),
        *_posts(lines, max(POST_M, 2 * thinnest_m)),
    ]


def closed(ring_m: Points) -> Points:
    """The ring as a polyline that ends where it began."""
    return np.vstack([ring_m, ring_m[:1]])


def _all(groups: Iterable[list[Points]]) -> list[Points]:
    return [ring for group in groups for ring in group]


def _distinct(lines: Iterable[Boundary]) -> list[Boundary]:
    """Each line once: neighbouring lanes of many maps both bring the line between them."""
    found: dict[tuple[Marking, frozenset[tuple[int, int]]], Boundary] = {}
    for line in lines:
        found.setdefault((line.marking, frozenset(map(place, line.points_m))), line)
    return list(found.values())


def _marked(lines: list[Boundary], *markings: Marking) -> list[Points]:
    return [line.points_m for line in lines if line.marking in markings]


def _along(lines: list[Boundary], marking: Marking, width_m: float) -> list[Points]:
    return _all(stroke(line_m, width_m) for line_m in _marked(lines, marking))


def _paint(road_map: RoadMap, lines: list[Boundary], thinnest_m: float) -> list[Points]:
    width_m = max(LINE_M, thinnest_m)
    shift_m = (DOUBLE_LINE_GAP_M + width_m) / 2
    dashed = chained(_marked(lines, Marking.dashed))
    double = _marked(lines, Marking.double_solid)
    return [
        *_along(lines, Marking.solid, width_m),
        *_along(lines, Marking.road_edge, width_m),
        *_all(stroke(d, width_m) for line in dashed for d in dashes(line, DASH_M, DASH_GAP_M)),
        *_all(stroke(line, width_m, side * shift_m) for line in double for side in (-1, 1)),
        *_all(stroke(line, STOP_LINE_M) for line in road_map.stop_lines_m if len(line) >= 2),
        *_all(list(_zebra(o)) for o in road_map.crossings_m if len(o) >= 3),
    ]


def _zebra(outline_m: Points) -> Iterator[Points]:
    """Bars side by side along the longest side of the outline, as deep as its box."""
    sides = np.diff(closed(outline_m), axis=0)
    lengths_m = np.hypot(*sides.T)
    if lengths_m.max() == 0:
        return
    ahead = sides[lengths_m.argmax()] / lengths_m.max()
    across = np.array([-ahead[1], ahead[0]])
    along_m, wide_m = outline_m @ ahead, outline_m @ across
    near, far = wide_m.min(), wide_m.max()
    free_m = (along_m.max() - along_m.min()) % (ZEBRA_BAR_M + ZEBRA_GAP_M)
    first_m = along_m.min() + (free_m + ZEBRA_GAP_M) / 2
    for start_m in np.arange(first_m, along_m.max() - ZEBRA_BAR_M, ZEBRA_BAR_M + ZEBRA_GAP_M):
        corners = [(start_m, near), (start_m + ZEBRA_BAR_M, near)]
        corners += [(start_m + ZEBRA_BAR_M, far), (start_m, far)]
        yield np.array([a * ahead + w * across for a, w in corners])


def _posts(lines: list[Boundary], side_m: float) -> list[Layer]:
    """The posts of guard rails, so that a straight road is seen to pass by."""
    rails = chained(_marked(lines, Marking.guard_rail))
    posts = [post for rail in rails for post in places_along(rail, POST_SPACING_M)]
    return [
        Layer([_square(post, side_m + 0.2) for post in posts], POST_SHADE),
        Layer([_square(post, side_m) for post in posts], POST),
    ]


def _square(centre_m: Points, side_m: float) -> Points:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return centre_m + corners * side_m / 2
