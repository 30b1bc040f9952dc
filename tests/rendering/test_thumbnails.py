"""Thumbnails are read back by another program."""

import io
from fractions import Fraction

import av
import numpy as np
import pytest
from PIL import Image

from app.rendering.encoder import encode
from app.rendering.thumbnails import MAX_BYTES, thumbnail

WIDTH_PX, HEIGHT_PX, FPS = 640, 360, 24


def clip(n_frames, paint, width_px=WIDTH_PX, height_px=HEIGHT_PX):
    """An MP4 whose k-th picture is painted on (height, width, 3) RGB."""

    def pictures():
        for k in range(n_frames):
            picture = np.full((height_px, width_px, 3), 120, np.uint8)
            paint(picture, k)
            yield av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(
                format="yuv420p", dst_colorspace="ITU709"
            )

    return encode(pictures(), width_px, height_px, FPS)


def shown(data):
    """(n, height, width, 3) what a browser shows."""
    animation = Image.open(io.BytesIO(data))
    frames = []
    for k in range(animation.n_frames):
        animation.seek(k)
        frames.append(np.asarray(animation.convert("RGB")))
    return np.stack(frames)


def lasts_ms(data):
    """Pictures that do not change are one picture that is shown for longer."""
    animation = Image.open(io.BytesIO(data))
    total_ms = 0
    for k in range(animation.n_frames):
        animation.seek(k)
        animation.load()
        total_ms += animation.info["duration"]
    return total_ms


def moving_in_the_fourth_second(picture, k):
    column = 40 + 20 * min(max(k - 3 * FPS, 0), FPS)
    picture[100:200, column : column + 60] = (213, 94, 0)


def test_a_thumbnail_is_small_moves_and_repeats_for_ever():
    small = thumbnail(clip(5 * FPS, moving_in_the_fourth_second))
    assert small.media_type == "image/webp"
    assert (small.width_px, small.height_px, small.n_frames) == (320, 180, 20)
    assert len(small.data) <= MAX_BYTES
    animation = Image.open(io.BytesIO(small.data))
    assert animation.size == (320, 180)
    assert animation.n_frames > 4
    assert animation.info["loop"] == 0
    assert lasts_ms(small.data) == pytest.approx(2500, abs=125)


def test_it_shows_where_most_happens():
    pictures = shown(thumbnail(clip(8 * FPS, moving_in_the_fourth_second)).data).astype(int)
    assert np.abs(pictures[-1] - pictures[0]).max() > 60


def test_of_a_long_film_only_the_first_minute_is_looked_at():
    def late(picture, k):
        picture[:] = 0 if k >= 61 * FPS and k % 2 else 120

    pictures = shown(thumbnail(clip(63 * FPS, late, 64, 36)).data)
    assert np.ptp(pictures) <= 6


def test_the_still_is_its_first_picture():
    small = thumbnail(clip(5 * FPS, moving_in_the_fourth_second))
    still = np.asarray(Image.open(io.BytesIO(small.still_png)))
    assert np.abs(still.astype(int) - shown(small.data)[0]).mean() < 3


def test_its_colours_are_those_of_the_clip():
    def orange(picture, k):
        picture[:] = (213, 94, 0)

    picture = shown(thumbnail(clip(4, orange)).data)[0]
    assert np.abs(picture.astype(int) - (213, 94, 0)).max() <= 6


def test_a_single_picture_is_enough():
    assert thumbnail(clip(1, lambda picture, k: None)).n_frames == 1


def test_an_upright_clip_stays_upright():
    small = thumbnail(clip(2, lambda picture, k: None, width_px=180, height_px=320))
    assert (small.width_px, small.height_px) == (180, 320)


def test_it_is_the_same_every_time():
    data = clip(FPS, moving_in_the_fourth_second)
    assert thumbnail(data) == thumbnail(data)


def test_even_noise_becomes_small():
    rng = np.random.default_rng(1)

    def noise(picture, k):
        picture[:] = rng.integers(0, 256, picture.shape)

    assert len(thumbnail(clip(3 * FPS, noise, 320, 180)).data) <= 2 * MAX_BYTES


def test_what_is_no_film_is_refused():
    with pytest.raises(ValueError, match="cannot be read"):
        thumbnail(b"not a film")


def test_a_film_without_pictures_is_refused():
    sound = io.BytesIO()
    with av.open(sound, "w", format="wav") as container:
        stream = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), layout="mono")
        frame.sample_rate, frame.time_base = 8000, Fraction(1, 8000)
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with pytest.raises(ValueError, match="cannot be read"):
        thumbnail(sound.getvalue())
