from __future__ import annotations

from fractions import Fraction
from math import isnan

import numpy as np
import pytest

from app.agreement.kappa import (
    NO_PAIR,
    ONE_CATEGORY,
    kappa_interval,
    published_kappa,
    weighted_fleiss_kappa,
)
from app.agreement.weights import identity_weights, quadratic_weights
from tests.agreement.published import FLEISS_1971, FOUR_RATERS, WIKIPEDIA, real_ratings

QUADRATIC = quadratic_weights(5)


def counts_of(*clips: tuple[int, ...], categories: int = 5) -> np.ndarray:
    return np.array([[clip.count(j) for j in range(1, categories + 1)] for clip in clips])


def test_fleiss_1971_gives_the_printed_kappa():
    result = weighted_fleiss_kappa(FLEISS_1971, identity_weights(5))

    assert round(result.kappa, 3) == 0.430  # Fleiss (1971), p. 381
    assert result.kappa == pytest.approx(0.4302445201, abs=1e-9)


def test_wikipedias_table_gives_the_printed_kappa():
    result = weighted_fleiss_kappa(WIKIPEDIA, identity_weights(5))

    assert round(result.observed, 3) == 0.378
    assert round(result.expected, 3) == 0.213
    assert round(result.kappa, 3) == 0.210
    # P̄ = 172/455 by adding the ten printed P_i = (Σ f² − 14)/182.
    observed, expected = Fraction(172, 455), Fraction(int((WIKIPEDIA.sum(0) ** 2).sum()), 140**2)
    assert result.kappa == pytest.approx(float((observed - expected) / (1 - expected)), abs=1e-12)


def test_gwets_four_raters_give_the_printed_kappa_with_missing_ratings():
    counts = np.stack([(j == FOUR_RATERS).sum(axis=1) for j in range(1, 6)], axis=1)

    result = weighted_fleiss_kappa(counts, identity_weights(5))

    # Gwet (2014), Handbook, 4th ed., ch. 2: P_a = 0.8182, Fleiss' kappa = 0.7612.
    assert round(result.observed, 4) == 0.8182
    assert round(result.kappa, 4) == 0.7612
    assert round(result.se, 4) == 0.1530


@pytest.mark.parametrize(
    ("counts", "kappa", "low", "high"),
    [
        (lambda: FLEISS_1971, 0.2840722496, 0.0566848277, 0.5114596715),
        (lambda: real_ratings("nflx_public").counts(), 0.7416500344, 0.6805999759, 0.8027000930),
        (lambda: real_ratings("vqeg_hd3").counts(), 0.6564293287, 0.5978316417, 0.7150270157),
    ],
    ids=["fleiss-1971", "nflx", "vqeg-hd3"],
)
def test_quadratic_kappa_and_its_interval_are_the_reference_values(counts, kappa, low, high):
    result = weighted_fleiss_kappa(counts(), QUADRATIC)
    interval = kappa_interval(result)

    assert result.kappa == pytest.approx(kappa, abs=1e-10)
    assert interval.low == pytest.approx(low, abs=1e-10)
    assert interval.high == pytest.approx(high, abs=1e-10)


@pytest.mark.parametrize(
    ("counts", "kappa"),
    [
        (lambda: FLEISS_1971, 1.1439020749),
        (lambda: real_ratings("nflx_public").counts(), 0.9132914299),
        (lambda: real_ratings("vqeg_hd3").counts(), 0.8722087554),
    ],
    ids=["fleiss-1971", "nflx", "vqeg-hd3"],
)
def test_the_published_kappa_is_the_reference_value(counts, kappa):
    assert published_kappa(counts()).kappa == pytest.approx(kappa, abs=1e-10)


def test_the_published_parts_of_fleiss_1971_are_the_reference_values():
    result = published_kappa(FLEISS_1971)

    assert result.observed == pytest.approx(1.0334722222, abs=1e-10)
    assert result.expected == pytest.approx(0.7673958333, abs=1e-10)


@pytest.mark.parametrize(
    ("clips", "published", "standard", "pooled"),
    [
        (((1, 1), (5, 5)), Fraction(3), Fraction(1), Fraction(1)),
        (((1, 5),) * 3, Fraction(1), Fraction(-1), Fraction(-1)),
        (((1, 1, 5), (3,), (4, 5, 5)), Fraction(409, 1242), Fraction(-11, 40), Fraction(-5, 828)),
        (((1, 1, 2, 2, 3, 3, 4, 4, 5, 5),) * 36, Fraction(1, 3), Fraction(-1, 9), Fraction(-1, 9)),
    ],
)
def test_small_tables_give_the_exact_fractions(clips, published, standard, pooled):
    counts = counts_of(*clips)

    assert published_kappa(counts).kappa == pytest.approx(float(published), abs=1e-13)
    assert weighted_fleiss_kappa(counts, QUADRATIC).kappa == pytest.approx(
        float(standard), abs=1e-13
    )
    assert weighted_fleiss_kappa(counts, QUADRATIC, margins="pooled").kappa == pytest.approx(
        float(pooled), abs=1e-13
    )


