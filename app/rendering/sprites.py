"""Sprites: stacks of one-coloured layers, each a set of polygons, packed for the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from app.rendering.colour import yuv_of
from app.rendering.raster import Atlas
from app.scenes.road_map import Points

# A corner may round to just outside the box of its ring; the box must not miss it.
BOX_SLACK_M = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Polygons painted together: where they overlap or touch they are one surface."""

    rings_m: Sequence[Points]
    colour: str
    opacity: float = 1.0


Sprite = Sequence[Layer]


def pack(sprites: Sequence[Sprite]) -> Atlas:
    """All sprites in flat arrays; sprite i keeps its place."""
    layers = [layer for sprite in sprites for layer in sprite]
    rings = [_counter_clockwise(ring) for layer in layers for ring in layer.rings_m]
    paints = [(*yuv_of(layer.colour), layer.opacity) for layer in layers]
    return Atlas(
        points=np.concatenate(rings) if rings else np.empty((0, 2)),
        ring_start=_starts(len(ring) for ring in rings),
        ring_box=np.array([_box(ring) for ring in rings]).reshape(-1, 4),
        layer_start=_starts(len(layer.rings_m) for layer in layers),
        layer_paint=np.array(paints, np.float32).reshape(-1, 4),
        sprite_start=_starts(len(sprite) for sprite in sprites),
    )


def _starts(lengths: Iterable[int]) -> NDArray[np.int32]:
    return np.array(list(accumulate(lengths, initial=0)), np.int32)


def _counter_clockwise(ring: Points) -> Points:
    # Rings that turn the same way add up where they overlap; opposite ones would cancel.
    x, y = (ring - ring[0]).T
    turns_left = np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) >= 0
    return ring if turns_left else ring[::-1]


def _box(ring: Points) -> tuple[float, float, float, float]:
    (left, bottom), (right, top) = ring.min(axis=0), ring.max(axis=0)
    return (
        (left + right) / 2,
        (bottom + top) / 2,
        (right - left) / 2 + BOX_SLACK_M,
        (top - bottom) / 2 + BOX_SLACK_M,
    )
