"""The researcher's preview."""

from dataclasses import replace

import numpy as np
import pytest

from app.rendering.film import film, film_key, render_frame
from app.rendering.overlay import preview_film, preview_frame, preview_key
from app.rendering.style import FilmStyle, View
from app.scenes.road_map import RoadMap
from app.scenes.scene import Scene, Source
from tests.factories.scenes import make_track, straight_road_scene

STYLE = FilmStyle(
    width_px=640, height_px=360, duration_s=0.2, lead_in_s=0.0, fade_s=0.0, width_m=60.0
)
TIMES_S = np.arange(11) * 0.1


def scene_of(*tracks, **more):
    source = Source(generator="by hand")
    return Scene("by hand", 0.1, tracks, RoadMap(), source, ego_id=tracks[0].id, **more)


def ego(**more):
    return make_track("ego", time_s=TIMES_S, **more)


def other(track_id="b", x_m=14.0, speed_mps=10.0, **more):
    return make_track(
        track_id, time_s=TIMES_S, x_m=x_m + speed_mps * TIMES_S, speed_mps=speed_mps, **more
    )


def writing(scene, time_s=0.5):
    """(height, width) what the preview has and the film has not."""
    shown, bare = preview_frame(scene, STYLE, time_s), render_frame(scene, STYLE, time_s)
    return np.abs(shown.astype(int) - bare).max(axis=2)


def below(scene, x_m):
    """What is written below a place that is so far ahead of the ego."""
    column = round(320 + x_m * STYLE.width_px / STYLE.width_m)
    return writing(scene)[190:300, column - 70 : column + 70]


def test_a_preview_is_a_film_with_writing_on_it():
    shown, plain = preview_film(straight_road_scene(), STYLE), film(straight_road_scene(), STYLE)
    assert (shown.n_frames, shown.width_px) == (plain.n_frames, plain.width_px)
    assert shown.data != plain.data
    assert shown == preview_film(straight_road_scene(), STYLE)


def test_a_preview_never_has_the_name_of_a_clip():
    assert preview_key("abc", STYLE) != film_key("abc", STYLE)
    assert preview_key("abc", STYLE) != preview_key("abd", STYLE)
    assert len(preview_key("abc", STYLE)) == 64


def test_a_film_cannot_be_asked_for_writing():
    with pytest.raises(TypeError):
        film(straight_road_scene(), STYLE, overlay=True)  # type: ignore[call-arg]
    assert not any("overlay" in field for field in FilmStyle.__dataclass_fields__)


def test_every_preview_says_that_it_is_one():
    assert (writing(scene_of(ego()))[:30, 450:] > 100).sum() > 200


def test_it_has_a_clock():
    scene = scene_of(ego(speed_mps=0.0))
    corners = [writing(scene, t)[:22, :120] for t in (0.2, 0.21)]
    assert (corners[0] != corners[1]).any()


def test_it_has_a_scale():
    # A fifth of 60 m is 12 m: the bar is 10 m long.
    row = writing(scene_of(ego()))[-16, :200]
    lit = np.nonzero(row > 40)[0]
    assert np.ptp(lit) == pytest.approx(10 * 640 / 60, abs=6)


def test_everyone_has_an_id_and_a_speed():
    slow, fast = (scene_of(ego(), other(y_m=-4.0, speed_mps=v)) for v in (10.0, 20.0))
    assert below(slow, 14).any()
    assert (preview_frame(slow, STYLE, 0.0) != preview_frame(fast, STYLE, 0.0)).any()


def test_roles_are_written_with_the_ids():
    plain, target = (scene_of(ego(), other(), roles=roles) for roles in ({}, {"T": "b"}))
    assert below(target, 14).astype(bool).sum() > below(plain, 14).astype(bool).sum()


def test_who_is_about_to_be_hit_has_a_time():
    calm = below(scene_of(ego(), other(x_m=14.5, speed_mps=9.999)), 14)
    hit = below(scene_of(ego(), other(x_m=19.5, speed_mps=0.0)), 14)
    assert hit.astype(bool).sum() > calm.astype(bool).sum()


def test_an_unknown_speed_is_a_question_mark():
    assert preview_frame(scene_of(ego(speed_mps=np.nan, x_m=0.0)), STYLE, 0.5).any()


def test_who_is_out_of_sight_is_not_written_about():
    near, far = scene_of(ego()), scene_of(ego(), other(x_m=35.0))
    np.testing.assert_array_equal(writing(near), writing(far))


@pytest.mark.parametrize("view", [View.top, View.heading_up, View.overview])
def test_all_views_from_above_can_be_previewed(view):
    assert preview_film(straight_road_scene(), replace(STYLE, view=view)).n_frames == 6


def test_the_chase_view_has_no_writing():
    with pytest.raises(ValueError, match="chase view"):
        preview_frame(straight_road_scene(), replace(STYLE, view=View.chase), 0.5)


def test_what_cannot_be_filmed_cannot_be_previewed():
    with pytest.raises(ValueError, match="missing at 9 s"):
        preview_frame(straight_road_scene(), STYLE, 9.0)
    with pytest.raises(ValueError, match="even"):
        preview_film(straight_road_scene(), replace(STYLE, width_px=333))
