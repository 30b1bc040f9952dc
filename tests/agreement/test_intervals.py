from __future__ import annotations

from math import inf, isnan, nan

import pytest

from app.agreement.intervals import no_interval, t_interval


def test_the_interval_reaches_t_standard_errors_to_both_sides():
    interval = t_interval(1.0, se=0.5, df=10)

    # t_{10, .975} = 2.228138852 (Fisher and Yates, table III).
    assert interval.low == pytest.approx(1 - 0.5 * 2.228138852, abs=1e-9)
    assert interval.high == pytest.approx(1 + 0.5 * 2.228138852, abs=1e-9)
    assert interval.width == pytest.approx(2.228138852, abs=1e-9)


def test_a_higher_level_is_wider_and_the_upper_end_can_be_cut():
    narrow, wide = (t_interval(0.9, se=0.1, df=5, level=level) for level in (0.9, 0.99))

    assert wide.low < narrow.low
    assert wide.high > narrow.high
    assert t_interval(0.9, se=0.1, df=5, highest=1.0).high == 1


@pytest.mark.parametrize(
    ("estimate", "se", "df"), [(nan, 1, 5), (1, nan, 5), (1, inf, 5), (1, 1, 0)]
)
def test_there_is_no_interval_without_an_estimate_and_its_error(estimate, se, df):
    interval = t_interval(estimate, se, df)

    assert isnan(interval.low)
    assert isnan(interval.high)
    assert interval.why_undefined == "The standard error is not defined."


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_a_probability(level):
    with pytest.raises(ValueError, match=f"confidence level {level} is not between 0 and 1"):
        t_interval(1.0, 1.0, 5, level=level)


def test_a_missing_interval_keeps_its_reason():
    assert no_interval("Too few clips.", 0.95, "t").why_undefined == "Too few clips."
