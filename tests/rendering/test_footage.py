"""A finished film goes in, a clip like all others of the study comes out."""

import io
from dataclasses import replace

import av
import numpy as np
import pytest

from app.rendering.colour import rgb_of, rgb_picture
from app.rendering.film import film as film_scene
from app.rendering.film import film_key
from app.rendering.footage import (
    FootageFacts,
    check_window,
    inspect_footage,
    refilm,
    refilm_key,
    remarks_on,
)
from app.rendering.footage_file import FootageError
from app.rendering.footage_picture import planes_of
from app.rendering.ground import COLOUR as GROUND
from app.rendering.style import FilmStyle
from tests.factories.footage import BLUE, GREEN, RED, grey_level, make_film, three_fields
from tests.factories.scenes import straight_road_scene

STYLE = FilmStyle(width_px=320, height_px=180, fps=30, duration_s=1.0, lead_in_s=0.0, fade_s=0.0)


def decoded(data):
    with av.open(io.BytesIO(data)) as container:
        return list(container.decode(video=0))


def colours(frame):
    return rgb_picture(*planes_of(frame))


def brightness(data):
    """Of each picture, undone from limited range."""
    return [(planes_of(frame)[0].mean() - 16) / 219 * 255 for frame in decoded(data)]


def test_a_film_is_looked_through_and_described(tmp_path):
    film = make_film(tmp_path / "a.mp4", n_frames=60, fps=24, size_px=(640, 480), with_sound=True)
    facts = inspect_footage(film)
    assert facts == FootageFacts(
        width_px=640,
        height_px=480,
        frames_per_s=pytest.approx(24.0),
        duration_s=pytest.approx(2.5),
        n_frames=60,
        codec="h264",
        has_sound=True,
        size_bytes=film.stat().st_size,
    )


def test_a_webm_is_described_too(tmp_path):
    facts = inspect_footage(make_film(tmp_path / "a.webm", codec="libvpx-vp9"))
    assert facts.codec.endswith("vp9")
    assert facts.duration_s == pytest.approx(2.0, abs=0.01)
    assert not facts.has_sound


def test_a_film_at_an_uneven_pace_has_its_average_rate(tmp_path):
    film = make_film(tmp_path / "a.mp4", n_frames=20, fps=30, times=lambda n: n * (n + 1) // 2)
    facts = inspect_footage(film)
    assert facts.duration_s == pytest.approx((190 + 19) / 30, abs=0.7)
    assert facts.frames_per_s == pytest.approx(20 / facts.duration_s)


@pytest.mark.parametrize(("n_frames", "sentence"), [(12, "0.5 s long"), (1, "s long")])
def test_a_film_that_is_too_short_is_refused(tmp_path, n_frames, sentence):
    with pytest.raises(FootageError, match=f"{sentence}; it must be 1 to 600 s"):
        inspect_footage(make_film(tmp_path / "a.mp4", n_frames=n_frames))


def test_a_film_that_says_it_is_too_long_is_refused_before_it_is_decoded(tmp_path):
    film = make_film(tmp_path / "a.mp4", fps=1, n_frames=20, times=lambda number: number * 100)
    with pytest.raises(FootageError, match="it must be 1 to 600 s"):
        inspect_footage(film)


def test_colours_survive_at_their_places(tmp_path):
    film = make_film(
        tmp_path / "a.mp4",
        size_px=(640, 360),
        paint=lambda number: three_fields(640, 360),
        colorspace=1,
    )
    for frame in decoded(refilm(film, STYLE).data):
        picture = colours(frame)
        np.testing.assert_allclose(picture[45, 80], RED, atol=3)
        np.testing.assert_allclose(picture[45, 240], GREEN, atol=3)
        np.testing.assert_allclose(picture[135, 160], BLUE, atol=3)


def test_a_4_to_3_film_gets_bars(tmp_path):
    film = make_film(
        tmp_path / "a.mp4",
        size_px=(240, 180),
        paint=lambda number: three_fields(240, 180),
        colorspace=1,
    )
    picture = colours(decoded(refilm(film, STYLE).data)[10])
    assert picture[:, :36].max() <= 6
    assert picture[:, -36:].max() <= 6
    np.testing.assert_allclose(picture[45, 60], RED, atol=3)
    np.testing.assert_allclose(picture[135, 270], BLUE, atol=3)


def test_a_new_film_is_like_every_other_clip(tmp_path):
    film = make_film(tmp_path / "a.webm", codec="libvpx-vp9", size_px=(400, 300), n_frames=72)
    video = refilm(film, replace(STYLE, lead_in_s=0.5, duration_s=2.0))
    with av.open(io.BytesIO(video.data)) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.name, context.pix_fmt, context.profile) == ("h264", "yuv420p", "Main")
        assert context.color_primaries == context.color_trc == context.colorspace == 1
        assert (context.width, context.height) == (320, 180)
        assert stream.average_rate == 30
        assert stream.frames == video.n_frames == 75
        assert float(stream.duration * stream.time_base) == video.duration_s == 2.5
    assert 0 < video.data.find(b"moov") < video.data.find(b"mdat")


