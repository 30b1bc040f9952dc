"""Numbers and states in words."""

import numpy as np
import pytest

from app.agreement.explanations import find_explanation
from app.agreement.summary import summarise
from app.clips.models import ClipState
from app.dashboard.study_now import ClipNow
from app.dashboard.views import agreement_view, counted, number, percent, rated_clip


def view(rows, n_raters=2):
    return agreement_view(summarise(np.array(rows), n_raters))


@pytest.mark.parametrize(
    ("value", "text"), [(0.74165, "0.742"), (-0.1, "−0.100"), (None, "–"), (float("nan"), "–")]
)
def test_a_number_has_a_true_minus_and_a_dash_if_missing(value, text):
    assert number(value, 3) == text


def test_a_share_is_in_percent_and_a_count_has_its_noun():
    assert percent(0.9398) == "94.0 %"
    assert (counted(1, "clip", "clips"), counted(2054, "clip", "clips")) == (
        "1 clip",
        "2,054 clips",
    )


def test_both_kappas_are_shown_with_band_caveat_and_mark():
    shown = view([[2, 0, 0, 0, 0], [0, 0, 0, 0, 2], [0, 1, 1, 0, 0]])
    assert (shown.kappa, shown.band) == ("0.941", "Almost perfect")
    assert shown.why_undefined == ""
    assert shown.mark.kappa_x == pytest.approx(940.6, abs=0.1)
    assert [band.word for band in shown.bands if band.is_reached] == ["Almost perfect"]
    assert "counts every rater as a pair with themselves" in shown.published_caveat
    assert shown.basis.startswith("6 ratings of 3 clips by 2 raters.")


def test_with_few_clips_the_missing_interval_is_explained_once():
    shown = view([[2, 0], [0, 2], [1, 1]])
    assert shown.interval == ""
    assert shown.why_no_interval.startswith("Too few clips for an interval")
    assert shown.why_no_interval not in shown.warnings


def test_with_ten_clips_there_is_an_interval():
    rng = np.random.default_rng(1)
    shown = view(rng.multinomial(8, [0.2] * 5, size=12), n_raters=8)
    low, _, high = shown.interval.partition(" to ")
    assert float(low.replace("−", "-")) < float(shown.kappa.replace("−", "-")) < float(high)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[0, 0], [0, 0]], "There are no ratings yet."),
        ([[1, 0], [0, 1]], "No clip has two ratings yet."),
        ([[1, 1], [0, 0]], "Only one clip is rated"),
        ([[0, 2], [0, 2]], "Not defined: every rating is 2."),
    ],
)
def test_where_there_is_no_number_its_reason_stands(rows, reason):
    shown = view(rows)
    assert (shown.kappa, shown.published, shown.band, shown.mark) == ("–", "–", "", None)
    assert shown.why_undefined.startswith(reason)
    assert shown.warnings == ()


def test_below_zero_the_mark_stays_at_the_edge_and_the_number_tells():
    shown = view([[1, 0, 0, 0, 1]] * 3)
    assert shown.kappa == "−1.000"
    assert (shown.band, shown.mark.kappa_x) == ("Poor", 0.0)


def test_a_histogram_has_one_column_for_each_answer_and_the_tallest_fills_it():
    clip = ClipNow(7, 1, "calm", "a", "/x", ClipState.ready, 0, 0, "", None, (0, 2, 4, 1, 0))
    row = rated_clip(clip)
    assert [bar.height for bar in row.bars] == [0, 13, 26, 6.5, 0]
    assert all(bar.y + bar.height == 26 for bar in row.bars)
    assert row.distribution == "0 × 1, 2 × 2, 4 × 3, 1 × 4, 0 × 5"
    assert (row.mean, row.n_ratings) == ("2.86", "7")


def test_every_number_on_the_live_page_is_explained_somewhere():
    view = agreement_view(summarise(np.array([[2, 0], [0, 2], [1, 1]])))
    for other in view.others:
        assert find_explanation(other.explained_at.removeprefix("/statistics/")) is not None
