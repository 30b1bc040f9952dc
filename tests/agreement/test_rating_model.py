from __future__ import annotations

import numpy as np
import pytest

from app.agreement.kappa import weighted_fleiss_kappa
from app.agreement.rating_model import latent_clip_share, population_kappa, simulate_scores
from app.agreement.ratings import table_from_scores
from app.agreement.weights import quadratic_weights


@pytest.mark.parametrize("categories", [2, 5, 11])
@pytest.mark.parametrize("kappa", [0.1, 0.5, 0.8])
def test_simulated_answers_have_the_kappa_asked_for(kappa, categories):
    rng = np.random.default_rng(4)
    share = latent_clip_share(kappa, categories)

    scores = simulate_scores(4_000, 60, share, 0.0, categories, rng)

    counts = table_from_scores(scores, categories=categories).counts()
    result = weighted_fleiss_kappa(counts, quadratic_weights(categories))
    assert result.kappa == pytest.approx(kappa, abs=0.025)


def test_answers_stay_on_the_scale():
    scores = simulate_scores(200, 50, 0.5, 0.2, 3, np.random.default_rng(1))

    assert set(np.unique(scores)) == {1, 2, 3}


def test_the_population_kappa_grows_from_zero_to_one():
    shares = np.linspace(0, 1, 9)

    kappas = [population_kappa(share, 5) for share in shares]

    assert kappas[0] == pytest.approx(0, abs=1e-12)
    assert kappas[-1] == pytest.approx(1, abs=1e-12)
    assert kappas == sorted(kappas)


def test_rounding_to_few_categories_costs_agreement():
    assert population_kappa(0.6, 2) < population_kappa(0.6, 5) < population_kappa(0.6, 11) < 0.6
