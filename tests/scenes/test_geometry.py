from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from app.scenes.geometry import (
    arc_length_m,
    box_corners_m,
    boxes_gap_m,
    boxes_overlap,
    offset_polyline,
    point_along,
    project_onto,
    resample_polyline,
    ring_between,
    without_repetitions,
)


def test_a_box_that_faces_east_has_its_front_in_the_east():
    corners = box_corners_m(10.0, 5.0, 0.0, 4.0, 2.0)
    assert corners.tolist() == [[12, 6], [8, 6], [8, 4], [12, 4]]


def test_corners_go_counter_clockwise_whatever_the_heading():
    heading = np.linspace(-7, 7, 50)
    x, y = np.moveaxis(box_corners_m(1.0, 2.0, heading, 5.0, 2.0), -1, 0)
    area = 0.5 * (x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1)
    np.testing.assert_allclose(area, 10.0)


def test_boxes_of_many_vehicles_come_at_once():
    assert box_corners_m(np.zeros((3, 7)), 0.0, 0.0, np.ones((3, 1)), 2.0).shape == (3, 7, 4, 2)


@pytest.mark.parametrize(
    ("x_m", "y_m", "heading_rad", "overlap"),
    [
        (3.9, 0.0, 0.0, True),
        (4.0, 0.0, 0.0, False),  # bumper to bumper
        (0.0, 2.1, 0.0, False),
        (2.9, 1.9, np.pi / 4, True),
        (3.6, 2.6, np.pi / 4, False),  # the bounding boxes overlap, the boxes do not
        (0.0, 0.0, 1.0, True),
        (np.nan, 0.0, 0.0, False),
    ],
)
def test_boxes_overlap_only_where_no_side_parts_them(x_m, y_m, heading_rad, overlap):
    one = box_corners_m(0.0, 0.0, 0.0, 4.0, 2.0)
    two = box_corners_m(x_m, y_m, heading_rad, 4.0, 2.0)
    assert boxes_overlap(one, two) == overlap
    assert boxes_overlap(two, one) == overlap


def test_every_vehicle_can_be_held_against_every_other():
    boxes = box_corners_m(np.array([0.0, 3.0, 20.0]), 0.0, 0.0, 4.0, 2.0)
    expected = [[True, True, False], [True, True, False], [False, False, True]]
    assert boxes_overlap(boxes[:, None], boxes[None, :]).tolist() == expected


def test_a_point_along_a_line_is_as_far_as_asked():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 5.0]])
    points = point_along(line, np.array([0.0, 4.0, 10.0, 12.0, 15.0]))
    assert points.tolist() == [[0, 0], [4, 0], [10, 0], [10, 2], [10, 5]]
    assert arc_length_m(line)[-1] == 15


def test_beyond_its_ends_a_line_goes_straight_on():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 5.0]])
    assert point_along(line, np.array([-2.0, 18.0])).tolist() == [[-2, 0], [10, 8]]


def test_a_line_offset_to_the_left_keeps_its_distance_at_a_corner():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]])
    np.testing.assert_allclose(offset_polyline(line, 2.0), [[0, 2], [8, 2], [8, 10]])
    np.testing.assert_allclose(offset_polyline(line, -2.0), [[0, -2], [12, -2], [12, 10]])


def test_a_hairpin_does_not_throw_its_offset_away():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 0.01]])
    assert np.abs(offset_polyline(line, 1.0)).max() < 20


@pytest.mark.parametrize("line", [[[0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]])
def test_a_line_without_direction_is_refused(line):
    with pytest.raises(ValueError, match="polyline"):
        offset_polyline(np.array(line), 1.0)


@pytest.mark.parametrize(
    ("x_m", "y_m", "heading_rad", "gap_m"),
    [
        (7.0, 0.0, 0.0, 3.0),
        (4.0, 0.0, 0.0, 0.0),  # bumper to bumper
        (1.0, 0.5, 0.3, 0.0),
        (7.0, 6.0, 0.0, 5.0),  # from corner (2, 1) to corner (5, 5)
        (6.0, 0.0, np.pi / 2, 3.0),  # a side, not a corner, is nearest
        (np.nan, 0.0, 0.0, np.nan),
    ],
)
def test_the_gap_between_boxes_is_the_shortest_way(x_m, y_m, heading_rad, gap_m):
    one = box_corners_m(0.0, 0.0, 0.0, 4.0, 2.0)
    two = box_corners_m(x_m, y_m, heading_rad, 4.0, 2.0)
    np.testing.assert_allclose(boxes_gap_m(one, two), gap_m, atol=1e-12)
    np.testing.assert_allclose(boxes_gap_m(two, one), gap_m, atol=1e-12)


NUMBERS = st.floats(-20, 20)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_the_gap_is_the_one_shapely_measures(x_m, y_m, first_rad, second_rad, turn_rad):
    one = box_corners_m(0.0, 0.0, first_rad, 4.0, 2.0)
    two = box_corners_m(x_m, y_m, second_rad, 12.0, 2.5)
    gap_m = shapely.Polygon(one).distance(shapely.Polygon(two))
    assert boxes_gap_m(one, two) == pytest.approx(gap_m, abs=1e-9)
    turn = np.array([[np.cos(turn_rad), -np.sin(turn_rad)], [np.sin(turn_rad), np.cos(turn_rad)]])
    assert boxes_gap_m(one @ turn.T + 5, two @ turn.T + 5) == pytest.approx(gap_m, abs=1e-9)


def test_a_point_beside_a_line_is_told_by_its_nearest_place():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]])
    places = project_onto(np.array([[4.0, 2.0], [13.0, -4.0], [8.0, 5.0], [10.0, 10.0]]), line)
    np.testing.assert_allclose(places.along_m, [4.0, 10.0, 15.0, 20.0])
    np.testing.assert_allclose(places.left_m, [2.0, -5.0, 2.0, 0.0])


def test_beyond_the_ends_a_point_is_told_by_the_straight_way_on():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]])
    places = project_onto(np.array([[-3.0, 1.0], [9.0, 14.0]]), line)
    np.testing.assert_allclose(places.along_m, [-3.0, 24.0])
    np.testing.assert_allclose(places.left_m, [1.0, 1.0])


@given(st.floats(-5, 60))
def test_projecting_undoes_walking_along(distance_m):
    line = np.column_stack([np.linspace(0, 40, 30), 5 * np.sin(np.linspace(0, 4, 30))])
    places = project_onto(point_along(line, np.array([distance_m])), line)
    assert places.along_m[0] == pytest.approx(distance_m, abs=1e-9)
    assert places.left_m[0] == pytest.approx(0, abs=1e-9)


def test_a_resampled_line_has_equal_steps_and_both_ends():
    line = np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 4.5]])
    points = resample_polyline(line, 2.0)
    np.testing.assert_allclose(points, [[0, 0], [1.875, 0], [3, 0.75], [3, 2.625], [3, 4.5]])
    assert len(resample_polyline(line, 100.0)) == 2
    with pytest.raises(ValueError, match="more than 0 m"):
        resample_polyline(line, 0.0)


def test_a_ring_goes_along_one_side_and_back_along_the_other():
    left_m, right_m = np.array([[0.0, 4.0], [9.0, 4.0]]), np.array([[0.0, 0.0], [9.0, 0.0]])
    assert ring_between(left_m, right_m).tolist() == [[0, 4], [9, 4], [9, 0], [0, 0]]


def test_a_point_may_come_again_but_not_at_once():
    line_m = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    assert without_repetitions(line_m).tolist() == [[0, 0], [1, 0], [0, 0]]
