"""What a picture contains, and what never reaches it."""

from dataclasses import replace

import numpy as np
import pytest

from app.rendering.painter import prepare
from app.rendering.raster import canvas_on
from app.rendering.style import FilmStyle, View
from app.rendering.window import ego_of
from app.scenes.road_map import Boundary, Lane, Marking, RoadMap
from tests.factories.scenes import make_track, straight_road_scene

STYLE = FilmStyle(width_px=160, height_px=90, width_m=40.0)
TIMES_S = np.array([0.0, 0.5, 1.0])


def painter_of(scene, view=View.top):
    return prepare(scene, ego_of(scene), replace(STYLE, view=view), TIMES_S)


def luma(scene, k=1, view=View.top):
    plane = np.zeros((90, 160), np.uint8)
    blue, red = np.zeros((2, 45, 80), np.uint8)
    painter_of(scene, view).paint(canvas_on(160, plane, blue, red), k)
    return plane


def with_track(scene, track):
    return replace(scene, tracks=(*scene.tracks, track))


def test_who_never_comes_near_is_left_out():
    scene = straight_road_scene(n_cars=3)
    far = make_track("far", time_s=np.arange(41) * 0.1, y_m=500.0)
    assert painter_of(with_track(scene, far)).stage.x_m.shape == (3, 3)
    assert painter_of(scene).stage.x_m.shape == (3, 3)


def test_the_road_out_of_sight_is_left_out():
    scene = straight_road_scene()
    far = Boundary(np.array([[0.0, 900.0], [9.0, 900.0]]), Marking.solid)
    longer = replace(scene.road_map, boundaries=(*scene.road_map.boundaries, far))
    with_far = painter_of(replace(scene, road_map=longer))
    assert len(with_far.atlas.points) == len(painter_of(scene).atlas.points)


@pytest.mark.parametrize("view", list(View))
@pytest.mark.parametrize("field", ["x_m", "y_m", "heading_rad"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_who_is_nowhere_is_not_painted(field, value, view):
    scene = straight_road_scene()
    time_s = np.arange(41) * 0.1
    broken = make_track("broken", time_s=time_s, x_m=20 * time_s + 5, speed_mps=20.0)
    broken = replace(broken, **{field: np.full(41, value)})
    with np.errstate(invalid="ignore"):
        with_it = luma(with_track(scene, broken), view=view)
    np.testing.assert_array_equal(with_it, luma(scene, view=view))


@pytest.mark.parametrize("view", list(View))
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_of_a_map_is_nowhere_is_not_painted(value, view):
    scene = straight_road_scene()
    broken = np.array([[0.0, 0.0], [10.0, value], [20.0, 5.0]])
    road_map = RoadMap(
        lanes=(*scene.road_map.lanes, Lane("broken", broken)),
        boundaries=(*scene.road_map.boundaries, Boundary(broken, Marking.dashed)),
        stop_lines_m=(broken,),
        crossings_m=(broken,),
    )
    broken_map = replace(scene, road_map=road_map)
    np.testing.assert_array_equal(luma(broken_map, view=view), luma(scene, view=view))


def test_a_lane_that_reaches_beyond_all_bounds_is_painted_where_it_is_seen():
    scene = straight_road_scene(n_cars=1)
    endless = np.array([[-1e200, -3.0], [1e200, -3.0], [1e200, 3.0], [-1e200, 3.0]])
    picture = luma(replace(scene, road_map=RoadMap(lanes=(Lane("endless", endless),))))
    assert len(np.unique(picture[40:50, :40])) == 1


def test_the_ego_lies_over_the_others():
    time_s = np.arange(41) * 0.1
    on_top = make_track("twin", time_s=time_s, x_m=20.0 * time_s, speed_mps=20.0)
    scene = straight_road_scene(n_cars=1)
    np.testing.assert_allclose(luma(with_track(scene, on_top))[45, 80], luma(scene)[45, 80])


@pytest.mark.parametrize("view", list(View))
def test_every_view_paints_every_pixel(view):
    scene = straight_road_scene()
    before = np.full((90, 160), 1, np.uint8)
    blue, red = np.full((2, 45, 80), 1, np.uint8)
    painter_of(scene, view).paint(canvas_on(160, before, blue, red), 0)
    assert before.min() >= 16
    assert min(blue.min(), red.min()) > 16
