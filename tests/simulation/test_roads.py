from __future__ import annotations

import numpy as np
import pytest

from app.scenes.road_map import Marking
from app.simulation.roads import straight_highway


def test_lanes_lie_side_by_side_from_right_to_left():
    road = straight_highway(3, -100.0, 500.0)
    assert [lane.centre_line_m[0, 1] for lane in road.lanes] == [0.0, 3.5, 7.0]
    tops = [lane.polygon_m[:, 1].max() for lane in road.lanes]
    bottoms = [lane.polygon_m[:, 1].min() for lane in road.lanes]
    assert tops[:-1] == bottoms[1:]


def test_lines_between_lanes_are_dashed_and_edges_are_solid():
    markings = [boundary.marking for boundary in straight_highway(3, 0.0, 1.0).boundaries]
    assert markings == [Marking.solid, Marking.dashed, Marking.dashed, Marking.solid]


def test_everything_is_as_long_as_the_road():
    road = straight_highway(2, -100.0, 500.0)
    for points in [lane.polygon_m for lane in road.lanes] + [b.points_m for b in road.boundaries]:
        assert np.ptp(points[:, 0]) == 600.0


@pytest.mark.parametrize(("n_lanes", "start_m", "end_m"), [(0, 0.0, 1.0), (2, 1.0, 1.0)])
def test_a_road_without_lanes_or_length_is_refused(n_lanes, start_m, end_m):
    with pytest.raises(ValueError, match="highway"):
        straight_highway(n_lanes, start_m, end_m)
