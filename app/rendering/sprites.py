"""Sprites: stacks of one-coloured layers, each a set of polygons, packed for the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from app.rendering.canvas import Atlas
from app.rendering.colour import yuv_of
from app.rendering.outlines import counter_clockwise
from app.scenes.road_map import Points

# A corner may round to just outside the box of its ring; the box must not miss it.
BOX_SLACK_M = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Polygons painted together: where they overlap or touch they are one surface."""

    rings_m: Sequence[Points]
    colour: str
    opacity: float = 1.0
    has_holes: bool = False  # rings turn left around what is covered and right around holes


Sprite = Sequence[Layer]


def pack(sprites: Sequence[Sprite]) -> Atlas:
    """All sprites in flat arrays; sprite i keeps its place."""
    layers = [layer for sprite in sprites for layer in sprite]
    rings = [ring for layer in layers for ring in _turned(layer)]
    paints = [(*yuv_of(layer.colour), layer.opacity) for layer in layers]
    points = np.concatenate(rings) if rings else np.empty((0, 2))
    ring_start = _starts(len(ring) for ring in rings)
    return Atlas(
        points=points,
        ring_start=ring_start,
        ring_box=_boxes(points, ring_start),
        layer_start=_starts(len(layer.rings_m) for layer in layers),
        layer_paint=np.array(paints, np.float32).reshape(-1, 4),
        sprite_start=_starts(len(sprite) for sprite in sprites),
    )


def _turned(layer: Layer) -> Iterable[Points]:
    return layer.rings_m if layer.has_holes else map(counter_clockwise, layer.rings_m)


def _starts(lengths: Iterable[int]) -> NDArray[np.int32]:
    return np.array(list(accumulate(lengths, initial=0)), np.int32)


def _boxes(points: Points, ring_start: NDArray[np.int32]) -> NDArray[np.float64]:
    if len(points) == 0:
        return np.empty((0, 4))
    least = np.minimum.reduceat(points, ring_start[:-1])
    most = np.maximum.reduceat(points, ring_start[:-1])
    return np.hstack([(least + most) / 2, (most - least) / 2 + BOX_SLACK_M])
