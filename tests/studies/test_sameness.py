"""A clip that could be told apart by its length, size, rate, scale or palette is found."""

import pytest

from app.clips.models import Clip
from app.studies.models import StudyClip
from app.studies.sameness import odd_clips


def study_clip(name: str, **changes: object) -> StudyClip:
    style = {"start_s": 1.0, "width_m": 120.0, "other_colour": "#0072B2", "view": "top"}
    came_out = {"width_px": 320, "height_px": 180, "fps": 30, "duration_s": 10.5}
    facts = {name: value for name, value in changes.items() if name not in style}
    clip = Clip(
        style=style | {name: value for name, value in changes.items() if name in style},
        **{"frames_total": 315, **came_out} | facts,
    )
    return StudyClip(name=name, clip=clip)


def test_clips_that_look_alike_are_not_odd():
    assert odd_clips([study_clip("a"), study_clip("b")]) == {}


def test_where_a_clip_begins_in_its_scene_is_its_own():
    assert odd_clips([study_clip("a"), study_clip("b", start_s=7.0)]) == {}


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("duration_s", 9.0, "duration_s is 9.0, not 10.5"),
        ("frames_total", 270, "n_frames is 270, not 315"),
        ("width_px", 640, "width_px is 640, not 320"),
        ("height_px", 360, "height_px is 360, not 180"),
        ("fps", 25, "fps is 25, not 30"),
        ("width_m", 60.0, "width_m is 60.0, not 120.0"),
        ("other_colour", "#000000", "other_colour is #000000, not #0072B2"),
        ("view", "chase", "view is chase, not top"),
    ],
)
def test_the_clip_that_differs_is_named_with_what_differs(part, value, told):
    rows = [study_clip("a"), study_clip("odd", **{part: value}), study_clip("c")]
    assert odd_clips(rows) == {"odd": told}


def test_nothing_is_odd_without_clips():
    assert odd_clips([]) == {}
