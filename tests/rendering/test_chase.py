"""Pictures in perspective, measured."""

from dataclasses import replace

import numpy as np
import pytest

from app.rendering.chase import prepare_chase
from app.rendering.film import film, render_frame
from app.rendering.perspective import chase_camera
from app.rendering.style import FilmStyle, View
from app.scenes.road_map import RoadMap
from app.scenes.scene import RoadUser, Scene, Source
from tests.factories.scenes import make_track, roundabout_scene, straight_road, straight_road_scene

STYLE = FilmStyle(width_px=640, height_px=360, view=View.chase)
TIMES_S = np.arange(21) * 0.1


def scene_of(*tracks, road_map=None):
    road = RoadMap() if road_map is None else road_map
    return Scene("by hand", 0.1, tracks, road, Source("by hand"), ego_id=tracks[0].id)


def standing(track_id="ego", x_m=0.0, **more):
    return make_track(track_id, time_s=TIMES_S, x_m=x_m, speed_mps=0.0, **more)


def picture(*tracks, style=STYLE, **more):
    return render_frame(scene_of(*tracks, **more), style, 1.0).astype(float)


def red(of):
    return np.clip(of[..., 0] - of[..., 2] - 60, 0, None)


def seen_at(x_m, y_m, z_m):
    column, row, depth = chase_camera(STYLE, 0.0, 0.0, 0.0).world()[0] @ (x_m, y_m, z_m, 1.0)
    return column / depth, row / depth


def test_the_corners_of_a_truck_are_where_the_camera_says():
    # Its cargo is a box: at the rear edges of the top, 12 m ahead of the ego's centre.
    ego = standing(length_m=0.2, width_m=0.2)
    truck = standing("b", x_m=17.0, length_m=10.0, width_m=2.5, kind=RoadUser.truck)
    difference = np.abs(picture(ego, truck) - picture(ego)).sum(axis=2)
    row = round(seen_at(12.0, 0.0, 2.5)[1])
    columns = np.flatnonzero(difference[row] > 60)
    assert columns[0] == pytest.approx(seen_at(12.0, 1.25, 2.5)[0], abs=1.5)
    assert columns[-1] + 1 == pytest.approx(seen_at(12.0, -1.25, 2.5)[0], abs=1.5)
    rows = np.flatnonzero(difference[:, 320] > 60)
    assert rows[0] == pytest.approx(seen_at(19.5, 0.0, 3.6)[1], abs=2)


def test_the_ego_is_in_its_colour_in_the_middle_of_the_columns():
    weight = red(picture(standing()))
    columns = np.flatnonzero((weight > 20).any(axis=0))
    assert (columns[0] + columns[-1] + 1) / 2 == pytest.approx(320, abs=1.0)
    column, row = seen_at(-0.5, 0.0, 1.47)
    assert weight[round(row), round(column)] > 50


def test_the_ego_stays_at_its_place_while_it_turns():
    pictures = [render_frame(roundabout_scene(), STYLE, t).astype(float) for t in (1.5, 3.0, 4.5)]
    for other in pictures[1:]:
        seen = [red(p) > 30 for p in (pictures[0], other)]
        assert (seen[0] & seen[1]).sum() > 0.85 * seen[0].sum()
    assert np.abs(pictures[0] - pictures[1]).mean() > 2


def test_a_car_behind_a_truck_is_hidden_by_it():
    ego = standing(length_m=0.2, width_m=0.2)
    truck = standing("t", x_m=20.0, length_m=10.0, width_m=2.5, kind=RoadUser.truck)
    car = standing("c", x_m=29.0)
    assert np.abs(picture(ego, truck, car) - picture(ego, car, truck)).max() == 0
    shown = np.abs(picture(ego, car) - picture(ego)).sum()
    left_over = np.abs(picture(ego, truck, car) - picture(ego, truck)).sum()
    assert left_over < 0.1 * shown


def test_what_is_behind_the_camera_is_not_drawn():
    behind = standing("b", x_m=-40.0)
    np.testing.assert_array_equal(picture(standing(), behind), picture(standing()))


