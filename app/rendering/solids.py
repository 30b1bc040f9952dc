"""Solids: convex parts with flat faces, and what is painted on them, packed for the kernels.

Coordinates are a body's own: x ahead, y to its left, z up, metres from the point of the road
below the centre of its box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.rendering.canvas import Floats, Indices
from app.rendering.colour import yuv_of
from app.scenes.road_map import Points

Corners = NDArray[np.float64]
"""(n, 3) array of x, y and z in metres."""


# Corners of an outline, and with them the faces that begin there, to the left all round.
FRONT, FRONT_LEFT, LEFT, REAR_LEFT, REAR, REAR_RIGHT, RIGHT, FRONT_RIGHT, N_SIDES = range(9)


class Shine(IntEnum):
    """Where a face has its light from."""

    sun = 0
    itself = 1
    braking = 2  # and it is there only then


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A flat polygon, seen only from the side from which its corners turn left."""

    corners_m: Corners
    colour: str
    shine: Shine = Shine.sun
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A convex hull, and faces painted on it."""

    hull: Sequence[Face]
    on_it: Sequence[Face] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Parts from the ground up; if `cut_m` is given, the last two are one before the other.

    The first of those is ahead of x = `cut_m`, the second behind it.
    """

    parts: Sequence[Part]
    cut_m: float = field(default=np.inf)


class Shapes(NamedTuple):
    """All solids in flat arrays.

    Solid i has the parts `solid_start[i]` to `solid_start[i + 1]`, part p the faces
    `part_start[p]` to `part_start[p + 1]`, of which the first `hull_size[p]` are its hull.
    `face_plane` is (n_faces, 4): normal and distance. `face_paint` is (n_faces, 4).
    """

    corners: Floats
    face_start: Indices
    face_plane: Floats
    face_paint: NDArray[np.float32]
    face_shine: Indices
    part_start: Indices
    hull_size: Indices
    solid_start: Indices
    cut_m: Floats


def outline(
    rear_m: float, front_m: float, half_m: float, rear_cut: float, front_cut: float
) -> Points:
    """A rectangle without its corners; the cuts are shares of its half width."""
    cut, back = front_cut * half_m, rear_cut * half_m
    left = [(front_m, half_m - cut), (front_m - cut, half_m)]
    left += [(rear_m + back, half_m), (rear_m, half_m - back)]
    right = [(x, -y) for x, y in left[::-1]]
    return np.array([right[-1], *left, *right[:-1]])


def loft(
    sections: Sequence[tuple[float, Points]], colours: Sequence[str | Sequence[str]], top: str
) -> list[Face]:
    """Outlines of as many corners each, turning left, one above the other, joined by faces.

    `colours` are those of the faces between a section and the next, one or one for each; they
    are in the order of the corners, from the lowest up. Last comes the `top`.
    """
    faces = []
    for (low_m, lower), (high_m, upper), colour in zip(
        sections[:-1], sections[1:], colours, strict=True
    ):
        n = len(lower)
        each = [colour] * n if isinstance(colour, str) else colour
        for k in range(n):
            m = (k + 1) % n
            corners = [(*lower[k], low_m), (*lower[m], low_m), (*upper[m], high_m)]
            faces.append(Face(np.array([*corners, (*upper[k], high_m)]), each[k]))
    height_m, outline = sections[-1]
    return [*faces, Face(np.column_stack([outline, np.full(len(outline), height_m)]), top)]


def patch(
    face: Face,
    across: tuple[float, float],
    upward: tuple[float, float],
    colour: str,
    shine: Shine = Shine.sun,
    opacity: float = 1.0,
) -> Face:
    """A part of a face with four corners, between shares of its width and of its height."""
    a, b, c, d = face.corners_m
    shares = [(across[i], upward[j]) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    corners = [(1 - v) * (a + u * (b - a)) + v * (d + u * (c - d)) for u, v in shares]
    return Face(np.array(corners), colour, shine, opacity)


def pack_solids(solids: Sequence[Solid]) -> Shapes:
    """All solids; solid i keeps its place."""
    parts = [part for solid in solids for part in solid.parts]
    faces = [face for part in parts for face in (*part.hull, *part.on_it)]
    colours = {face.colour: yuv_of(face.colour) for face in faces}
    paints = [(*colours[face.colour], face.opacity) for face in faces]
    corners = np.concatenate([face.corners_m for face in faces])
    face_start = _starts([len(face.corners_m) for face in faces])
    return Shapes(
        corners=corners,
        face_start=face_start,
        face_plane=_planes(corners, face_start),
        face_paint=np.array(paints, np.float32),
        face_shine=np.array([face.shine for face in faces], np.int32),
        part_start=_starts([len(part.hull) + len(part.on_it) for part in parts]),
        hull_size=np.array([len(part.hull) for part in parts], np.int32),
        solid_start=_starts([len(solid.parts) for solid in solids]),
        cut_m=np.array([solid.cut_m for solid in solids]),
    )


def _starts(lengths: Sequence[int]) -> Indices:
    return np.array(list(accumulate(lengths, initial=0)), np.int32)


def _planes(corners: Corners, face_start: Indices) -> Floats:
    """(n_faces, 4) normals by Newell's rule, and how far along them the faces are."""
    following = np.arange(1, len(corners) + 1)
    following[face_start[1:] - 1] = face_start[:-1]
    x, y, z = corners.T
    u, v, w = corners[following].T
    crosses = np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)
    normals = np.add.reduceat(crosses, face_start[:-1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    middles = np.add.reduceat(corners, face_start[:-1]) / np.diff(face_start)[:, None]
    return np.column_stack([normals, (normals * middles).sum(axis=1)])