def test_the_first_picture_stands_still_for_the_lead_in(tmp_path):
    film = make_film(tmp_path / "a.mp4", fps=30)
    levels = brightness(refilm(film, replace(STYLE, lead_in_s=0.5)).data)
    expected = [grey_level(0)] * 15 + [grey_level(number) for number in range(30)]
    np.testing.assert_allclose(levels, expected, atol=4)


def test_a_film_of_a_scene_stands_still_and_fades_as_the_scene_itself():
    style = replace(STYLE, width_m=40.0, lead_in_s=0.2, fade_s=0.1)
    scene = film_scene(straight_road_scene(), style)
    recorded = film_scene(straight_road_scene(), replace(style, lead_in_s=0.0, fade_s=0.0))
    again = refilm(io.BytesIO(recorded.data), style)
    assert again.n_frames == scene.n_frames == 3 + 6 + 30
    for picture, expected in zip(decoded(again.data), decoded(scene.data), strict=True):
        assert abs(colours(picture).astype(float) - colours(expected)).mean() < 1.5


def test_a_film_fades_in_and_out_bars_and_all(tmp_path):
    film = make_film(
        tmp_path / "a.mp4",
        size_px=(240, 180),
        paint=lambda number: three_fields(240, 180),
        colorspace=1,
    )
    pictures = [
        colours(f).astype(float) for f in decoded(refilm(film, replace(STYLE, fade_s=0.1)).data)
    ]
    steady = pictures[10]
    for k, share in {0: 0.25, 1: 0.5, 2: 0.75, 3: 1.0, -4: 1.0, -3: 0.75, -1: 0.25}.items():
        expected = rgb_of(GROUND) + (steady - rgb_of(GROUND)) * share
        for place in ((45, 60), (135, 160), (90, 10)):
            np.testing.assert_allclose(pictures[k][place], expected[place], atol=6)


def test_24_pictures_per_second_become_30_each_at_its_nearest_moment(tmp_path):
    film = make_film(tmp_path / "a.mp4", fps=24)
    levels = brightness(refilm(film, STYLE).data)
    expected = [grey_level(int((k + 0.47) * 24 / 30)) for k in range(30)]
    np.testing.assert_allclose(levels, expected, atol=4)


def test_60_pictures_per_second_become_30(tmp_path):
    film = make_film(tmp_path / "a.mp4", fps=60, n_frames=90)
    levels = brightness(refilm(film, STYLE).data)
    np.testing.assert_allclose(levels, [grey_level(2 * k) for k in range(30)], atol=4)


def test_a_picture_without_a_successor_stays_until_the_next(tmp_path):
    """A screen recorder writes none while nothing moves."""
    pause = [0, 1, 2, 25, 26, 27, 28, 29, 30, 31]
    film = make_film(tmp_path / "a.mp4", fps=30, n_frames=10, times=lambda number: pause[number])
    levels = brightness(refilm(film, STYLE).data)
    np.testing.assert_allclose(levels[2:25], [grey_level(2)] * 23, atol=4)
    np.testing.assert_allclose(levels[25:30], [grey_level(n) for n in range(3, 8)], atol=4)


def test_the_window_starts_where_it_is_said(tmp_path):
    film = make_film(tmp_path / "a.mp4", fps=30, n_frames=90)
    levels = brightness(refilm(film, replace(STYLE, start_s=1.5)).data)
    np.testing.assert_allclose(levels, [grey_level(45 + k) for k in range(30)], atol=4)


