"""Pictures that come out of the ground's colour and go back into it."""

import numpy as np
import pytest

from app.rendering.colour import yuv_of
from app.rendering.fade import count_fading, fade, shown_share
from app.rendering.ground import COLOUR
from app.rendering.raster import canvas_on
from app.rendering.style import FilmStyle


def faded(share):
    """The first pixel of three planes that were 16, 240 and 90."""
    luma, blue, red = np.full((4, 8), 16, np.uint8), *np.full((2, 2, 4), 240, np.uint8)
    red[:] = 90
    fade(canvas_on(8, luma, blue, red), share)
    assert np.ptp(luma) == np.ptp(blue) == np.ptp(red) == 0
    return [int(plane[0, 0]) for plane in (luma, blue, red)]


def test_what_is_shown_whole_is_untouched():
    assert faded(1.0) == [16, 240, 90]


def test_what_is_not_shown_is_ground():
    assert faded(0.0) == [round(level) for level in yuv_of(COLOUR)]


def test_halfway_is_half_of_both():
    expected = (np.array([16, 240, 90]) + yuv_of(COLOUR)) / 2
    np.testing.assert_allclose(faded(0.5), expected, atol=0.51)


def test_it_begins_and_ends_alike_and_never_shows_nothing():
    shares = [shown_share(k, 20, 4) for k in range(20)]
    assert shares == shares[::-1]
    np.testing.assert_allclose(shares[:6], [0.2, 0.4, 0.6, 0.8, 1.0, 1.0])


@pytest.mark.parametrize("n_frames", [1, 2, 3])
def test_a_film_too_short_to_fade_is_still_seen(n_frames):
    assert all(0 < shown_share(k, n_frames, 8) < 1 for k in range(n_frames))


def test_a_fade_is_counted_in_whole_pictures():
    assert [count_fading(FilmStyle(fps=fps, fade_s=0.25)) for fps in (60, 30, 10, 1)] == [
        15,
        8,
        2,
        0,
    ]


def test_no_fade_shows_all():
    assert [shown_share(k, 3, 0) for k in range(3)] == [1, 1, 1]