@pytest.mark.parametrize("x_m", [-10.0, -9.0, -8.0])
@pytest.mark.parametrize("kind", [RoadUser.truck, RoadUser.car])
def test_a_vehicle_at_the_cameras_place_does_no_harm(x_m, kind):
    other = standing("b", x_m=x_m, length_m=12.0, kind=kind)
    for style in (STYLE, replace(STYLE, chase_up_m=2.0)):
        bare, shown = picture(standing(), style=style), picture(standing(), other, style=style)
        np.testing.assert_array_equal(shown[:40, :80], bare[:40, :80])
        assert (red(shown) > 20).any()


def test_who_comes_between_the_camera_and_the_ego_is_seen_through():
    tailgater = standing("b", x_m=-9.0, length_m=10.0, width_m=2.5, kind=RoadUser.truck)
    hidden = (red(picture(standing())) > 20) & (red(picture(standing(), tailgater)) < 1)
    assert hidden.sum() < 0.5 * (red(picture(standing())) > 20).sum()


def test_neighbouring_lanes_leave_no_seam():
    road_map = replace(straight_road(n_lanes=3), boundaries=())
    shown = picture(standing(y_m=1.9, length_m=0.1, width_m=0.1), road_map=road_map)
    assert np.ptp(shown[280:, 200:440].reshape(-1, 3), axis=0).max() == 0


def test_the_road_passes_by():
    before, after = (render_frame(straight_road_scene(), STYLE, t) for t in (1.0, 1.1))
    assert np.abs(before.astype(float) - after)[200:].mean() > 1


@pytest.mark.parametrize("acceleration_mps2", [-1.0, 1.0])
def test_brake_lights_show_braking(acceleration_mps2):
    other = standing("b", x_m=9.0, y_m=3.5, acceleration_mps2=acceleration_mps2)
    shown = picture(standing(), other)
    lit = (shown[..., 0] > 180) & (shown[..., 1] < 100) & (shown[..., 2] < 100)
    assert lit[:, :270].any() == (acceleration_mps2 < 0)


def test_front_and_rear_differ():
    shown = [
        picture(standing(), standing("b", x_m=9.0, y_m=3.5, heading_rad=h)) for h in (0.0, np.pi)
    ]
    bare = picture(standing())
    bright = [((p - bare)[:, :300].min(axis=2) > 20).sum() for p in shown]
    assert bright[1] > bright[0] + 5


def test_far_from_the_origin_the_picture_is_the_same():
    scene = replace(straight_road_scene(), road_map=RoadMap())
    tracks = tuple(replace(t, x_m=t.x_m + 1e7, y_m=t.y_m - 1e7) for t in scene.tracks)
    near = render_frame(scene, STYLE, 0.53).astype(int)
    assert np.abs(render_frame(replace(scene, tracks=tracks), STYLE, 0.53) - near).max() <= 3


def test_three_hundred_vehicles_are_painted():
    rng = np.random.default_rng(0)
    kinds, places = rng.choice(list(RoadUser), 299), rng.uniform(-40, 200, (299, 2))
    crowd = [
        standing(str(k), x_m=x_m, y_m=0.5 * y_m - 40, heading_rad=float(k), kind=RoadUser(kinds[k]))
        for k, (x_m, y_m) in enumerate(places)
    ]
    scene = scene_of(standing(), *crowd)
    assert len(prepare_chase(scene, scene.tracks[0], STYLE, TIMES_S[:1]).stage.tracks) == 300
    shown = render_frame(scene, STYLE, 1.0).astype(float)
    assert (shown[..., 2] - shown[..., 0] > 60).mean() > 0.02


@pytest.mark.parametrize("view", list(View))
def test_a_film_of_any_view_is_the_same_every_time(view):
    style = replace(STYLE, width_px=320, height_px=180, view=view, duration_s=0.3, lead_in_s=0.0)
    assert film(roundabout_scene(), style).data == film(roundabout_scene(), style).data
