import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.tracks import rows as rows_module
from app.scenes.formats.tracks.rows import Rows, Survey, Window, collect_rows


def block(track: int, start_s: float, end_s: float, step_s: float = 0.1) -> Rows:
    time_s = np.arange(round(start_s / step_s), round(end_s / step_s) + 1) * step_s
    unknown = np.full(len(time_s), np.nan)
    return Rows(
        np.full(len(time_s), track),
        time_s,
        time_s * 10,
        time_s * 0,
        unknown,
        unknown,
        unknown,
        unknown,
    )


RECORDING = [block(1, 0, 5), block(2, 3, 20), block(3, 18, 30)]


def collect(options: ReadOptions | None = None, notes: Notes | None = None, ego=None) -> Rows:
    return collect_rows(
        lambda: iter(RECORDING), options or ReadOptions(), notes or Notes(), "a.csv", {"e": ego}.get
    )


def test_without_a_window_everything_is_kept():
    kept = collect()
    assert len(kept) == sum(map(len, RECORDING))
    assert set(kept.track.tolist()) == {1, 2, 3}


def test_a_window_keeps_both_its_ends_in_spite_of_rounding():
    kept = collect(ReadOptions(start_s=18.3, end_s=18.9))
    assert (kept.time_s.min(), kept.time_s.max()) == pytest.approx((18.3, 18.9))
    assert len(kept) == 14


def test_an_open_window_is_open_on_its_other_side():
    assert collect(ReadOptions(start_s=25)).time_s.min() == pytest.approx(25)
    assert collect(ReadOptions(end_s=1)).time_s.max() == pytest.approx(1)


def test_a_window_without_a_sample_tells_when_there_are_some():
    with pytest.raises(SceneFormatError) as refusal:
        collect(ReadOptions(start_s=50, end_s=60))
    assert str(refusal.value) == (
        "a.csv: there is no sample from 50 s to 60 s; the recording lasts from 0 s to 30 s"
    )


def test_a_file_without_rows_is_refused():
    with pytest.raises(SceneFormatError, match="there are no rows in the file"):
        collect_rows(lambda: iter([]), ReadOptions(), Notes(), "a.csv", {}.get)


def test_too_large_a_recording_is_cut_to_the_time_of_its_longest_track(monkeypatch):
    monkeypatch.setattr(rows_module, "MAX_SAMPLES", 250)
    notes = Notes()
    kept = collect(notes=notes)
    assert (kept.time_s.min(), kept.time_s.max()) == pytest.approx((3, 20))
    assert "more than a scene may have" in notes.listed()[0].sentence


def test_too_large_a_recording_is_cut_to_the_time_of_the_ego_if_there_is_one(monkeypatch):
    monkeypatch.setattr(rows_module, "MAX_SAMPLES", 250)
    assert collect(ReadOptions(ego_id="e"), ego=3).time_s.min() == pytest.approx(18)


def test_who_is_not_in_the_recording_is_not_called_the_ego(monkeypatch):
    monkeypatch.setattr(rows_module, "MAX_SAMPLES", 250)
    notes = Notes()
    collect(ReadOptions(ego_id="nobody"), notes)
    assert "the time of the road user seen longest from 3 s to 20 s" in notes.listed()[0].sentence


@pytest.mark.parametrize(
    ("window", "words"),
    [
        (Window(1.6e9, 1.6e9 + 0.5), "from 1600000000 s to 1600000000.5 s"),
        (Window(start_s=3), "from 3 s on"),
        (Window(end_s=3), "up to 3 s"),
    ],
)
def test_a_window_is_told_in_words(window, words):
    assert str(window) == words


def test_no_more_than_a_minute_is_cut_out(monkeypatch):
    monkeypatch.setattr(rows_module, "MAX_SAMPLES", 1000)
    kept = collect_rows(lambda: iter([block(1, 0, 200)]), ReadOptions(), Notes(), "a.csv", {}.get)
    assert kept.time_s.max() == pytest.approx(60)


def test_too_large_a_window_is_refused_and_not_shortened_in_silence(monkeypatch):
    monkeypatch.setattr(rows_module, "MAX_SAMPLES", 20)
    with pytest.raises(SceneFormatError, match="the window holds more than 20 samples"):
        collect(ReadOptions(start_s=0, end_s=5))
    with pytest.raises(SceneFormatError, match="one minute of the recording has more than 20"):
        collect()


def test_a_survey_does_not_depend_on_the_order_of_the_rows():
    shuffled = np.random.default_rng(0).permutation(len(RECORDING[1]))
    survey = Survey()
    survey.add(RECORDING[1].take(shuffled))
    survey.add(RECORDING[0])
    assert survey.span_s() == pytest.approx((0, 20))
    assert survey.longest() == 2


def test_a_window_of_everything_holds_everything():
    assert Window().holds(np.array([-1e9, 0, 1e9])).all()
