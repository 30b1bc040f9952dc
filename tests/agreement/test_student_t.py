from __future__ import annotations

from math import inf, isclose, pi, sqrt, tan

import pytest
from scipy import stats

from app.agreement.student_t import (
    normal_cdf,
    normal_quantile,
    t_cdf,
    t_quantile,
    t_upper_tail,
)

DEGREES = [0.5, 1, 2, 3, 4, 5, 9, 29, 35, 49.5, 78, 999, 1999, 2001, 1e4, 1e6]


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("t", [0, 1e-3, 0.5, 1, 1.7, 2, 3, 8, 30])
def test_the_tail_is_scipys_to_twelve_digits(df, t):
    assert t_upper_tail(t, df) == pytest.approx(stats.t.sf(t, df), rel=2e-12, abs=1e-280)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.995, 0.99999])
def test_the_quantile_inverts_the_distribution(df, probability):
    t = t_quantile(probability, df)

    # Against scipy's distribution, not its quantile, which is off by 1e-9 for some df.
    assert stats.t.sf(t, df) == pytest.approx(1 - probability, rel=2e-11)
    assert t_quantile(1 - probability, df) == pytest.approx(-t, rel=1e-9)
    assert t_cdf(t, df) == pytest.approx(probability, abs=1e-14)


def test_quantiles_with_a_closed_form_are_met():
    # One degree of freedom: tan(π(p − ½)); two: (2p − 1)√(2/(4p(1 − p))).
    for p in (0.55, 0.9, 0.975, 0.999):
        assert isclose(t_quantile(p, 1), tan(pi * (p - 0.5)), rel_tol=1e-12)
        assert isclose(t_quantile(p, 2), (2 * p - 1) * sqrt(2 / (4 * p * (1 - p))), rel_tol=1e-12)


def test_infinite_degrees_of_freedom_are_the_normal_distribution():
    assert t_quantile(0.975, inf) == pytest.approx(1.959963984540054, rel=1e-14)
    assert t_cdf(1.5, inf) == normal_cdf(1.5)
    assert t_upper_tail(inf, 3) == 0


def test_the_distribution_is_symmetric_around_zero():
    assert t_quantile(0.5, 7) == 0
    assert t_cdf(0, 7) == 0.5
    assert t_cdf(-1.2, 7) == pytest.approx(1 - t_cdf(1.2, 7), rel=1e-14)


def test_the_normal_quantile_inverts_the_normal_distribution():
    for z in (-6.0, -1.0, 0.0, 2.5):
        assert normal_quantile(normal_cdf(z)) == pytest.approx(z, abs=1e-12)


@pytest.mark.parametrize("probability", [0, 1, -0.1, 1.1])
def test_a_quantile_needs_a_probability_inside_zero_and_one(probability):
    with pytest.raises(ValueError, match="not between 0 and 1"):
        t_quantile(probability, 5)


@pytest.mark.parametrize("df", [0, -1, float("nan")])
def test_degrees_of_freedom_are_positive(df):
    with pytest.raises(ValueError, match="more than 0 degrees of freedom"):
        t_quantile(0.9, df)
