"""The road as layers: shoulder, asphalt, what is painted on it and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from app.rendering.outlines import merged
from app.rendering.sprites import Layer, Sprite
from app.rendering.strokes import chained, dashes, place, places_along, stroke
from app.scenes.road_map import Boundary, Marking, Points, RoadMap

SHOULDER = "#B9BDB4"
ASPHALT = "#868C93"
PAINT = "#F7F7F4"
EDGE = "#C6CAC5"
KERB = "#DADCDD"
KERB_SHADE = "#7F857F"
RAIL = "#5E656C"
POST = "#FBFBF8"
POST_SHADE = "#6E746C"

SHOULDER_M = 1.4  # of the outline that shows half on each side of a lane's edge
LINE_M = 0.15
DOUBLE_LINE_GAP_M = 0.15
DASH_M, DASH_GAP_M = 4.0, 8.0
KERB_M, KERB_SHADE_M = 0.25, 0.12  # the shade shows half on each side
RAIL_M = 0.2
STOP_LINE_M = 0.5
ZEBRA_BAR_M, ZEBRA_GAP_M = 0.5, 0.5
POST_SPACING_M, POST_M = 12.0, 0.35
# Thinner lines than this many pixels crumble when the video is compressed.
MIN_LINE_PX = 1.4


def road_sprite(road_map: RoadMap, scale_px_per_m: float) -> Sprite:
    """The whole road, in metres from the same origin as the map's points.

    Lines are white on asphalt; where no lane is known they lie on the ground and are grey. The
    edge of a road is no paint: it is as quiet as the shoulder, wherever it leads.
    """
    thinnest_m = MIN_LINE_PX / scale_px_per_m
    kerb_m = max(KERB_M, thinnest_m)
    lanes = merged([lane.polygon_m for lane in road_map.lanes if len(lane.polygon_m) >= 3])
    lines = _distinct(b for b in road_map.boundaries if len(b.points_m) >= 2)
    return [
        Layer(_all(stroke(closed(lane), SHOULDER_M) for lane in lanes), SHOULDER),
        Layer(lanes, ASPHALT, has_holes=True),
        Layer(
            _along(lines, Marking.road_edge, max(LINE_M, thinnest_m)), EDGE if lanes else ASPHALT
        ),
        Layer(_paint(road_map, lines, thinnest_m), PAINT if lanes else ASPHALT),
        Layer(_along(lines, Marking.curb, kerb_m + KERB_SHADE_M), KERB_SHADE),
        Layer(_along(lines, Marking.curb, kerb_m), KERB),
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
        *_all(stroke(d, width_m) for line in dashed for d in dashes(line, DASH_M, DASH_GAP_M)),
        *_all(stroke(line, width_m, side * shift_m) for line in double for side in (-1, 1)),
        *_all(stroke(line, STOP_LINE_M) for line in road_map.stop_lines_m if len(line) >= 2),
        *_all(list(_zebra(o)) for o in road_map.crossings_m if len(o) >= 3),
    ]


def _zebra(outline_m: Points) -> Iterator[Points]:
    """Bars side by side along the longer side of the outline's box, cut to the outline."""
    turned = _along_its_box(outline_m)
    if turned is None:
        return
    rotation, low_m, length_m = turned
    ring_m = outline_m @ rotation
    step_m = ZEBRA_BAR_M + ZEBRA_GAP_M
    first_m = low_m + (length_m % step_m + ZEBRA_GAP_M) / 2
    for start_m in np.arange(first_m, low_m + length_m - ZEBRA_BAR_M, step_m):
        bar_m = _beyond(_beyond(ring_m, start_m) * -1, -start_m - ZEBRA_BAR_M) * -1
        if len(bar_m) >= 3:
            yield bar_m @ rotation.T


def _along_its_box(outline_m: Points) -> tuple[Points, float, float] | None:
    """Turn of the smallest box along a side that holds the outline, its low end and length.

    The sides alone would not tell: many maps cut the long ones in pieces.
    """
    sides = np.diff(closed(outline_m), axis=0)
    lengths_m = np.hypot(*sides.T)
    boxes = []
    for ahead in sides[lengths_m > 0] / lengths_m[lengths_m > 0, None]:
        rotation = np.array([ahead, (-ahead[1], ahead[0])]).T
        size_m = np.ptp(outline_m @ rotation, axis=0)
        if size_m[1] > size_m[0]:
            rotation, size_m = rotation[:, ::-1], size_m[::-1]
        boxes.append((float(size_m.prod()), float(size_m[0]), rotation))
    if not boxes:
        return None
    _, length_m, rotation = min(boxes, key=lambda box: box[0])
    return rotation, float((outline_m @ rotation)[:, 0].min()), length_m


def _beyond(ring_m: Points, x_m: float) -> Points:
    """What of a ring lies to the right of a vertical line (Sutherland & Hodgman 1974)."""
    kept: list[Points] = []
    for here, there in pairwise(closed(ring_m)) if len(ring_m) else ():
        if here[0] >= x_m:
            kept.append(here)
        if (here[0] >= x_m) != (there[0] >= x_m):
            kept.append(here + (there - here) * (x_m - here[0]) / (there[0] - here[0]))
    return np.array(kept).reshape(-1, 2)


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
