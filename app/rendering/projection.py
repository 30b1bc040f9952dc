"""Kernels that turn what a camera sees into flat polygons on its picture.

Both write an atlas in pixels, which is painted like any other. Nothing nearer than a near plane
comes out, so that every number is finite.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.rendering.canvas import Atlas, Cells, Floats, Indices, kernel
from app.rendering.solids import Shapes

Projection = Floats
BOX_SLACK_PX = 1e-6
# Of a face that looks away from the sun; the top of a body gets 1.
SHADE = 0.5
HIDDEN_SHADE = 0.8
NEAR_M = 0.4
# Faces with fewer square pixels are left to the colour of their hull.
LEAST_FACE_PX2, LEAST_PART_PX2 = 3.0, 0.2


class Sheet(NamedTuple):
    """Room for the atlas of a picture, and how much of it is used: points, rings, layers."""

    points: Floats
    ring_start: Indices
    ring_box: Floats
    layer_start: Indices
    layer_paint: Cells
    used: Indices


class Light(NamedTuple):
    """The sun's direction, and the colour (luma, blue, red) into which distance fades."""

    sun: Floats
    haze: Floats
    clear_m: float
    fading_m: float


def make_sheet(n_points: int, n_rings: int, n_layers: int) -> Sheet:
    """An empty sheet for as many."""
    return Sheet(
        np.empty((n_points, 2)),
        np.zeros(n_rings + 1, np.int32),
        np.empty((n_rings, 4)),
        np.zeros(n_layers + 1, np.int32),
        np.empty((n_layers, 4), np.float32),
        np.zeros(3, np.int32),
    )


def atlas_on(sheet: Sheet) -> Atlas:
    """What was put on the sheet, as one sprite."""
    n_points, n_rings, n_layers = sheet.used.tolist()
    return Atlas(
        sheet.points[:n_points],
        sheet.ring_start[: n_rings + 1],
        sheet.ring_box[:n_rings],
        sheet.layer_start[: n_layers + 1],
        sheet.layer_paint[:n_layers],
        np.array([0, n_layers], np.int32),
    )


@kernel
def project_flat(
    atlas: Atlas, sprites: Indices, projections: Floats, near_m: float, size_px: Floats, out: Sheet
) -> None:
    """Put sprites that lie on the ground on an empty sheet, cut off at the near plane.

    The camera is level, so the near plane cuts the ground in a row of the picture. It must be
    one below the picture: there the edges along the cut would change nothing and are left out.
    """
    out.used[:] = 0
    for i in range(len(sprites)):
        p = projections[i]
        for layer in range(atlas.sprite_start[sprites[i]], atlas.sprite_start[sprites[i] + 1]):
            for ring in range(atlas.layer_start[layer], atlas.layer_start[layer + 1]):
                if _may_be_seen(atlas.ring_box[ring], p, near_m, size_px):
                    start, end = atlas.ring_start[ring], atlas.ring_start[ring + 1]
                    _project_ring(atlas.points, start, end, p, near_m, size_px, out)
            _end_layer(out, atlas.layer_paint[layer])


@kernel
def _may_be_seen(box: Floats, p: Projection, near_m: float, size_px: Floats) -> bool:
    """Whether a box on the ground reaches over the near plane and the sides of the picture."""
    if _most(box, p[2, 0], p[2, 1], p[2, 3] - near_m) <= 0:
        return False
    if _most(box, p[0, 0], p[0, 1], p[0, 3]) <= 0:
        return False
    w = size_px[0]
    return _most(box, w * p[2, 0] - p[0, 0], w * p[2, 1] - p[0, 1], w * p[2, 3] - p[0, 3]) > 0


@kernel
def _most(box: Floats, a: float, b: float, c: float) -> float:
    return float(a * box[0] + b * box[1] + c + abs(a) * box[2] + abs(b) * box[3])


