from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.kappa import weighted_fleiss_kappa
from app.agreement.raters import agreement_with_rest, describe_raters, subject_model
from app.agreement.ratings import table_from_scores
from app.agreement.weights import quadratic_weights
from tests.agreement.published import real_ratings


def simulated(seed: int, n_clips: int = 200, missing: float = 0.0) -> np.ndarray:
    """Eight raters with biases from −1.05 to 1.05, the last of them four times as noisy."""
    rng = np.random.default_rng(seed)
    bias = np.linspace(-1.05, 1.05, 8)
    noise = np.array([0.5] * 7 + [2.0])
    latent = 6 + rng.normal(0, 1.5, size=(n_clips, 1)) + bias
    latent = latent + noise * rng.standard_normal((n_clips, 8))
    scores = np.clip(np.rint(latent), 1, 11).astype(np.int64)
    return np.where(rng.random(scores.shape) < missing, 0, scores)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_bias_and_inconsistency_are_recovered(missing):
    model = subject_model(table_from_scores(simulated(1, missing=missing), categories=11))

    assert model.converged
    assert model.bias == pytest.approx(np.linspace(-1.05, 1.05, 8), abs=0.35)
    assert model.inconsistency[:7] == pytest.approx([0.58] * 7, abs=0.15)
    assert model.inconsistency[7] > 1.7
    assert np.mean(model.bias) == pytest.approx(0, abs=1e-12)


def test_a_random_rater_hardly_moves_the_quality():
    scores = simulated(2)[:, :7]
    guessing = np.random.default_rng(9).integers(1, 12, size=(200, 1))

    clean = subject_model(table_from_scores(scores, categories=11)).quality
    spoilt = subject_model(table_from_scores(np.hstack([scores, guessing]), categories=11)).quality

    moved = np.abs((spoilt - spoilt.mean()) - (clean - clean.mean())).mean()
    plain = np.hstack([scores, guessing]).mean(axis=1)
    moved_plain = np.abs((plain - plain.mean()) - (clean - clean.mean())).mean()
    assert moved < 0.1
    assert moved_plain > 2 * moved


def test_without_bias_the_mean_quality_is_the_mean_opinion():
    table = real_ratings("nflx_public")

    model = subject_model(table)

    assert model.converged
    assert model.quality.mean() == pytest.approx(table.scores().mean(), abs=1e-9)


def test_raters_and_clips_without_ratings_are_unknown():
    scores = np.array([[1, 2, 0], [3, 3, 0], [0, 0, 0]])

    model = subject_model(table_from_scores(scores, categories=3))

    assert np.isnan(model.quality).tolist() == [False, False, True]
    assert np.isnan(model.bias).tolist() == [False, False, True]
    assert np.isnan(model.inconsistency).tolist() == [False, False, True]


def test_a_rater_who_takes_all_the_weight_is_told():
    alike = np.array([[1, 1, 2], [3, 3, 1], [2, 2, 3], [4, 4, 2]])

    assert subject_model(table_from_scores(alike, categories=5)).degenerate
    assert not subject_model(table_from_scores(simulated(1), categories=11)).degenerate


def test_few_ratings_are_described_with_equal_weights_instead():
    few = simulated(5, n_clips=40, missing=0.6)
    table = table_from_scores(few, categories=11)
    assert subject_model(table).degenerate

    raters = describe_raters(table)

    assert {rater.model for rater in raters} == {"equal-weights"}
    assert [rater.bias for rater in raters] == pytest.approx(np.linspace(-1.05, 1.05, 8), abs=0.9)
    assert raters[-1].inconsistency == max(rater.inconsistency for rater in raters)
    assert min(rater.inconsistency for rater in raters) > 0.2


def test_equal_weights_are_the_additive_least_squares_fit():
    scores = np.random.default_rng(3).integers(1, 6, size=(12, 5)).astype(np.int64)

    model = subject_model(table_from_scores(scores, categories=5), equal_weights=True)

    assert model.bias == pytest.approx(scores.mean(axis=0) - scores.mean(), abs=1e-9)
    assert model.quality == pytest.approx(scores.mean(axis=1), abs=1e-9)
    assert not model.degenerate


def test_no_ratings_have_no_model():
    model = subject_model(table_from_scores(np.zeros((2, 2), dtype=np.int64), categories=3))

    assert np.isnan(model.quality).all()
    assert model.rounds == 0


@pytest.mark.parametrize("seed", range(3))
def test_for_complete_data_the_mean_agreement_with_the_rest_is_kappa(seed):
    scores = np.random.default_rng(seed).integers(1, 6, size=(20, 6))
    table = table_from_scores(scores, categories=5)

    kappas, _ = agreement_with_rest(table)

    standard = weighted_fleiss_kappa(table.counts(), quadratic_weights(5)).kappa
    assert kappas.mean() == pytest.approx(standard, abs=1e-12)


def test_the_correlation_with_the_rest_is_pearsons():
    scores = np.random.default_rng(5).integers(1, 6, size=(20, 4))

    _, correlations = agreement_with_rest(table_from_scores(scores, categories=5))

    for rater in range(4):
        rest = np.delete(scores, rater, axis=1).mean(axis=1)
        assert correlations[rater] == pytest.approx(
            np.corrcoef(scores[:, rater], rest)[0, 1], abs=1e-12
        )


def test_clips_rated_alone_say_nothing_about_agreement_with_the_rest():
    scores = np.array([[1, 1], [5, 4], [3, 0], [2, 0]])
    shared_only = scores[:2]

    _, with_alone = agreement_with_rest(table_from_scores(scores, categories=5))
    _, without = agreement_with_rest(table_from_scores(shared_only, categories=5))

    assert np.array_equal(with_alone, without)


def test_nothing_is_known_of_agreement_without_pairs_or_variation():
    alone = table_from_scores(np.array([[1, 0], [0, 2]]), categories=3)
    alike = table_from_scores(np.array([[2, 2], [2, 2]]), categories=3)

    for table in (alone, alike):
        kappas, correlations = agreement_with_rest(table)
        assert np.isnan(kappas).all()
        assert np.isnan(correlations).all()


def test_every_rater_is_described_beside_the_others():
    scores = simulated(3, n_clips=60)
    table = table_from_scores(scores, categories=11)

    raters = describe_raters(table)
    kappa = weighted_fleiss_kappa(table.counts(), quadratic_weights(11)).kappa

    assert [rater.rater for rater in raters] == list(table.raters)
    assert raters[0].mean == scores[:, 0].mean()
    noisy = raters[-1]
    assert noisy.inconsistency == max(rater.inconsistency for rater in raters)
    assert noisy.rest_correlation == min(rater.rest_correlation for rater in raters)
    assert noisy.kappa_without > kappa
    assert all(rater.kappa_without < kappa for rater in raters[2:6])


def test_a_silent_rater_is_described_as_unknown():
    table = table_from_scores(np.array([[1, 2, 0], [3, 2, 0]]), categories=3)

    silent = describe_raters(table)[2]

    assert silent.n_ratings == 0
    assert isnan(silent.mean)
    assert isnan(silent.bias)
    assert isnan(silent.rest_kappa)
    assert not silent.rejected
