from __future__ import annotations

from itertools import product
from math import inf, isnan, nan

import numpy as np
import pytest
from scipy import stats

from app.agreement.conditions import (
    compare_conditions,
    holm,
    paired_t_test,
    wilcoxon_signed_rank,
)
from app.agreement.ratings import RatingTable, rating_table, table_from_scores

# Student (1908), Biometrika 6(1), p. 20: additional hours of sleep, second drug minus first.
SLEEP = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])


def three_conditions(seed: int, n_raters: int = 15) -> tuple[RatingTable, dict[str, str]]:
    rng = np.random.default_rng(seed)
    latent = 3 + np.repeat([0.0, 0.2, 1.5], 4)[:, None] + rng.normal(0, 1, size=(12, n_raters))
    table = table_from_scores(np.clip(np.rint(latent), 1, 5).astype(np.int64), categories=5)
    return table, {clip: "abc"[row // 4] for row, clip in enumerate(table.clips)}


def test_students_sleep_gives_the_known_t():
    t, p = paired_t_test(SLEEP)

    assert round(t, 2) == 4.06
    assert p == pytest.approx(stats.ttest_1samp(SLEEP, 0).pvalue, rel=1e-12)


def test_differences_without_spread_are_certain_or_nothing():
    assert paired_t_test(np.array([2.0, 2.0])) == (inf, 0.0)
    assert paired_t_test(np.array([-1.0, -1.0])) == (-inf, 0.0)
    for differences in (np.zeros(3), np.array([1.0]), np.array([])):
        assert all(isnan(value) for value in paired_t_test(differences))


@pytest.mark.parametrize("seed", range(5))
def test_wilcoxon_without_ties_is_scipys_exact_test(seed):
    differences = np.random.default_rng(seed).normal(0.3, 1, size=8 + 7 * seed)

    rank_sum, p = wilcoxon_signed_rank(differences)

    expected = stats.wilcoxon(differences, method="exact")
    n = len(differences)
    assert min(rank_sum, n * (n + 1) / 2 - rank_sum) == expected.statistic
    assert p == pytest.approx(expected.pvalue, rel=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_wilcoxon_with_ties_counts_all_signs(seed):
    differences = np.random.default_rng(seed).integers(-3, 5, size=9).astype(float)
    known = differences[differences != 0]
    ranks = stats.rankdata(np.abs(known))
    sums = [ranks[np.array(signs)].sum() for signs in product([True, False], repeat=len(known))]
    middle = ranks.sum() / 2
    observed = ranks[known > 0].sum()

    rank_sum, p = wilcoxon_signed_rank(differences)

    far = np.abs(np.array(sums) - middle) >= abs(observed - middle) - 1e-12
    assert rank_sum == observed
    assert p == pytest.approx(min(1.0, far.mean()), abs=1e-12)


def test_wilcoxon_of_many_differences_is_the_normal_approximation_with_ties():
    differences = np.random.default_rng(3).integers(-3, 5, size=90).astype(float)

    _, p = wilcoxon_signed_rank(differences)

    expected = stats.wilcoxon(differences, method="asymptotic", correction=False).pvalue
    assert p == pytest.approx(expected, rel=1e-10)


def test_wilcoxon_needs_a_difference():
    assert all(isnan(value) for value in wilcoxon_signed_rank(np.zeros(4)))


def test_rounding_does_not_part_what_ties():
    thirds = np.array([1 / 3, 4 / 3 - 1, 2 / 3 - 1 / 3, -1 / 3])

    rank_sum, _ = wilcoxon_signed_rank(thirds)

    assert rank_sum == 7.5  # three of four tied ranks of 2.5


def test_holm_multiplies_by_the_tests_that_are_left_and_never_falls():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.5, 0.9]) == (1.0, 1.0)
    corrected = holm([nan, 0.02, 0.5])
    assert isnan(corrected[0])
    assert corrected[1:] == (0.04, 0.5)
    assert holm([]) == ()


def test_every_pair_of_conditions_is_compared_on_the_raters_means():
    table, condition_of = three_conditions(seed=2)
    scores = table.scores().astype(float)
    differences = scores[:4].mean(axis=0) - scores[8:].mean(axis=0)

    results = compare_conditions(table, condition_of)
    first_last = results[1]

    assert [(r.first, r.second) for r in results] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert first_last.n_raters == 15
    assert first_last.mean_difference == pytest.approx(differences.mean(), abs=1e-12)
    assert first_last.p_t == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, rel=1e-10)
    assert first_last.effect_size == pytest.approx(
        differences.mean() / differences.std(ddof=1), abs=1e-12
    )
    assert first_last.interval.high < 0
    assert -1 <= first_last.rank_biserial < -0.9
    assert tuple(r.p_t_holm for r in results) == holm([r.p_t for r in results])
    assert tuple(r.p_wilcoxon_holm for r in results) == holm([r.p_wilcoxon for r in results])


def test_swapping_two_conditions_changes_the_sign_only():
    table, condition_of = three_conditions(seed=4)
    renamed = {clip: {"a": "c", "b": "b", "c": "a"}[name] for clip, name in condition_of.items()}
    back_to_front = RatingTable(
        table.clips[::-1],
        table.raters,
        len(table.clips) - 1 - table.clip_index,
        table.rater_index,
        table.rating,
        table.categories,
    )

    one = compare_conditions(table, condition_of)[1]
    other = compare_conditions(back_to_front, renamed)[1]

    assert (one.first, one.second) == ("a", "c")
    assert (other.first, other.second) == ("a", "c")
    assert other.mean_difference == pytest.approx(-one.mean_difference, abs=1e-12)
    assert other.p_wilcoxon == one.p_wilcoxon
    assert other.rank_biserial == -one.rank_biserial


def test_conditions_that_no_two_raters_share_are_not_compared():
    table = rating_table([("a", "ann", 1), ("b", "bob", 5)], categories=5)

    (result,) = compare_conditions(table, {"a": "idm", "b": "human"})

    assert result.n_raters == 0
    assert isnan(result.p_t)
    assert isnan(result.p_t_holm)
    assert result.why_undefined == "Fewer than two raters have rated both conditions."


def test_one_condition_has_no_comparison():
    table, _ = three_conditions(seed=1)

    assert compare_conditions(table, dict.fromkeys(table.clips, "idm")) == ()