@kernel
def _project_ring(
    points: Floats, start: int, end: int, p: Projection, near_m: float, size_px: Floats, out: Sheet
) -> None:
    first = out.used[0]
    n = first
    x0, y0 = points[end - 1, 0], points[end - 1, 1]
    depth0 = p[2, 0] * x0 + p[2, 1] * y0 + p[2, 3]
    for k in range(start, end):
        x1, y1 = points[k, 0], points[k, 1]
        depth1 = p[2, 0] * x1 + p[2, 1] * y1 + p[2, 3]
        if (depth0 < near_m) != (depth1 < near_m):
            share = (near_m - depth0) / (depth1 - depth0)
            x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
            out.points[n, 0] = (p[0, 0] * x + p[0, 1] * y + p[0, 3]) / near_m
            out.points[n, 1] = (p[1, 0] * x + p[1, 1] * y + p[1, 3]) / near_m
            n += 1
        if depth1 >= near_m:
            out.points[n, 0] = (p[0, 0] * x1 + p[0, 1] * y1 + p[0, 3]) / depth1
            out.points[n, 1] = (p[1, 0] * x1 + p[1, 1] * y1 + p[1, 3]) / depth1
            n += 1
        x0, y0, depth0 = x1, y1, depth1
    _end_ring(out, first, n, size_px)


@kernel
def project_solids(
    shapes: Shapes,
    chosen: Indices,
    projections: Floats,
    places: Floats,
    braking: Indices,
    light: Light,
    size_px: Floats,
    out: Sheet,
) -> None:
    """Put solids on an empty sheet, in order, each over the one before.

    `places` is (n, 7): cosine and sine of the heading, the camera's x, y and z in the solid's own
    metres, the distance between them, and the opacity.
    """
    out.used[:] = 0
    for i in range(len(chosen)):
        here, solid = places[i], chosen[i]
        x, y, z = here[2], here[3], here[4]
        first, n_parts = shapes.solid_start[solid], shapes.solid_start[solid + 1]
        n_parts -= first
        fade = np.float32(1 - np.exp(-max(here[5] - light.clear_m, 0.0) / light.fading_m))
        for k in range(n_parts):
            # Seen from before the cut, what is behind it comes earlier.
            turned = x > shapes.cut_m[solid] and k >= n_parts - 2
            part = first + (2 * n_parts - 3 - k if turned else k)
            start, end = shapes.part_start[part], shapes.part_start[part + 1]
            painted = start + shapes.hull_size[part]
            # The hull in one piece: between faces painted one by one what is behind would shine.
            for face in range(start, painted if here[6] == 1 else start):
                if _faces(shapes.face_plane, face, x, y, z):
                    _project_face(shapes, face, projections[i], size_px, LEAST_PART_PX2, out)
            _end_layer_in(out, shapes.face_paint[start], HIDDEN_SHADE, fade, light, here[6])
            for face in range(start, end):
                shine = shapes.face_shine[face]
                if shine == 2 and braking[i] == 0:
                    continue
                if _faces(shapes.face_plane, face, x, y, z):
                    _project_face(shapes, face, projections[i], size_px, LEAST_FACE_PX2, out)
                    shade = 1.0 if shine else _shade(shapes.face_plane[face], here, light)
                    _end_layer_in(out, shapes.face_paint[face], shade, fade, light, here[6])


@kernel
def _faces(planes: Floats, face: int, x: float, y: float, z: float) -> bool:
    """Whether the camera is on the outer side of a face."""
    away = planes[face, 0] * x + planes[face, 1] * y + planes[face, 2] * z
    return bool(away > planes[face, 3] + 1e-9)


@kernel
def _shade(plane: Floats, here: Floats, light: Light) -> float:
    east = here[0] * plane[0] - here[1] * plane[1]
    north = here[1] * plane[0] + here[0] * plane[1]
    sun = light.sun
    lit = max(0.0, east * sun[0] + north * sun[1] + plane[2] * sun[2]) / sun[2]
    return float(min(1.0, SHADE + (1 - SHADE) * lit))


