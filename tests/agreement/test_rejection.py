from __future__ import annotations

import numpy as np
import pytest

from app.agreement.ratings import table_from_scores
from app.agreement.rejection import bt500_rejection
from tests.agreement.published import real_ratings


def agreeing(n_clips: int, n_raters: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    quality = 2 + np.arange(n_clips)[:, None] % 7
    return np.clip(quality + rng.integers(-1, 2, size=(n_clips, n_raters)), 1, 11)


def test_who_answers_far_out_on_both_sides_is_rejected():
    scores = agreeing(60, 40, seed=1)
    scores[::2, 0], scores[1::2, 0] = 11, 1

    results = bt500_rejection(table_from_scores(scores, categories=11))

    assert [result.rejected for result in results] == [True] + [False] * 39
    assert results[0].n_above > 5
    assert results[0].n_below > 5


def test_who_is_far_out_on_one_side_is_biased_not_rejected():
    scores = agreeing(60, 40, seed=1)
    scores[:, 0] = 11

    first = bt500_rejection(table_from_scores(scores, categories=11))[0]

    assert first.n_above > 20
    assert first.n_below == 0
    assert not first.rejected


def test_one_among_twenty_cannot_lie_far_out_alone():
    # The outlier makes the kurtosis large, and √20 deviations are more than 19/√20: the
    # rule's own blind spot, and a reason to look at bias and inconsistency instead.
    scores = np.full((30, 20), 5)
    scores[:, 0] = 11

    assert bt500_rejection(table_from_scores(scores, categories=11))[0].n_above == 0


def test_a_clip_that_all_rate_alike_has_no_outlier():
    results = bt500_rejection(table_from_scores(np.full((30, 4), 3), categories=5))

    assert all((result.n_above, result.n_below) == (0, 0) for result in results)


def test_an_answer_exactly_at_the_limit_is_far_out():
    # Divided by n, the variance is 1/4 and the kurtosis 4: 1 and 3 lie at two deviations.
    answers = [1, 1] + [2] * 12 + [3, 3]
    table = table_from_scores(np.array([answers] * 3), categories=3)

    by_n = bt500_rejection(table, ddof=0)

    assert [r.n_above for r in by_n] == [0] * 14 + [3, 3]
    assert [r.n_below for r in by_n] == [3, 3] + [0] * 14


def test_very_many_raters_do_not_overflow():
    scores = np.random.default_rng(1).integers(1, 12, size=(2, 4_000))

    results = bt500_rejection(table_from_scores(scores, categories=11))

    # Uniform answers have a kurtosis of 1.8, and none is √20 deviations away.
    assert sum(result.n_above + result.n_below for result in results) == 0


@pytest.mark.parametrize("name", ["nflx_public", "vqeg_hd3"])
def test_hardly_anyone_of_the_real_raters_is_rejected(name):
    results = bt500_rejection(real_ratings(name))

    assert sum(result.rejected for result in results) <= 1
