"""A still is the middle picture of the film."""

import io
from dataclasses import replace

import av
import numpy as np
import pytest

from app.clips.still import STILL_STYLE, middle_png
from app.rendering.film import render_frame
from tests.factories.scenes import straight_road_scene


def decode(png: bytes):
    with av.open(io.BytesIO(png)) as container:
        return next(container.decode(video=0)).to_ndarray(format="rgb24")


def test_the_still_is_what_raters_see_in_the_middle():
    scene = straight_road_scene()
    times_s = scene.track(scene.ego_id).time_s
    expected = render_frame(scene, STILL_STYLE, float(times_s[len(times_s) // 2]))
    assert np.array_equal(decode(middle_png(scene)), expected)


def test_a_scene_without_an_ego_has_no_still():
    with pytest.raises(ValueError, match="no ego"):
        middle_png(replace(straight_road_scene(), ego_id=None))