def test_without_a_duration_the_film_is_shown_to_its_end(tmp_path):
    film = make_film(tmp_path / "a.mp4", fps=30, n_frames=60)
    assert refilm(film, replace(STYLE, start_s=0.5, duration_s=None)).n_frames == 45


@pytest.mark.parametrize("window", [{"duration_s": 2.5}, {"start_s": 1.5}, {"start_s": 9.0}])
def test_a_window_beyond_the_film_is_refused(tmp_path, window):
    film = make_film(tmp_path / "a.mp4", fps=30, n_frames=60)
    style = replace(STYLE, **window)
    with pytest.raises(FootageError, match="is not within the film, which is 2 s long"):
        refilm(film, style)
    with pytest.raises(FootageError, match="is not within the film, which is 2 s long"):
        check_window(2.0, style)


def test_a_window_before_the_film_is_refused():
    with pytest.raises(FootageError, match="starts at -1 s, before the film does"):
        check_window(5.0, replace(STYLE, start_s=-1.0))


def test_a_film_whose_end_misses_by_a_millisecond_is_long_enough():
    check_window(0.999, STYLE)


SECRETS = {
    "title": "aggressive policy, epoch 12",
    "comment": "recorded by Alice",
    "location": "+48.7758+009.1829/",
    "encoder": "OurRecorder 3",
    "model": "PHONE-17",
}


def test_nothing_but_pictures_is_taken_over(tmp_path):
    film = make_film(
        tmp_path / "a.mp4",
        with_sound=True,
        metadata=SECRETS,
        container_options={"movflags": "use_metadata_tags"},
    )
    before, after = film.read_bytes(), refilm(film, STYLE).data
    for secret in ("aggressive policy", "Alice", "+48.7758", "PHONE-17"):
        assert secret.encode() in before
        assert secret.encode() not in after
    for name in (b"x264", b"Lavf", b"Lavc", b"OurRecorder", b"soun", b"a.mp4"):
        assert name not in after
    with av.open(io.BytesIO(after)) as container:
        assert [stream.type for stream in container.streams] == ["video"]


def test_the_same_film_twice_gives_the_same_bytes(tmp_path):
    film = make_film(tmp_path / "a.mp4", size_px=(426, 240))
    assert refilm(film, STYLE).data == refilm(io.BytesIO(film.read_bytes()), STYLE).data


def test_progress_is_told_after_each_picture(tmp_path):
    told = []
    refilm(make_film(tmp_path / "a.mp4"), STYLE, on_frame=lambda *at: told.append(at))
    assert told == [(k, 30) for k in range(1, 31)]


def test_a_film_that_was_damaged_in_the_store_is_a_sentence(tmp_path):
    film = make_film(
        tmp_path / "a.mp4",
        paint=lambda n: np.random.default_rng(n).integers(0, 255, (180, 320, 3), dtype=np.uint8),
        container_options={"movflags": "faststart"},
    ).read_bytes()
    with pytest.raises(FootageError, match=r"decoding stopped at 0\.\d+ s"):
        refilm(io.BytesIO(film[: len(film) // 3]), STYLE)


def test_a_style_that_no_video_has_is_refused(tmp_path):
    with pytest.raises(ValueError, match="even"):
        refilm(make_film(tmp_path / "a.mp4"), replace(STYLE, width_px=321))


def test_a_new_film_is_named_by_all_that_decides_it():
    key = refilm_key("abc", STYLE)
    others = {
        refilm_key("abd", STYLE),
        refilm_key("abc", replace(STYLE, start_s=1.0)),
        refilm_key("abc", replace(STYLE, fade_s=0.1)),
        film_key("abc", STYLE),
    }
    assert len(others | {key}) == 5


def test_a_researcher_is_told_what_changes():
    facts = FootageFacts(640, 480, 24.0, 5.0, 120, "h264", has_sound=True, size_bytes=1)
    bars, rate, sound = remarks_on(facts, STYLE)
    assert bars == "The film is 640 × 480 px; around it the picture of 320 × 180 px is black."
    assert rate.startswith("The film has 24 pictures per second and is shown with 30")
    assert sound == "The film's sound is left out."
    ntsc = FootageFacts(1920, 1080, 29.97, 5.0, 150, "h264", has_sound=False, size_bytes=1)
    assert remarks_on(ntsc, STYLE) == []
