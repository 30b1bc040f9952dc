"""The road as layers."""

import numpy as np
import pytest

from app.rendering import road
from app.rendering.outlines import area_m2
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


def test_a_solid_line_is_unbroken():
    (ring,) = paint(Boundary(LINE, Marking.solid))
    assert np.ptp(ring[:, 0]) == 60
    assert widths_m([ring]) == [road.LINE_M]


def test_the_edge_of_a_road_is_no_paint():
    edge = Boundary(LINE, Marking.road_edge)
    assert paint(edge) == []
    (ring,) = rings(RoadMap(lanes=straight_road().lanes, boundaries=(edge,)), road.EDGE)
    assert np.ptp(ring[:, 0]) == 60


def test_the_island_of_a_roundabout_is_no_road():
    turn = np.linspace(0, 2 * np.pi, 17)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    lanes = tuple(
        Lane(str(k), np.array([10 * ring[k], 16 * ring[k], 16 * ring[k + 1], 10 * ring[k + 1]]))
        for k in range(16)
    )
    (asphalt,) = (
        layer for layer in road_sprite(RoadMap(lanes=lanes), 20.0) if layer.colour == road.ASPHALT
    )
    assert asphalt.has_holes
    areas_m2 = sorted(area_m2(loop) for loop in asphalt.rings_m)
    share = 8 * np.sin(np.pi / 8)  # of a regular polygon with 16 corners in its square
    np.testing.assert_allclose(areas_m2, [-share * 100, share * 256], rtol=1e-3)


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


def test_bars_of_a_zebra_lie_across_its_way_however_its_sides_are_cut():
    sides = [(0.0, 3.0), *((x, 0.0) for x in np.arange(0.0, 9.0)), (8.0, 3.0)]
    bars = paint(crossings_m=(np.array(sides),))
    assert len(bars) == 8
    assert all(np.ptp(bar[:, 1]) == pytest.approx(3.0) for bar in bars)


def test_bars_of_a_slanted_zebra_end_where_it_ends():
    outline = np.array([[0.0, 0.0], [10.0, 0.0], [12.0, 4.0], [2.0, 4.0]])
    for bar in paint(crossings_m=(outline,)):
        for x_m, y_m in bar:
            assert y_m / 2 - 1e-9 <= x_m <= 10 + y_m / 2 + 1e-9
            assert -1e-9 <= y_m <= 4 + 1e-9


def test_a_kerb_stands_out_from_any_ground():
    line = Boundary(LINE, Marking.curb)
    (shade,) = rings(RoadMap(boundaries=(line,)), road.KERB_SHADE)
    (kerb,) = rings(RoadMap(boundaries=(line,)), road.KERB)
    assert np.ptp(shade[:, 1]) > np.ptp(kerb[:, 1])


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
