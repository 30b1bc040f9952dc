from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from scipy import stats

from app.agreement.kendall import kendall_w, midranks
from app.agreement.ratings import table_from_scores


def test_siegels_three_interviewers_give_the_printed_w():
    interviewers = np.array([[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]])

    result = kendall_w(table_from_scores(interviewers.T, categories=6))

    # Siegel (1956), Nonparametric Statistics, ch. 9: s = 25.5, W = .16.
    assert round(result.w, 2) == 0.16
    assert result.w == pytest.approx(12 * 25.5 / (9 * (6**3 - 6)), abs=1e-14)


@pytest.mark.parametrize("seed", range(6))
def test_w_with_ties_is_friedmans_chi_square_on_another_scale(seed):
    scores = np.random.default_rng(seed).integers(1, 5, size=(12, 5))

    result = kendall_w(table_from_scores(scores, categories=5))

    chi_square = stats.friedmanchisquare(*scores).statistic
    assert result.w == pytest.approx(chi_square / (5 * (12 - 1)), abs=1e-12)


def test_without_ties_the_mean_rank_correlation_is_spearmans():
    rng = np.random.default_rng(2)
    scores = np.stack([rng.permutation(np.arange(1, 11)) for _ in range(4)], axis=1)
    pairs = [
        stats.spearmanr(scores[:, a], scores[:, b]).statistic for a in range(4) for b in range(a)
    ]

    result = kendall_w(table_from_scores(scores, categories=10))

    assert result.mean_rank_correlation == pytest.approx(np.mean(pairs), abs=1e-12)


def test_the_same_order_is_one():
    scores = np.array([[1, 2], [3, 4], [2, 3]])

    assert kendall_w(table_from_scores(scores, categories=4)).w == 1


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.array([[1, 2, 3]]), "two clips and two raters"),
        (np.zeros((2, 2), dtype=np.int64), "two clips and two raters"),
        (np.array([[1, 2], [2, 0], [1, 1]]), "complete data; 1 ratings are missing"),
        (np.array([[2, 1], [2, 1]]), "no rater tells the clips apart"),
    ],
)
def test_w_is_undefined_with_a_reason(scores, reason):
    result = kendall_w(table_from_scores(scores, categories=3))

    assert isnan(result.w)
    assert reason in result.why_undefined


def test_unrated_clips_and_silent_raters_do_not_make_data_incomplete():
    scores = np.array([[1, 2, 0], [0, 0, 0], [3, 1, 0]])

    assert not isnan(kendall_w(table_from_scores(scores, categories=3)).w)


def test_ties_share_their_mean_rank():
    ranks, ties = midranks(np.array([[1], [3], [1], [2]]))

    assert ranks[:, 0].tolist() == [1.5, 4, 1.5, 3]
    assert ties.tolist() == [2**3 - 2]
