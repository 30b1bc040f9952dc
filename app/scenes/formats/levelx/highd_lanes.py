"""The lanes of a highD recording: straight, between the lines that its meta file lists."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

import numpy as np

from app.scenes.formats.files import SourceFile
from app.scenes.road_map import Boundary, Lane, Marking, RoadMap

MOST_MARKINGS = 20


def lanes_between_markings(
    file: SourceFile, upper: str, lower: str, left_m: float, right_m: float
) -> RoadMap:
    """Both carriageways from `left_m` to `right_m`, with y pointing up.

    `upper` and `lower` are the lists of the meta file, such as "8.51;12.59;16.43". Lanes are called
    as the tracks' `laneId` calls them: counted from the top, the verge and the median, too.
    """
    first_m = _markings_m(file, "upperLaneMarkings", upper)
    second_m = _markings_m(file, "lowerLaneMarkings", lower)
    ends_m = (left_m, right_m)
    return RoadMap(
        lanes=(
            *_lanes(first_m, ends_m[::-1], 2),
            *_lanes(second_m, ends_m, 2 + len(first_m)),
        ),
        boundaries=(*_boundaries(first_m, ends_m), *_boundaries(second_m, ends_m)),
    )


def _markings_m(file: SourceFile, column: str, text: str) -> list[float]:
    """Where the lines are, y pointing up, from the top of the picture."""
    cells = [cell for cell in text.split(";") if cell.strip()]
    try:
        markings_m = [-float(cell) for cell in cells]
    except ValueError:
        raise file.wrong(f"column {column!r}: {text[:40]!r} is not a list of numbers") from None
    falling = all(a > b for a, b in pairwise(markings_m))
    if not (all(map(isfinite, markings_m)) and falling and len(cells) <= MOST_MARKINGS):
        raise file.wrong(
            f"column {column!r}: {text[:40]!r} is not a list of growing numbers, at most "
            f"{MOST_MARKINGS}"
        )
    return markings_m


def _lanes(markings_m: Sequence[float], ends_m: tuple[float, float], first_id: int) -> list[Lane]:
    start_m, end_m = ends_m
    return [
        Lane(
            id=str(first_id + i),
            polygon_m=np.array(
                [[start_m, top_m], [end_m, top_m], [end_m, bottom_m], [start_m, bottom_m]]
            ),
            centre_line_m=np.array(
                [[start_m, (top_m + bottom_m) / 2], [end_m, (top_m + bottom_m) / 2]]
            ),
        )
        for i, (top_m, bottom_m) in enumerate(pairwise(markings_m))
    ]


def _boundaries(markings_m: Sequence[float], ends_m: tuple[float, float]) -> list[Boundary]:
    last = len(markings_m) - 1
    return [
        Boundary(
            points_m=np.array([[x_m, y_m] for x_m in ends_m]),
            marking=Marking.solid if i in (0, last) else Marking.dashed,
        )
        for i, y_m in enumerate(markings_m)
    ]
