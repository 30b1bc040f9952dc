from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.alpha import krippendorff_alpha, squared_distances
from app.agreement.counts import count_matrix
from app.agreement.kappa import NO_PAIR
from tests.agreement.published import FLEISS_1971, FOUR_RATERS, real_ratings

NONE = np.zeros((3, 5), dtype=np.int64)


@pytest.mark.parametrize(
    ("level", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorff_2011_gives_the_printed_alphas(level, printed):
    result = krippendorff_alpha(count_matrix(FOUR_RATERS, categories=5), level)

    assert round(result.alpha, 3) == printed  # Krippendorff (2011), example C
    assert (result.n_pairable, result.n_ratings) == (11, 40)


@pytest.mark.parametrize(
    ("counts", "ordinal", "interval"),
    [
        (lambda: FLEISS_1971, 0.3358575222, 0.2880496260),
        (lambda: real_ratings("nflx_public").counts(), 0.7142659459, 0.7417758134),
        (lambda: real_ratings("vqeg_hd3").counts(), 0.6486860551, 0.6566281543),
    ],
    ids=["fleiss-1971", "nflx", "vqeg-hd3"],
)
def test_alpha_is_the_reference_value(counts, ordinal, interval):
    assert krippendorff_alpha(counts(), "ordinal").alpha == pytest.approx(ordinal, abs=1e-10)
    assert krippendorff_alpha(counts(), "interval").alpha == pytest.approx(interval, abs=1e-10)


def test_clips_with_one_rating_do_not_count():
    single = np.zeros((4, 5), dtype=np.int64)
    single[:, 4] = 1

    for level in ("nominal", "ordinal", "interval"):
        with_single = krippendorff_alpha(np.vstack([FLEISS_1971, single]), level)

        assert with_single == krippendorff_alpha(FLEISS_1971, level)


def test_alpha_needs_a_pair_and_two_different_answers():
    same = np.array([[0, 3, 0], [0, 2, 0], [1, 0, 0]])

    assert krippendorff_alpha(NONE, "nominal").why_undefined == NO_PAIR
    assert isnan(krippendorff_alpha(same, "interval").alpha)
    assert "is the same" in krippendorff_alpha(same, "interval").why_undefined


def test_perfect_agreement_is_one_at_every_level():
    counts = np.array([[3, 0, 0], [0, 2, 0], [0, 0, 4]])

    assert {krippendorff_alpha(counts, level).alpha for level in ("nominal", "ordinal")} == {1.0}


def test_ordinal_distances_count_the_ratings_between_two_answers():
    distances = squared_distances(np.array([4, 10, 2]), "ordinal")

    assert distances[0, 1] == (4 / 2 + 10 / 2) ** 2
    assert distances[0, 2] == (4 / 2 + 10 + 2 / 2) ** 2


def test_an_unknown_level_is_named():
    with pytest.raises(ValueError, match="'ratio' is not nominal, ordinal or interval"):
        krippendorff_alpha(FLEISS_1971, "ratio")
