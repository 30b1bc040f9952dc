from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from scipy import stats

from app.agreement.bootstrap import bootstrap_kappa_interval, resample_kappas
from app.agreement.kappa import kappa_interval, weighted_fleiss_kappa
from app.agreement.leave_one_out import clip_moments, kappa_of_sums
from app.agreement.weights import quadratic_weights
from tests.agreement.published import FLEISS_1971, real_ratings

QUADRATIC = quadratic_weights(5)


def test_the_same_chance_gives_the_same_interval():
    one, other = (bootstrap_kappa_interval(FLEISS_1971, np.random.default_rng(5)) for _ in range(2))

    assert one == other
    assert one.method == "bca-bootstrap-clips"


def test_the_interval_is_close_to_gwets_for_many_clips():
    counts = real_ratings("nflx_public").counts()

    interval = bootstrap_kappa_interval(counts, np.random.default_rng(1), resamples=4_000)
    gwet = kappa_interval(weighted_fleiss_kappa(counts, QUADRATIC))

    assert interval.low == pytest.approx(gwet.low, abs=0.012)
    assert interval.high == pytest.approx(gwet.high, abs=0.012)


def test_the_interval_is_scipys_bca_up_to_chance():
    moments = clip_moments(FLEISS_1971).stacked()

    def kappa(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        chosen = moments[rows]  # (…, n_clips, 4)
        return kappa_of_sums(30, chosen.sum(axis=-2).reshape(-1, 4)).reshape(rows.shape[:-1])

    scipys = stats.bootstrap(
        (np.arange(30),),
        kappa,
        n_resamples=9_999,
        method="BCa",
        vectorized=True,
        rng=np.random.default_rng(3),
    ).confidence_interval

    ours = bootstrap_kappa_interval(FLEISS_1971, np.random.default_rng(4), resamples=9_999)

    assert ours.low == pytest.approx(scipys.low, abs=0.02)
    assert ours.high == pytest.approx(scipys.high, abs=0.02)


def test_drawing_kinds_of_clips_has_the_same_law_as_drawing_clips():
    rng = np.random.default_rng(7)
    few_kinds = rng.multinomial(2, [0.3, 0.1, 0.1, 0.1, 0.4], size=600)
    moments = clip_moments(few_kinds).stacked()
    plain = np.array(
        [
            kappa_of_sums(600, moments[rng.integers(0, 600, 600)].sum(axis=0)[None, :])[0]
            for _ in range(3_000)
        ]
    )

    kinds = resample_kappas(few_kinds, rng, 3_000)

    assert stats.ks_2samp(plain, kinds).pvalue > 0.001
    assert kinds.mean() == pytest.approx(plain.mean(), abs=0.005)


def test_many_resamples_are_drawn_in_pieces():
    counts = np.random.default_rng(1).multinomial(40, [0.2] * 5, size=3_000)

    assert not np.isnan(resample_kappas(counts, np.random.default_rng(2), 1_500)).any()


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        (np.zeros((0, 5), dtype=np.int64), "at least two rated clips"),
        (np.array([[2, 1, 0]]), "at least two rated clips"),
        (np.array([[0, 2, 0], [0, 3, 0]]), "Kappa itself is not defined"),
        (np.array([[0, 3], [0, 3], [1, 2]]), "too many resamples"),
        (np.array([[1, 1]] * 5), "Every resample gives the same kappa"),
    ],
)
def test_there_is_no_interval_where_resampling_says_nothing(counts, reason):
    interval = bootstrap_kappa_interval(counts, np.random.default_rng(1), resamples=500)

    assert isnan(interval.low)
    assert reason in interval.why_undefined
