"""Boxes and polylines in the plane: metres, radians counter-clockwise from +x."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.scenes.road_map import Points
from app.scenes.scene import Floats

# Mitred corners of an offset line grow without bound as the line turns back on itself.
LONGEST_MITRE = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class PlacesOnLine:
    """Points told by a polyline: how far along it, and how far to its left; (n,) arrays."""

    along_m: Floats
    left_m: Floats


def box_corners_m(
    x_m: ArrayLike,
    y_m: ArrayLike,
    heading_rad: ArrayLike,
    length_m: ArrayLike,
    width_m: ArrayLike,
) -> Floats:
    """Corners of boxes given by their centres.

    Parameters
    ----------
    x_m, y_m, heading_rad, length_m, width_m : arrays of one shape (...) or scalars

    Returns
    -------
    (..., 4, 2) array
        Counter-clockwise: front left, rear left, rear right, front right.

    Examples
    --------
    >>> box_corners_m(0, 0, np.pi / 2, 4, 2).round(9).tolist()
    [[-1.0, 2.0], [-1.0, -2.0], [1.0, -2.0], [1.0, 2.0]]
    """
    x_m, y_m, heading_rad, length_m, width_m = np.broadcast_arrays(
        x_m, y_m, heading_rad, length_m, width_m
    )
    forward_m = np.stack([np.cos(heading_rad), np.sin(heading_rad)], axis=-1)
    left_m = np.stack([-forward_m[..., 1], forward_m[..., 0]], axis=-1)
    along = np.array([0.5, -0.5, -0.5, 0.5])[:, None]
    across = np.array([0.5, 0.5, -0.5, -0.5])[:, None]
    corners_m: Floats = (
        np.stack([x_m, y_m], axis=-1)[..., None, :]
        + along * (length_m[..., None] * forward_m)[..., None, :]
        + across * (width_m[..., None] * left_m)[..., None, :]
    )
    return corners_m


def boxes_overlap(first_m: Floats, second_m: Floats) -> NDArray[np.bool_]:
    """Whether boxes share more than an edge: no side of either separates them.

    Parameters
    ----------
    first_m, second_m : (..., 4, 2) arrays
        Corners as from `box_corners_m`; the leading axes broadcast.

    Returns
    -------
    (...) array of bool
        False where a corner is nan.
    """
    apart: NDArray[np.bool_] = _sides_separate(first_m, second_m) | _sides_separate(
        second_m, first_m
    )
    known = np.isfinite(first_m).all(axis=(-1, -2)) & np.isfinite(second_m).all(axis=(-1, -2))
    return known & ~apart


def boxes_gap_m(first_m: Floats, second_m: Floats) -> Floats:
    """Distance between boxes: 0 where they touch or overlap, nan where a corner is nan.

    Parameters
    ----------
    first_m, second_m : (..., 4, 2) arrays
        Corners as from `box_corners_m`; the leading axes broadcast.

    Returns
    -------
    (...) array

    Examples
    --------
    >>> one, other = box_corners_m(0, 0, 0, 4, 2), box_corners_m(8, 6, 0, 2, 2)
    >>> round(float(boxes_gap_m(one, other)), 3)  # from (2, 1) to (7, 5)
    6.403
    """
    # Two convex shapes that do not overlap are nearest at a corner of one of them.
    apart_m = np.minimum(
        _corners_to_sides_m(first_m, second_m), _corners_to_sides_m(second_m, first_m)
    )
    gap_m: Floats = np.where(boxes_overlap(first_m, second_m), 0.0, apart_m)
    return gap_m


def arc_length_m(points_m: Points) -> Floats:
    """Distance from the first point along a polyline to each of its points.

    Examples
    --------
    >>> arc_length_m(np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]])).tolist()
    [0.0, 5.0, 6.0]
    """
    steps_m = np.hypot(*np.diff(points_m, axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps_m)])


def point_along(points_m: Points, distance_m: ArrayLike) -> Floats:
    """Points at the given distances along a polyline; straight on beyond both ends.

    Parameters
    ----------
    points_m : (n, 2) array
        At least two points, of which no two neighbours are equal.
    distance_m : (...) array

    Returns
    -------
    (..., 2) array
    """
    distances_m = np.asarray(distance_m, dtype=np.float64)
    along_m = arc_length_m(points_m)
    segment = np.clip(np.searchsorted(along_m, distances_m, side="right") - 1, 0, len(along_m) - 2)
    ahead_m = (distances_m - along_m[segment])[..., None]
    on_line_m: Floats = points_m[segment] + ahead_m * _directions(points_m)[segment]
    return on_line_m


def project_onto(points_m: Points, polyline_m: Points) -> PlacesOnLine:
    """Where points are, told by the nearest place of a polyline; the inverse of `point_along`.

    Before its start and after its end the line goes straight on, for points nearest to an end.

    Parameters
    ----------
    points_m : (n, 2) array
    polyline_m : (n_line, 2) array
        At least two points, of which no two neighbours are equal.

    Examples
    --------
    >>> line_m = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]])
    >>> places = project_onto(np.array([[4.0, 1.0], [12.0, 7.0], [-3.0, 2.0]]), line_m)
    >>> places.along_m.tolist(), places.left_m.tolist()
    ([4.0, 17.0, -3.0], [1.0, -2.0, 2.0])
    """
    forward = _directions(polyline_m)
    starts_m, lengths_m = arc_length_m(polyline_m)[:-1], np.diff(arc_length_m(polyline_m))
    from_start_m = points_m[:, None] - polyline_m[None, :-1]
    ahead_m = (from_start_m * forward).sum(axis=-1)
    left_m = forward[:, 0] * from_start_m[..., 1] - forward[:, 1] * from_start_m[..., 0]
    on_segment_m = np.clip(ahead_m, 0.0, lengths_m)
    away_m = np.hypot(ahead_m - on_segment_m, left_m)
    at = np.arange(len(points_m)), np.argmin(away_m, axis=1)
    beyond = (ahead_m < 0) & (np.arange(len(forward)) == 0)
    beyond |= (ahead_m > lengths_m) & (np.arange(len(forward)) == len(forward) - 1)
    along_m = starts_m + np.where(beyond, ahead_m, on_segment_m)
    side_m = np.where(beyond, left_m, np.copysign(away_m, left_m))
    return PlacesOnLine(along_m[at], side_m[at])


def resample_polyline(points_m: Points, step_m: float) -> Points:
    """Points at equal distances along a polyline, at most `step_m` apart, with both its ends.

    Corners between two of the new points are cut.

    Returns
    -------
    (n_new, 2) array
    """
    if not step_m > 0:
        raise ValueError(f"the step along a polyline is {step_m:g} m; it must be more than 0 m")
    length_m = float(arc_length_m(points_m)[-1])
    n_steps = max(1, int(np.ceil(length_m / step_m - 1e-9)))
    return point_along(points_m, np.linspace(0.0, length_m, n_steps + 1))


def offset_polyline(points_m: Points, offset_m: float) -> Points:
    """The line beside a polyline, to its left where `offset_m` is positive.

    Each segment keeps its distance; corners are mitred, at most four times as far out.

    Parameters
    ----------
    points_m : (n, 2) array
        At least two points, of which no two neighbours are equal.

    Returns
    -------
    (n, 2) array
    """
    return offset_polylines(points_m, (offset_m,))[0]


def offset_polylines(points_m: Points, offsets_m: Sequence[float]) -> list[Points]:
    """Several lines beside one polyline, as by `offset_polyline`."""
    forward = _directions(points_m)
    left = forward[:, ::-1] * (-1.0, 1.0)
    both = np.empty_like(points_m)  # the sum of the directions before and after each point
    both[0], both[-1] = 2 * left[0], 2 * left[-1]
    both[1:-1] = left[:-1] + left[1:]
    # |before + after|² / 2 = 1 + cos(turn); dividing by it keeps both segments at the offset.
    stretch = np.maximum((both * both).sum(axis=1) / 2, 2 / LONGEST_MITRE**2)
    outwards = both / stretch[:, None]
    return [points_m + offset_m * outwards for offset_m in offsets_m]


def ring_between(left_m: Points, right_m: Points) -> Points:
    """The outline of a strip: along its left side and back along its right one.

    Parameters
    ----------
    left_m, right_m : (n, 2) and (m, 2) arrays

    Returns
    -------
    (n + m, 2) array
    """
    return np.vstack([left_m, right_m[::-1]])


def without_repetitions(points_m: Points) -> Points:
    """A polyline with no point twice in a row.

    Returns
    -------
    (n_different, 2) array
    """
    repeated = (points_m[1:] == points_m[:-1]).all(axis=1)
    return points_m[np.append(True, ~repeated)] if repeated.any() else points_m


def _corners_to_sides_m(corners_m: Floats, box_m: Floats) -> Floats:
    """From the corners of one box to the nearest side of the other, the least of them."""
    starts_m = box_m[..., None, :, :]
    sides_m = np.roll(starts_m, -1, axis=-2) - starts_m
    from_start_m = corners_m[..., :, None, :] - starts_m
    squared_m2 = np.maximum((sides_m**2).sum(axis=-1), np.finfo(np.float64).tiny)
    share = np.clip((from_start_m * sides_m).sum(axis=-1) / squared_m2, 0.0, 1.0)
    away_m = from_start_m - share[..., None] * sides_m
    nearest_m: Floats = np.hypot(away_m[..., 0], away_m[..., 1]).min(axis=(-1, -2))
    return nearest_m


def _directions(points_m: Points) -> Floats:
    steps_m = points_m[1:] - points_m[:-1]
    lengths_m = np.hypot(steps_m[:, 0], steps_m[:, 1])
    if len(points_m) < 2 or not (lengths_m > 0).all():
        raise ValueError("a polyline needs two points or more, and no point twice in a row")
    directions: Floats = steps_m / lengths_m[:, None]
    return directions


def _sides_separate(own_m: Floats, other_m: Floats) -> NDArray[np.bool_]:
    """Whether a line along a side of the first box has the second box beyond it."""
    edges_m = own_m[..., 1:3, :] - own_m[..., 0:2, :]
    normals = np.stack([-edges_m[..., 1], edges_m[..., 0]], axis=-1)
    own = normals @ np.swapaxes(own_m, -1, -2)
    other = normals @ np.swapaxes(other_m, -1, -2)
    gap = (own.max(axis=-1) <= other.min(axis=-1)) | (other.max(axis=-1) <= own.min(axis=-1))
    separated: NDArray[np.bool_] = gap.any(axis=-1)
    return separated
