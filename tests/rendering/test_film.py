"""What a viewer gets: files are decoded again and measured."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import pairwise

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from app.rendering import film as film_module
from app.rendering.colour import rgb_of, yuv_of
from app.rendering.film import Video, film, film_key, render_frame
from app.rendering.style import FilmStyle, View
from app.scenes.road_map import Boundary, Marking, RoadMap
from app.scenes.scene import Floats, RoadUser, Scene, Source, Track
from tests.factories.scenes import make_track, straight_road, straight_road_scene

SMALL = FilmStyle(
    width_px=320, height_px=180, fps=30, duration_s=0.4, lead_in_s=0.1, fade_s=0.0, width_m=40.0
)
PX_PER_M = SMALL.width_px / SMALL.width_m
TIMES_S = np.arange(21) * 0.1
LUMA_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])  # ITU-R BT.709


@pytest.fixture(scope="module")
def video() -> Video:
    return film(straight_road_scene(), SMALL)


def scene_of(*tracks: Track, road_map: RoadMap | None = None) -> Scene:
    """A scene whose ego is the first track, by default on bare ground."""
    return Scene(
        name="by hand",
        step_s=0.1,
        tracks=tracks,
        road_map=road_map or RoadMap(),
        source=Source(generator="by hand"),
        ego_id=tracks[0].id,
    )


def standing(track_id: str = "ego", x_m: float = 0.0, y_m: float = 0.0, **more: object) -> Track:
    return make_track(track_id, time_s=TIMES_S, x_m=x_m, y_m=y_m, speed_mps=0.0, **more)  # type: ignore[arg-type]


def decoded(data: bytes) -> list[av.VideoFrame]:
    with av.open(io.BytesIO(data)) as container:
        return list(container.decode(video=0))


def luma(frame: av.VideoFrame) -> Floats:
    return frame.to_ndarray()[: frame.height].astype(np.float64)


def redness(picture: NDArray[np.uint8]) -> Floats:
    """How much more red than blue; only the ego and lights have any to speak of."""
    return np.clip(picture[..., 0].astype(float) - picture[..., 2] - 60, 0, None)


def blueness(picture: NDArray[np.uint8]) -> Floats:
    return np.clip(picture[..., 2].astype(float) - picture[..., 0] - 60, 0, None)


def middle_column(weight: Floats) -> float:
    columns = np.arange(weight.shape[1]) + 0.5
    return float((weight.sum(axis=0) * columns).sum() / weight.sum())


@cache
def still(time_s: float = 0.5) -> NDArray[np.uint8]:
    return render_frame(straight_road_scene(), SMALL, time_s)


def test_a_film_says_what_is_in_its_file(video: Video):
    with av.open(io.BytesIO(video.data)) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height) == (video.width_px, video.height_px) == (320, 180)
        assert stream.average_rate == stream.guessed_rate == video.fps == 30
        assert stream.frames == len(decoded(video.data)) == video.n_frames == 15
        assert stream.duration * stream.time_base == pytest.approx(video.duration_s) == 0.5


def test_frames_follow_each_other_evenly_from_zero(video: Video):
    times_s = [float(frame.time) for frame in decoded(video.data)]
    np.testing.assert_allclose(times_s, np.arange(15) / 30, atol=1e-4)


def test_browsers_are_told_the_colours(video: Video):
    with av.open(io.BytesIO(video.data)) as container:
        context = container.streams.video[0].codec_context
        assert context.pix_fmt == "yuv420p"
        assert context.profile == "Main"
        # ITU-T H.273: 1 is BT.709 for all three; of ranges, 1 is the limited one here.
        assert context.color_primaries == context.color_trc == context.colorspace == 1
        assert context.color_range == 1
    assert b"colr" in video.data


def test_a_film_starts_before_it_is_all_there(video: Video):
    assert 0 < video.data.find(b"moov") < video.data.find(b"mdat")


def test_a_film_does_not_say_what_made_it(video: Video):
    for name in (b"x264", b"Lavf", b"Lavc", b"straight road", b"by hand"):
        assert name not in video.data


def test_a_film_is_the_same_every_time(video: Video):
    assert film(straight_road_scene(), SMALL).data == video.data


def test_a_viewer_can_seek_to_every_other_second():
    two_s = film(straight_road_scene(), replace(SMALL, fps=10, duration_s=4.0, lead_in_s=0.0))
    keys = [k for k, frame in enumerate(decoded(two_s.data)) if frame.key_frame]
    assert keys == [0, 20]


def test_the_first_picture_stands_still_for_the_lead_in(video: Video):
    frames = [luma(frame) for frame in decoded(video.data)]
    moves = [np.abs(after - before).mean() for before, after in pairwise(frames)]
    assert max(moves[:3]) < 0.2 * min(moves[3:])


def test_the_fade_does_not_shorten_what_stands_still():
    fading = film(straight_road_scene(), replace(SMALL, fade_s=0.2))
    frames = [luma(frame) for frame in decoded(fading.data)]
    moves = [np.abs(after - before).mean() for before, after in pairwise(frames)]
    n_fading, n_still = 6, 3
    assert fading.n_frames == n_fading + 15
    assert max(moves[n_fading : n_fading + n_still]) < 0.5 * min(moves[n_fading + n_still : -6])


def test_a_film_comes_out_of_the_ground_and_goes_back_into_it():
    fading, plain = (
        [luma(f) for f in decoded(film(straight_road_scene(), replace(SMALL, fade_s=fade_s)).data)]
        for fade_s in (0.1, 0.0)
    )
    plain = [plain[0]] * 3 + plain
    shares = [np.ptp(after) / np.ptp(before) for after, before in zip(fading, plain, strict=True)]
    np.testing.assert_allclose(shares[:4], [0.25, 0.5, 0.75, 1.0], atol=0.08)
    np.testing.assert_allclose(shares[-4:], [1.0, 0.75, 0.5, 0.25], atol=0.08)
    np.testing.assert_allclose(shares[4:-4], 1.0, atol=0.05)


def test_a_still_does_not_fade():
    faded = render_frame(straight_road_scene(), replace(SMALL, fade_s=1.0), 0.5)
    np.testing.assert_array_equal(faded, still())


def test_progress_is_told_after_each_picture():
    told: list[tuple[int, int]] = []
    film(straight_road_scene(), SMALL, on_frame=lambda done, total: told.append((done, total)))
    assert told == [(k, 15) for k in range(1, 16)]


def test_the_ego_is_in_its_colour_at_the_centre(video: Video):
    for frame in decoded(video.data):
        planes = frame.to_ndarray()
        centre = planes[90, 160], planes[180 + 45 // 2, 80], planes[180 + 45 + 45 // 2, 80]
        np.testing.assert_allclose(centre, yuv_of("#D55E00"), atol=3)
    assert np.abs(still()[90, 160].astype(int) - rgb_of("#D55E00")).max() <= 2


@pytest.mark.parametrize("kind", list(RoadUser))
def test_every_kind_of_ego_is_centred_and_points_ahead(kind: RoadUser):
    track = standing(kind=kind, length_m=4.0, width_m=1.8)
    weight = redness(render_frame(scene_of(track), SMALL, 1.0))
    rows, columns = np.nonzero(weight > 20)
    assert abs(rows.mean() + 0.5 - 90) < 1.0
    assert abs((columns.min() + columns.max() + 1) / 2 - 160) < 4.0
    backwards = standing(kind=kind, length_m=4.0, width_m=1.8, heading_rad=np.pi)
    turned = render_frame(scene_of(backwards), SMALL, 1.0)
    assert np.abs(redness(turned) - weight).max() > 50


def test_a_standing_car_has_its_true_size():
    picture = redness(render_frame(scene_of(standing(length_m=5.0, width_m=2.0)), SMALL, 1.0))
    outer = np.nonzero(picture > 10)
    assert np.ptp(outer[1]) + 1 == pytest.approx(5.0 * PX_PER_M, abs=3)
    assert np.ptp(outer[0]) + 1 == pytest.approx(2.0 * PX_PER_M, abs=3)


def test_a_car_moves_as_far_as_it_drives():
    speed_mps = 3.0
    other = make_track(
        "other", time_s=TIMES_S, x_m=-6 + speed_mps * TIMES_S, y_m=4.0, speed_mps=speed_mps
    )
    asphalt = RoadMap(lanes=straight_road().lanes)
    scene = scene_of(standing(), other, road_map=asphalt)
    bare = scene_of(standing(), road_map=asphalt)
    expected = 160 + (-6 + np.arange(18) / 30 * speed_mps) * PX_PER_M

    def misses(pairs: Iterable[tuple[Floats, Floats]]) -> Floats:
        """How far from the expected column the middle of the difference of two pictures is."""
        columns = []
        for (without, with_it), column in zip(pairs, expected, strict=True):
            # What is covered is linear in the difference; beyond the car there is only noise.
            part = slice(round(column) - 30, round(column) + 30)
            columns.append(part.start + middle_column((without - with_it)[40:76, part]))
        return np.array(columns) - expected

    def brightness(of: Scene, k: int) -> Floats:
        return np.asarray(render_frame(of, SMALL, k / 30) @ LUMA_WEIGHTS)

    painted = misses((brightness(bare, k), brightness(scene, k)) for k in range(18))
    np.testing.assert_allclose(painted, painted.mean(), atol=0.02)

    style = replace(SMALL, duration_s=0.6, lead_in_s=0.0)
    films = [map(luma, decoded(film(s, style).data)) for s in (bare, scene)]
    compressed = misses(zip(*films, strict=True))
    np.testing.assert_allclose(compressed, painted, atol=0.1)
    assert compressed.std() < 0.05


def test_dashes_stay_on_the_road_while_the_ego_drives():
    ego = make_track("ego", time_s=TIMES_S, speed_mps=2.0)
    line = Boundary(np.array([[-50.0, 4.0], [50.0, 4.0]]), Marking.dashed)
    scene = scene_of(ego, road_map=RoadMap(boundaries=(line,)))
    row = round(90 - 4.0 * PX_PER_M)

    def dash_starts(time_s: float) -> Floats:
        dark = -render_frame(scene, SMALL, time_s)[row, :, 1].astype(float)
        share = (dark - dark.min()) / np.ptp(dark)
        rising = np.nonzero((share[:-1] < 0.5) & (share[1:] >= 0.5))[0]
        return rising + (0.5 - share[rising]) / (share[rising + 1] - share[rising])

    before, after = dash_starts(0.5), dash_starts(0.6)
    assert len(before) >= 2
    np.testing.assert_allclose(before - after, 2.0 * 0.1 * PX_PER_M, atol=0.3)


def test_the_ground_passes_by_where_there_is_nothing_else():
    ego = make_track("ego", time_s=TIMES_S, speed_mps=5.0)
    before, after = (render_frame(scene_of(ego), SMALL, t)[:60].astype(float) for t in (0.5, 0.7))
    assert before.std() > 1
    # Five metres per second for a fifth of a second is exactly eight pixels.
    np.testing.assert_allclose(before[:, 8:], after[:, :-8], atol=1.01)


def test_neighbouring_lanes_leave_no_seam():
    road_map = replace(straight_road(n_lanes=3), boundaries=())
    for y_m in (-2.03, -1.51, 0.37, 1.9):
        ego = standing(y_m=y_m, length_m=0.1, width_m=0.1)
        picture = render_frame(scene_of(ego, road_map=road_map), SMALL, 1.0)
        top, bottom = (round(90 - (edge_m - y_m) * PX_PER_M) for edge_m in (8.25, -1.25))
        road = picture[max(top, 0) : bottom, :120].reshape(-1, 3)
        assert np.ptp(road, axis=0).max() == 0


def test_a_car_is_shown_only_while_it_is_known():
    there = (TIMES_S > 0.55) & (TIMES_S < 1.05)
    other = standing("other", x_m=8.0, valid=there)
    scene = scene_of(standing(), other)
    seen = [blueness(render_frame(scene, SMALL, t)).sum() > 0 for t in (0.3, 0.58, 0.8, 1.0, 1.3)]
    assert seen == [False, False, True, True, False]


def test_a_heading_that_passes_half_a_turn_does_not_spin():
    ego = standing(heading_rad=np.where(np.arange(21) % 2 == 0, np.pi - 0.01, -np.pi + 0.01))
    weight = [redness(render_frame(scene_of(ego), SMALL, t)) for t in (1.0, 1.05, 1.1)]
    assert np.abs(weight[1] - weight[0]).sum() < 0.1 * weight[0].sum()
    assert np.abs(weight[2] - weight[1]).sum() < 0.1 * weight[0].sum()


def test_far_from_the_origin_the_picture_is_the_same():
    scene = straight_road_scene()
    shift = np.array([1e7, -1e7])
    far = replace(
        scene,
        tracks=tuple(replace(t, x_m=t.x_m + 1e7, y_m=t.y_m - 1e7) for t in scene.tracks),
        road_map=RoadMap(
            lanes=tuple(
                replace(lane, polygon_m=lane.polygon_m + shift) for lane in scene.road_map.lanes
            ),
            boundaries=tuple(
                replace(line, points_m=line.points_m + shift) for line in scene.road_map.boundaries
            ),
        ),
    )
    near = render_frame(scene, SMALL, 0.53).astype(int)
    assert np.abs(render_frame(far, SMALL, 0.53) - near).max() <= 1


@pytest.mark.parametrize(("acceleration_mps2", "lit"), [(-1.0, True), (-0.4, False), (1.0, False)])
def test_brake_lights_show_braking(acceleration_mps2: float, lit: bool):
    ego = standing(x_m=-100.0)
    track = standing("b", x_m=-100.0, y_m=5.0, acceleration_mps2=acceleration_mps2)
    picture = render_frame(scene_of(ego, track), SMALL, 1.0)[:70].astype(int)
    bright_red = (picture[..., 0] > 200) & (picture[..., 1] < 120) & (picture[..., 2] < 120)
    assert bright_red.any() == lit


def test_a_film_has_no_road_where_none_is_known():
    assert film(scene_of(standing(), standing("b", x_m=9.0)), SMALL).n_frames == 15


@pytest.mark.parametrize("width_px", [318, 322, 334])
def test_any_even_width_is_filmed(width_px: int):
    video = film(straight_road_scene(), replace(SMALL, width_px=width_px, duration_s=0.1))
    assert decoded(video.data)[0].width == width_px


def test_without_a_window_the_ego_is_filmed_from_first_to_last():
    late = make_track("ego", time_s=TIMES_S, valid=(TIMES_S > 0.45) & (TIMES_S < 1.55))
    scene = scene_of(late, standing("b", x_m=5.0))
    video = film(scene, replace(SMALL, duration_s=None, lead_in_s=0.0))
    assert video.duration_s == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"width_px": 321}, "even"),
        ({"height_px": 99}, "even"),
        ({"width_px": 100_000}, "64 to 4096"),
        ({"height_px": 0}, "64 to 4096"),
        ({"fps": 0}, "frames per second"),
        ({"fps": 1000}, "frames per second"),
        ({"duration_s": 0.0}, "duration"),
        ({"duration_s": 1e9}, "duration"),
        ({"duration_s": float("nan")}, "duration"),
        ({"start_s": float("nan")}, "start"),
        ({"lead_in_s": -1.0}, "lead-in"),
        ({"fade_s": -0.1}, "fade"),
        ({"fade_s": float("nan")}, "fade"),
        ({"width_m": 0.0}, "m wide"),
        ({"ego_colour": "orange"}, "'orange'"),
        ({"other_colour": "#12345"}, "#12345"),
        ({"start_s": -1.0}, "-1 s"),
        ({"start_s": 3.9}, "4.3 s"),
        ({"start_s": 9.0, "duration_s": None}, "from 9 s"),
    ],
)
def test_what_cannot_be_filmed_is_refused(change: dict[str, object], sentence: str):
    with pytest.raises(ValueError, match=sentence):
        film(straight_road_scene(), replace(SMALL, **change))  # type: ignore[arg-type]


def test_a_scene_without_its_ego_is_refused():
    scene = straight_road_scene()
    with pytest.raises(ValueError, match="no ego"):
        film(replace(scene, ego_id=None), SMALL)
    with pytest.raises(ValueError, match="'ghost' is nowhere"):
        film(replace(scene, ego_id="ghost"), SMALL)
    with pytest.raises(ValueError, match="'ego' is nowhere"):
        film(scene_of(standing(valid=False)), SMALL)


def test_an_ego_with_a_gap_in_the_window_is_refused():
    gap = make_track("ego", time_s=TIMES_S, valid=(TIMES_S < 0.15) | (TIMES_S > 0.25))
    with pytest.raises(ValueError, match=r"'ego' is missing at 0\.1"):
        film(scene_of(gap), SMALL)
    with pytest.raises(ValueError, match=r"missing at 0\.2 s"):
        render_frame(scene_of(gap), SMALL, 0.2)


def test_an_empty_scene_is_refused():
    with pytest.raises(ValueError, match="no ego"):
        film(replace(straight_road_scene(0), ego_id=None), SMALL)


def test_a_single_moment_is_filmed_as_one_picture():
    ego = make_track("ego", time_s=[3.0], x_m=[5.0])
    video = film(scene_of(ego), replace(SMALL, duration_s=None, lead_in_s=0.0))
    assert video.n_frames == len(decoded(video.data)) == 1
    with pytest.raises(ValueError, match=r"from 3 s to 3\.4 s is not within"):
        film(scene_of(ego), SMALL)


def test_gaps_and_numbers_that_are_none_are_not_shown():
    x_m = np.where((TIMES_S > 0.35) & (TIMES_S < 1.25), np.nan, 8.0)
    halfway = make_track("b", time_s=TIMES_S, x_m=x_m, speed_mps=0.0)
    unheaded = standing("c", x_m=-8.0, heading_rad=np.nan)
    scene = scene_of(standing(), halfway, unheaded)
    seen = [blueness(render_frame(scene, SMALL, t)).sum() > 0 for t in (0.2, 0.8, 1.5)]
    assert seen == [True, False, True]


def test_an_ego_that_stands_is_filmed_standing():
    frames = [luma(frame) for frame in decoded(film(scene_of(standing()), SMALL).data)]
    assert max(np.abs(after - frames[0]).mean() for after in frames) < 0.5


def test_a_crowd_on_a_map_of_twenty_thousand_segments_is_filmed():
    x_m = np.linspace(-200.0, 400.0, 1001)
    lines = tuple(
        Boundary(np.stack([x_m, np.full_like(x_m, 2.0 * k)], axis=1), Marking.dashed)
        for k in range(-10, 10)
    )
    crowd = (
        standing(str(k), x_m=-70 + 9.0 * (k % 30), y_m=-9 + 2.0 * (k // 30)) for k in range(300)
    )
    scene = scene_of(standing(y_m=-9.0), *crowd, road_map=RoadMap(boundaries=lines))
    style = replace(SMALL, width_m=120.0, duration_s=0.1)
    assert film(scene, style).n_frames == 6
    assert (blueness(render_frame(scene, style, 1.0)) > 20).mean() > 0.1


def test_five_minutes_are_filmed():
    time_s = np.arange(3001) * 0.1
    scene = scene_of(make_track("ego", time_s=time_s, speed_mps=30.0))
    style = replace(SMALL, width_px=64, height_px=64, fps=2, duration_s=None, lead_in_s=0.0)
    video = film(scene, style)
    assert video.n_frames == len(decoded(video.data)) == 600
    assert video.duration_s == pytest.approx(300.0)


def test_a_track_without_a_size_is_refused():
    with pytest.raises(ValueError, match="'b' is 0 m × 2 m"):
        film(scene_of(standing(), standing("b", length_m=0.0, width_m=2.0)), SMALL)


def test_a_film_is_named_by_all_that_decides_it(monkeypatch: pytest.MonkeyPatch):
    key = film_key("abc", SMALL)
    assert key == film_key("abc", replace(SMALL))
    assert len(key) == 64
    assert int(key, 16)
    others = {film_key("abd", SMALL), film_key("abc", replace(SMALL, lead_in_s=0.2))}
    monkeypatch.setattr(film_module, "RENDERER_VERSION", "another")
    others.add(film_key("abc", SMALL))
    assert len(others | {key}) == 4


def test_a_style_read_from_json_names_the_same_film():
    assert film_key("abc", replace(SMALL, view=View("top"))) == film_key("abc", SMALL)
