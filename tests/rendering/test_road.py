"""The road as layers."""

import numpy as np
import pytest

from app.rendering import road
from app.rendering.road import road_sprite
from app.scenes.road_map import Boundary, Lane, Marking, RoadMap
from tests.factories.scenes import straight_road

SCALE_PX_PER_M = 20.0
LINE = np.array([[0.0, 0.0], [60.0, 0.0]])


def rings(road_map, colour):
    (layer,) = (layer for layer in road_sprite(road_map, SCALE_PX_PER_M) if layer.colour == colour)
    return list(layer.rings_m)


def paint(*boundaries, **more):
    lane = Lane("lane", np.array([[0.0, -9.0], [60.0, -9.0], [60.0, 9.0], [0.0, 9.0]]))
    return rings(RoadMap(lanes=(lane,), boundaries=boundaries, **more), road.PAINT)


def widths_m(found):
    return [round(float(np.ptp(ring[:, 1])), 3) for ring in found]


def test_three_lanes_are_one_surface():
    assert len(rings(straight_road(n_lanes=3), road.ASPHALT)) == 1


def test_solid_lines_and_edges_are_unbroken():
    for marking in (Marking.solid, Marking.road_edge):
        (ring,) = paint(Boundary(LINE, marking))
        assert np.ptp(ring[:, 0]) == 60
        assert widths_m([ring]) == [road.LINE_M]


def test_a_dashed_line_has_its_dashes_and_gaps():
    starts_m = [ring[:, 0].min() for ring in paint(Boundary(LINE, Marking.dashed))]
    assert starts_m == [4, 16, 28, 40, 52]


def test_a_double_line_is_two_lines():
    left, right = paint(Boundary(LINE, Marking.double_solid))
    assert widths_m([left, right]) == [road.LINE_M] * 2
    assert not left[:, 1].max() > right[:, 1].min() or not right[:, 1].max() > left[:, 1].min()


def test_an_unmarked_boundary_is_not_painted():
    assert paint(Boundary(LINE, Marking.none)) == []


def test_a_line_that_two_lanes_bring_is_painted_once():
    both = Boundary(LINE, Marking.dashed), Boundary(LINE[::-1].copy(), Marking.dashed)
    assert len(paint(*both)) == len(paint(both[0]))


def test_dashes_run_on_where_a_line_is_cut():
    cut = (
        Boundary(LINE * (0.3, 1), Marking.dashed),
        Boundary(LINE * (0.7, 1) + (18, 0), Marking.dashed),
    )
    starts_m = sorted(ring[:, 0].min() for ring in paint(*cut))
    np.testing.assert_allclose(starts_m, [4, 16, 28, 40, 52])


def test_kerbs_and_rails_are_built_not_painted():
    for marking, colour in ((Marking.curb, road.KERB), (Marking.guard_rail, road.RAIL)):
        line = Boundary(LINE, marking)
        assert paint(line) == []
        assert len(rings(RoadMap(boundaries=(line,)), colour)) == 1


def test_a_guard_rail_has_posts():
    line = Boundary(LINE, Marking.guard_rail)
    assert len(rings(RoadMap(boundaries=(line,)), road.POST)) == 5


def test_a_stop_line_is_broad():
    (ring,) = paint(stop_lines_m=(np.array([[5.0, 0.0], [5.0, 3.0]]),))
    assert np.ptp(ring[:, 0]) == pytest.approx(road.STOP_LINE_M)


def test_a_zebra_has_bars_within_its_outline():
    outline = np.array([[10.0, -3.0], [13.0, -3.0], [13.0, 3.0], [10.0, 3.0]])
    bars = paint(crossings_m=(outline,))
    assert len(bars) == 6
    everything = np.concatenate(bars)
    assert (everything >= outline.min(axis=0) - 1e-9).all()
    assert (everything <= outline.max(axis=0) + 1e-9).all()
    assert all(np.ptp(bar[:, 0]) == pytest.approx(3.0) for bar in bars)


def test_from_far_away_lines_stay_wide_enough_to_see():
    layers = road_sprite(RoadMap(boundaries=(Boundary(LINE, Marking.solid),)), scale_px_per_m=2.0)
    (ring,) = (ring for layer in layers for ring in layer.rings_m)
    assert np.ptp(ring[:, 1]) * 2.0 >= road.MIN_LINE_PX - 1e-9


def test_broken_pieces_of_a_map_are_left_out():
    point = np.array([[1.0, 1.0]])
    speck = np.full((4, 2), 3.0)
    road_map = RoadMap(
        lanes=(Lane("lane", point),),
        boundaries=(Boundary(point, Marking.solid), Boundary(speck, Marking.dashed)),
        stop_lines_m=(point,),
        crossings_m=(point, speck),
    )
    assert [ring for layer in road_sprite(road_map, 10.0) for ring in layer.rings_m] == []
