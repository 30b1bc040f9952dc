"""Far things first, whatever their size."""

import numpy as np

from app.rendering.depth_order import far_to_near


def box(x_m, y_m, length_m=4.5, width_m=1.8, heading_rad=0.0):
    return [x_m, y_m, np.cos(heading_rad), np.sin(heading_rad), length_m / 2, width_m / 2]


def order(*boxes, x_m=0.0, y_m=0.0):
    return far_to_near(np.array(boxes), x_m, y_m).tolist()


def test_the_farther_of_two_is_painted_first():
    assert order(box(10, 0), box(30, 0)) == [1, 0]
    assert order(box(30, 0), box(10, 0)) == [0, 1]


def test_a_car_beside_the_far_end_of_a_truck_is_hidden_by_it():
    # The truck's middle is farther away than the car's, but the truck is between.
    truck, car = box(30, 4, length_m=40.0, width_m=2.5), box(14, 7)
    assert order(truck, car) == [1, 0]
    assert order(car, truck) == [0, 1]


def test_a_car_on_the_near_side_of_a_truck_hides_it():
    truck, car = box(20, 6, length_m=40.0, width_m=2.5), box(36, 3)
    assert order(car, truck) == [1, 0]


def test_everybody_is_painted_once_even_in_a_heap():
    rng = np.random.default_rng(3)
    heap = [box(*rng.uniform(5, 25, 2), heading_rad=h) for h in rng.uniform(0, 6, 60)]
    assert sorted(order(*heap)) == list(range(60))


def test_nobody_and_someone_at_the_cameras_place():
    assert far_to_near(np.empty((0, 6)), 0.0, 0.0).tolist() == []
    assert order(box(0, 0), box(20, 0)) == [1, 0]