@kernel
def _project_face(
    shapes: Shapes, face: int, p: Projection, size_px: Floats, least_px2: float, out: Sheet
) -> None:
    corners, start, end = shapes.corners, shapes.face_start[face], shapes.face_start[face + 1]
    first = out.used[0]
    n = first
    c0, r0, depth0 = _seen(corners, end - 1, p)
    for k in range(start, end):
        c1, r1, depth1 = _seen(corners, k, p)
        if (depth0 < NEAR_M) != (depth1 < NEAR_M):
            share = (NEAR_M - depth0) / (depth1 - depth0)
            out.points[n, 0] = (c0 + share * (c1 - c0)) / NEAR_M
            out.points[n, 1] = (r0 + share * (r1 - r0)) / NEAR_M
            n += 1
        if depth1 >= NEAR_M:
            out.points[n, 0], out.points[n, 1] = c1 / depth1, r1 / depth1
            n += 1
        c0, r0, depth0 = c1, r1, depth1
    if _area_px2(out.points, first, n) > least_px2:
        _end_ring(out, first, n, size_px)


@kernel
def _area_px2(points: Floats, first: int, n: int) -> float:
    twice = 0.0
    for k in range(first + 1, n - 1):
        x, y = points[k, 0] - points[first, 0], points[k, 1] - points[first, 1]
        twice += x * (points[k + 1, 1] - points[first, 1])
        twice -= y * (points[k + 1, 0] - points[first, 0])
    return 0.5 * abs(twice)


@kernel
def _seen(corners: Floats, k: int, p: Projection) -> tuple[float, float, float]:
    x, y, z = corners[k, 0], corners[k, 1], corners[k, 2]
    return (
        p[0, 0] * x + p[0, 1] * y + p[0, 2] * z + p[0, 3],
        p[1, 0] * x + p[1, 1] * y + p[1, 2] * z + p[1, 3],
        p[2, 0] * x + p[2, 1] * y + p[2, 2] * z + p[2, 3],
    )


@kernel
def _end_ring(out: Sheet, first: int, n: int, size_px: Floats) -> None:
    """Keep the points from the first on as a ring, if any of it may be in the picture."""
    if n - first < 3:
        return
    left, top = out.points[first, 0], out.points[first, 1]
    right, bottom = left, top
    for k in range(first + 1, n):
        left, right = min(left, out.points[k, 0]), max(right, out.points[k, 0])
        top, bottom = min(top, out.points[k, 1]), max(bottom, out.points[k, 1])
    if right <= 0 or left >= size_px[0] or bottom <= 0 or top >= size_px[1]:
        return
    ring = out.used[1]
    out.ring_box[ring, 0], out.ring_box[ring, 1] = (left + right) / 2, (top + bottom) / 2
    out.ring_box[ring, 2] = (right - left) / 2 + BOX_SLACK_PX
    out.ring_box[ring, 3] = (bottom - top) / 2 + BOX_SLACK_PX
    out.ring_start[ring + 1] = n
    out.used[0], out.used[1] = n, ring + 1


@kernel
def _end_layer(out: Sheet, paint: Cells) -> None:
    """The rings since the last layer become one, unless there are none."""
    layer = out.used[2]
    if out.used[1] > out.layer_start[layer]:
        out.layer_paint[layer] = paint
        out.layer_start[layer + 1] = out.used[1]
        out.used[2] = layer + 1


@kernel
def _end_layer_in(
    out: Sheet, paint: Cells, shade: float, fade: np.float32, light: Light, opacity: float
) -> None:
    """The same in shade and haze. Black is (16, 128, 128), so that shade scales from there."""
    layer = out.used[2]
    if out.used[1] > out.layer_start[layer]:
        for k in range(3):
            black = np.float32(16.0) if k == 0 else np.float32(128.0)
            colour = black + np.float32(shade) * (paint[k] - black)
            out.layer_paint[layer, k] = colour + fade * (np.float32(light.haze[k]) - colour)
        out.layer_paint[layer, 3] = paint[3] * np.float32(opacity)
        out.layer_start[layer + 1] = out.used[1]
        out.used[2] = layer + 1