def double_loop_kappa(counts: np.ndarray) -> Fraction:
    """Quadratic kappa after its definition, pair by pair, in exact fractions."""
    n_categories = counts.shape[1]
    weight = [
        [1 - Fraction((j - m) ** 2, (n_categories - 1) ** 2) for m in range(n_categories)]
        for j in range(n_categories)
    ]
    clips = [[j for j, f in enumerate(row) for _ in range(f)] for row in counts.tolist()]
    rated = [clip for clip in clips if clip]
    agreements = []
    for clip in (clip for clip in rated if len(clip) >= 2):
        pairs = [(a, b) for a in range(len(clip)) for b in range(len(clip)) if a != b]
        agreements.append(sum(weight[clip[a]][clip[b]] for a, b in pairs) / len(pairs))
    shares = [
        sum(Fraction(clip.count(j), len(clip)) for clip in rated) / len(rated)
        for j in range(n_categories)
    ]
    expected = sum(
        weight[j][m] * shares[j] * shares[m]
        for j in range(n_categories)
        for m in range(n_categories)
    )
    return (sum(agreements) / len(agreements) - expected) / (1 - expected)


@pytest.mark.parametrize("seed", range(8))
def test_quadratic_kappa_is_what_a_loop_over_pairs_gives_in_fractions(seed):
    counts = np.random.default_rng(seed).integers(0, 3, size=(12, 3 + seed))

    kappa = weighted_fleiss_kappa(counts, quadratic_weights(3 + seed)).kappa

    assert kappa == pytest.approx(float(double_loop_kappa(counts)), abs=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_the_published_kappa_is_the_pooled_one_plus_its_two_parts(seed):
    counts = np.random.default_rng(seed).integers(0, 3, size=(30, 5))
    counts[:4] = np.eye(5, dtype=np.int64)[:4]

    published = published_kappa(counts)
    pooled = weighted_fleiss_kappa(counts, QUADRATIC, margins="pooled")

    assert published.n_single >= 4
    assert published.kappa == pytest.approx(
        pooled.kappa + published.self_pairs_add - published.single_clips_take, abs=1e-12
    )


def test_without_single_clips_the_published_formula_adds_what_the_identity_says():
    raters = FLEISS_1971.sum(axis=1)
    totals = FLEISS_1971.sum(axis=0)
    scale = np.arange(5)
    variance = (totals @ scale**2) / totals.sum() - ((totals @ scale) / totals.sum()) ** 2

    added = (1 / (raters - 1)).mean() * 4**2 / (2 * variance)

    assert published_kappa(FLEISS_1971).self_pairs_add == pytest.approx(added, abs=1e-12)


def test_a_clip_with_one_rating_counts_as_no_agreement_in_the_published_formula():
    with_single = published_kappa(counts_of((1, 1), (5, 5), (3,)))

    assert with_single.observed == pytest.approx(4 / 3, abs=1e-14)
    assert with_single.n_single == 1


def test_the_published_kappa_is_zero_where_observed_equals_expected():
    # P̄ = (2 + 0)/2 = 1 and P_e = 1: the formula alone would divide by zero.
    assert published_kappa(counts_of((3, 3), (3,))).kappa == 0
    # P̄ = (3·4/3 + 0)/4 = 1, which floating point alone would miss.
    assert published_kappa(counts_of((3,) * 4, (3,) * 4, (3,) * 4, (3,))).kappa == 0


def test_pure_chance_is_far_above_zero_in_the_published_formula():
    rng = np.random.default_rng(11)
    counts = rng.multinomial(3, [0.2] * 5, size=20_000)

    # Uniform answers of three raters: 1/(3−1) · 16/(2·2) = 2.
    assert published_kappa(counts).kappa == pytest.approx(2.0, abs=0.05)
    assert weighted_fleiss_kappa(counts, QUADRATIC).kappa == pytest.approx(0.0, abs=0.02)


def test_no_kappa_without_a_pair():
    for counts in (np.zeros((0, 5), dtype=np.int64), counts_of((1,), (2,))):
        result = weighted_fleiss_kappa(counts, QUADRATIC)

        assert isnan(result.kappa)
        assert isnan(result.se)
        assert result.why_undefined == NO_PAIR
    assert published_kappa(np.zeros((3, 5), dtype=np.int64)).why_undefined


def test_no_kappa_where_all_ratings_are_equal_but_agreement_is_known():
    result = weighted_fleiss_kappa(counts_of(*((3, 3, 3),) * 7, categories=7), quadratic_weights(7))

    assert isnan(result.kappa)
    assert result.observed == 1
    assert result.why_undefined == ONE_CATEGORY
    assert isnan(published_kappa(counts_of((3, 3, 3), (3, 3))).kappa)


def test_unrated_clips_change_nothing():
    padded = np.vstack([FLEISS_1971, np.zeros((5, 5), dtype=np.int64)])

    assert weighted_fleiss_kappa(padded, QUADRATIC) == weighted_fleiss_kappa(FLEISS_1971, QUADRATIC)
    assert published_kappa(padded) == published_kappa(FLEISS_1971)


def test_weights_of_another_scale_are_refused():
    with pytest.raises(ValueError, match=r"weights are \(4, 4\), but there are 5 categories"):
        weighted_fleiss_kappa(FLEISS_1971, quadratic_weights(4))


def test_the_upper_end_of_the_interval_is_cut_at_one():
    nearly_perfect = counts_of(*((1,) * 4, (5,) * 4) * 6, (1, 1, 1, 2))

    interval = kappa_interval(weighted_fleiss_kappa(nearly_perfect, QUADRATIC))

    assert interval.high == 1
    assert interval.low < 1
