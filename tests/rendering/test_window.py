"""Which moments are filmed."""

from dataclasses import replace

import numpy as np
import pytest

from app.rendering.style import FilmStyle
from app.rendering.window import check_ego_is_there, ego_of, picture_times_s, times_of_pictures_s
from tests.factories.scenes import make_track, straight_road_scene

STYLE = FilmStyle(fps=10, lead_in_s=0.0, fade_s=0.0)
EGO = make_track("ego", time_s=np.arange(41) * 0.1)


def test_a_window_ends_before_its_last_moment():
    times_s = picture_times_s(EGO, replace(STYLE, start_s=1.0, duration_s=2.0))
    np.testing.assert_allclose(times_s, 1.0 + np.arange(20) / 10)


def test_the_lead_in_repeats_the_first_moment():
    times_s = picture_times_s(EGO, replace(STYLE, start_s=1.0, duration_s=0.3, lead_in_s=0.2))
    np.testing.assert_allclose(times_s, [1.0, 1.0, 1.0, 1.1, 1.2])


def test_the_first_moment_is_repeated_while_it_fades_in_too():
    style = replace(STYLE, duration_s=0.3, lead_in_s=0.2, fade_s=0.1)
    np.testing.assert_allclose(times_of_pictures_s(style, 1.0, 0.3), [1, 1, 1, 1, 1.1, 1.2])


def test_a_window_may_end_with_the_ego_despite_rounding():
    times_s = picture_times_s(EGO, replace(STYLE, start_s=0.7, duration_s=3.3000001))
    assert len(times_s) == 33


def test_a_single_moment_is_one_picture():
    lone = make_track("ego", time_s=[2.0])
    np.testing.assert_allclose(picture_times_s(lone, STYLE), [2.0])


def test_an_endless_ego_is_not_filmed_whole():
    slow = make_track("ego", time_s=[0.0, 5000.0], speed_mps=0.0)
    with pytest.raises(ValueError, match="5000 s long"):
        picture_times_s(slow, STYLE)


@pytest.mark.parametrize("field", ["x_m", "y_m", "heading_rad"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_an_ego_that_is_nowhere_is_missing(field, value):
    broken = replace(EGO, **{field: np.where(np.arange(41) == 20, value, getattr(EGO, field))})
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(ValueError, match=r"missing at (1\.9|2|0)"),
    ):
        check_ego_is_there(broken, np.arange(41) * 0.1)


def test_an_ego_that_leaps_out_of_the_country_is_refused():
    leaping = replace(EGO, x_m=np.where(np.arange(41) == 20, 1e300, EGO.x_m))
    with pytest.raises(ValueError, match="1000 km"):
        check_ego_is_there(leaping, np.array([2.0]))


@pytest.mark.parametrize("size_m", [0.0, -1.0, np.nan, np.inf, 1e6])
def test_every_track_needs_a_size(size_m):
    scene = straight_road_scene()
    broken = replace(scene, tracks=(*scene.tracks[:-1], replace(scene.tracks[-1], width_m=size_m)))
    with pytest.raises(ValueError, match="'car-2'"):
        ego_of(broken)
