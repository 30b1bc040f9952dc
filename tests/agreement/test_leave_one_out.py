from __future__ import annotations

import numpy as np
import pytest

from app.agreement.kappa import weighted_fleiss_kappa
from app.agreement.leave_one_out import (
    clip_moments,
    kappa_of_sums,
    kappa_without_each_clip,
    kappa_without_each_rater,
)
from app.agreement.ratings import table_from_scores
from app.agreement.weights import quadratic_weights
from tests.agreement.published import FLEISS_1971

QUADRATIC = quadratic_weights(5)


def scores_with_gaps(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 6, size=(14, 7))


def test_the_moments_give_the_same_kappa_as_the_weights():
    stacked = clip_moments(FLEISS_1971).stacked()

    kappa = kappa_of_sums(len(stacked), stacked.sum(axis=0)[None, :])[0]

    assert kappa == pytest.approx(weighted_fleiss_kappa(FLEISS_1971, QUADRATIC).kappa, abs=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_leaving_a_clip_out_is_computing_without_it(seed):
    counts = table_from_scores(scores_with_gaps(seed), categories=5).counts()

    left_out = kappa_without_each_clip(counts)

    for clip, kappa in enumerate(left_out):
        rest = weighted_fleiss_kappa(np.delete(counts, clip, axis=0), QUADRATIC).kappa
        assert kappa == pytest.approx(rest, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_leaving_a_rater_out_is_computing_without_them(seed):
    scores = scores_with_gaps(seed)

    left_out = kappa_without_each_rater(table_from_scores(scores, categories=5))

    for rater, kappa in enumerate(left_out):
        rest = table_from_scores(np.delete(scores, rater, axis=1), categories=5).counts()
        assert kappa == pytest.approx(weighted_fleiss_kappa(rest, QUADRATIC).kappa, abs=1e-12)


def test_what_is_left_may_have_no_kappa():
    two_raters = table_from_scores(np.array([[1, 2], [2, 2], [3, 3]]), categories=3)
    only_one_differs = np.array([[0, 2], [0, 2], [2, 0]])

    assert np.isnan(kappa_without_each_rater(two_raters)).all()
    assert np.isnan(kappa_without_each_clip(only_one_differs)).tolist() == [False, False, True]


def test_no_ratings_leave_nothing_out():
    empty = table_from_scores(np.zeros((3, 2), dtype=np.int64), categories=5)

    assert len(kappa_without_each_clip(empty.counts())) == 0
    assert np.isnan(kappa_without_each_rater(empty)).all()
