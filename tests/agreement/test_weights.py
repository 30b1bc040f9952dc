from __future__ import annotations

import numpy as np
import pytest

from app.agreement.weights import (
    WEIGHTS,
    identity_weights,
    linear_weights,
    ordinal_weights,
    quadratic_weights,
)


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("categories", range(2, 12))
def test_weights_are_one_on_the_diagonal_zero_between_the_ends_and_symmetric(name, categories):
    weights = WEIGHTS[name](categories)

    assert weights.shape == (categories, categories)
    assert np.array_equal(np.diag(weights), np.ones(categories))
    assert weights[0, -1] == 0
    assert np.array_equal(weights, weights.T)
    assert ((weights >= 0) & (weights <= 1)).all()


def test_all_weights_are_the_identity_on_two_categories():
    for make in WEIGHTS.values():
        assert np.array_equal(make(2), identity_weights(2))


def test_weights_fall_with_the_distance_as_their_names_say():
    # Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., ch. 3, for five categories.
    assert quadratic_weights(5)[0].tolist() == [1, 0.9375, 0.75, 0.4375, 0]
    assert linear_weights(5)[0].tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert ordinal_weights(5)[0].tolist() == pytest.approx([1, 0.9, 0.7, 0.4, 0], abs=1e-15)


@pytest.mark.parametrize("categories", [-1, 0, 1, 12])
def test_a_scale_has_two_to_eleven_categories(categories):
    for make in WEIGHTS.values():
        with pytest.raises(ValueError, match=f"2 to 11 categories, not {categories}"):
            make(categories)
