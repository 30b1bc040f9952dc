from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.ac2 import ac2_interval, gwet_ac2
from app.agreement.counts import count_matrix
from app.agreement.kappa import NO_PAIR
from app.agreement.weights import identity_weights, quadratic_weights
from tests.agreement.published import FLEISS_1971, FOUR_RATERS, real_ratings

QUADRATIC = quadratic_weights(5)


def test_gwets_four_raters_give_the_printed_ac1():
    result = gwet_ac2(count_matrix(FOUR_RATERS, categories=5), identity_weights(5))

    # Gwet (2014), Handbook, 4th ed., ch. 2 and 5: AC1 = 0.775, standard error 0.143.
    assert round(result.ac2, 3) == 0.775
    assert round(result.se, 3) == 0.143


@pytest.mark.parametrize(
    ("counts", "ac2"),
    [
        (lambda: FLEISS_1971, 0.3802283007),
        (lambda: real_ratings("nflx_public").counts(), 0.7847473365),
        (lambda: real_ratings("vqeg_hd3").counts(), 0.7449315492),
    ],
    ids=["fleiss-1971", "nflx", "vqeg-hd3"],
)
def test_ac2_is_the_reference_value(counts, ac2):
    assert gwet_ac2(counts(), QUADRATIC).ac2 == pytest.approx(ac2, abs=1e-10)


def test_ac2_is_one_where_all_ratings_are_equal():
    result = gwet_ac2(np.array([[0, 3, 0], [0, 2, 0]]), quadratic_weights(3))

    assert result.ac2 == 1
    assert result.se == 0


def test_unused_categories_count_because_they_were_declared():
    counts = np.array([[3, 1], [0, 4], [2, 2]])
    padded = np.hstack([counts, np.zeros((3, 1), dtype=np.int64)])

    two = gwet_ac2(counts, identity_weights(2)).ac2
    three = gwet_ac2(padded, identity_weights(3)).ac2

    assert three > two


def test_ac2_survives_the_paradox_that_breaks_kappa():
    lopsided = np.array([[0, 20]] * 30 + [[1, 19]])

    assert gwet_ac2(lopsided, identity_weights(2)).ac2 > 0.99


def test_there_is_no_ac2_without_a_pair_and_no_error_without_two_clips():
    assert gwet_ac2(np.array([[1, 0], [0, 1]]), identity_weights(2)).why_undefined == NO_PAIR
    one_clip = gwet_ac2(np.array([[3, 1]]), identity_weights(2))
    assert isnan(one_clip.se)
    assert isnan(ac2_interval(one_clip).low)


def test_the_interval_is_gwets_t():
    result = gwet_ac2(FLEISS_1971, QUADRATIC)
    interval = ac2_interval(result)

    assert interval.width == pytest.approx(2 * 2.045229642 * result.se, rel=1e-9)


def test_weights_of_another_scale_are_refused():
    with pytest.raises(ValueError, match=r"weights are \(4, 4\), but there are 5 categories"):
        gwet_ac2(FLEISS_1971, quadratic_weights(4))
