"""Pictures from straight above, measured."""

from dataclasses import replace

import numpy as np
import pytest

from app.rendering.film import render_frame
from app.rendering.plan import OVERVIEW_MARGIN_M, prepare_plan
from app.rendering.style import FilmStyle, View
from app.scenes.road_map import Lane, RoadMap
from app.scenes.scene import Scene, Source
from tests.factories.scenes import make_track, roundabout_scene, straight_road_scene

STYLE = FilmStyle(width_px=320, height_px=180, width_m=40.0)
HEADING_UP = replace(STYLE, view=View.heading_up)
OVERVIEW = replace(STYLE, view=View.overview, width_m=80.0)
TIMES_S = np.arange(21) * 0.1


def scene_of(*tracks):
    return Scene("by hand", 0.1, tracks, RoadMap(), Source("by hand"), ego_id=tracks[0].id)


def standing(track_id="ego", **more):
    return make_track(track_id, time_s=TIMES_S, speed_mps=0.0, **more)


def cameras(scene, style, times_s=TIMES_S):
    return prepare_plan(scene, scene.tracks[0], style, times_s).cameras


def middle_px(with_it, without):
    """Centre of mass, in pixels, of what a picture has and another has not."""
    weight = np.abs(with_it.astype(float) - without.astype(float)).sum(axis=2)
    columns, rows = np.arange(weight.shape[1]) + 0.5, np.arange(weight.shape[0]) + 0.5
    across, down = weight.sum(axis=0) @ columns, weight.sum(axis=1) @ rows
    return np.array([across, down]) / weight.sum()


def asphalt(*stop_lines_m):
    """Asphalt all round, so that a line differs from what it lies on by the same everywhere."""
    everywhere = 100.0 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return RoadMap(lanes=(Lane("all", everywhere),), stop_lines_m=stop_lines_m)


@pytest.mark.parametrize("heading_rad", [0.0, 0.7, 2.0, -3.0])
def test_what_is_ahead_is_above_and_what_is_to_the_left_is_left(heading_rad):
    ahead = np.array([np.cos(heading_rad), np.sin(heading_rad)])
    left = np.array([-ahead[1], ahead[0]])
    ego = standing(x_m=0.0, heading_rad=heading_rad)
    bare = render_frame(replace(scene_of(ego), road_map=asphalt()), HEADING_UP, 1.0)
    for ahead_m, left_m in ((6.0, 0.0), (3.0, 12.0), (-5.0, -7.3)):
        middle_m = ahead_m * ahead + left_m * left
        line_m = np.array([middle_m - left, middle_m + left])
        scene = replace(scene_of(ego), road_map=asphalt(line_m))
        found = middle_px(render_frame(scene, HEADING_UP, 1.0), bare)
        np.testing.assert_allclose(found, (160 - 8 * left_m, 90 - 8 * ahead_m), atol=0.05)


@pytest.mark.parametrize("heading_rad", [0.0, 0.7, 2.0, -3.0])
def test_the_ego_looks_up_from_the_middle(heading_rad):
    ego = standing(x_m=0.0, heading_rad=heading_rad)
    picture = render_frame(scene_of(ego), HEADING_UP, 1.0).astype(float)
    red = np.clip(picture[..., 0] - picture[..., 2] - 60, 0, None)
    assert red.sum(axis=0) @ (np.arange(320) + 0.5) / red.sum() == pytest.approx(160, abs=0.05)
    rows = np.flatnonzero(red.max(axis=1) > 10)
    assert (rows[0] + rows[-1] + 1) / 2 == pytest.approx(90, abs=1)


def test_an_ego_that_circles_stands_still_in_the_picture():
    scene, style = roundabout_scene(), replace(STYLE, view=View.heading_up)
    pictures = [render_frame(scene, style, t).astype(float) for t in (1.03, 2.5, 4.77)]
    red = [np.clip(p[..., 0] - p[..., 2] - 60, 0, None) for p in pictures]
    assert np.abs(red[0] - red[1]).sum() < 0.05 * red[0].sum()
    assert np.abs(red[0] - red[2]).sum() < 0.05 * red[0].sum()
    assert np.abs(pictures[0] - pictures[1]).mean() > 1


def test_noise_of_the_heading_moves_the_ego_and_not_the_world():
    noise_rad = 0.03 * np.random.default_rng(1).normal(size=21)
    scene = scene_of(standing(x_m=0.0, heading_rad=noise_rad))
    turns = [camera.turn_rad for camera in cameras(scene, HEADING_UP)]
    assert np.abs(np.diff(turns)).max() < 0.2 * np.abs(np.diff(noise_rad)).max()


def test_an_overview_has_everybody_near_the_ego_in_sight_and_stands_still():
    scene = straight_road_scene()
    seen = cameras(scene, replace(OVERVIEW, duration_s=2.0))
    assert len(set(seen)) == 1
    for track in scene.tracks:
        x_m = track.x_m[:21] - scene.tracks[0].x_m[0]
        y_m = track.y_m[:21] - scene.tracks[0].y_m[0]
        assert seen[0].sees(x_m, y_m, -OVERVIEW_MARGIN_M + 1e-6).all()


def test_an_overview_is_never_nearer_than_other_views_and_has_few_scales():
    standing_scene = scene_of(standing(x_m=0.0))
    assert cameras(standing_scene, OVERVIEW)[0].scale_px_per_m == 4.0
    ratio = 4.0 / cameras(straight_road_scene(), OVERVIEW)[0].scale_px_per_m
    assert np.log2(ratio) * 2 == pytest.approx(round(np.log2(ratio) * 2))
    assert ratio > 1


def test_who_never_comes_near_does_not_make_an_overview_small():
    scene = scene_of(standing(x_m=0.0), standing("far", x_m=500.0))
    assert cameras(scene, OVERVIEW)[0].scale_px_per_m == 4.0


def test_a_still_of_an_overview_is_what_its_film_shows():
    scene = straight_road_scene()
    alone = cameras(scene, OVERVIEW, times_s=np.array([2.0]))
    assert alone[0] == cameras(scene, OVERVIEW)[0]


def test_an_overview_of_a_window_without_the_ego_is_refused():
    with pytest.raises(ValueError, match="nowhere in the window from 5 s"):
        cameras(scene_of(standing(x_m=0.0)), replace(OVERVIEW, start_s=5.0, duration_s=1.0))
