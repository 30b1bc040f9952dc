from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.planning import StudyPlan, clips_needed, expected_widths, raters_needed


def chance() -> np.random.Generator:
    return np.random.default_rng(6)


@pytest.mark.parametrize(
    ("n_clips", "n_raters", "width"), [(36, 20, 0.247), (36, 50, 0.234), (200, 20, 0.103)]
)
def test_clips_not_raters_set_the_width_of_kappas_interval(n_clips, n_raters, width):
    result = expected_widths(StudyPlan(n_clips, n_raters, kappa=0.5), chance())

    assert result.kappa_width == pytest.approx(width, rel=0.06)
    assert result.kappa_mean == pytest.approx(0.5, abs=0.04)


def test_raters_set_the_width_of_a_mean_opinion():
    few, many = (expected_widths(StudyPlan(36, n), chance()) for n in (10, 40))

    assert many.mos_width == pytest.approx(few.mos_width / 2, rel=0.15)


def test_raters_who_see_part_of_the_clips_share_them_equally():
    result = expected_widths(StudyPlan(60, 30, clips_per_rater=20), chance())

    assert result.ratings_per_clip == 10
    assert result.n_ratings == 600
    assert result.mos_width == pytest.approx(
        expected_widths(StudyPlan(60, 10), chance()).mos_width, rel=0.1
    )


def test_fewer_than_ten_clips_have_no_interval_of_kappa():
    result = expected_widths(StudyPlan(8, 10), chance())

    assert isnan(result.kappa_width)
    assert result.mos_width > 0
    assert result.why_undefined == "Kappa gets an interval from 10 clips on."


def test_the_raters_still_needed_bring_the_width_to_the_target():
    plan = StudyPlan(36, 10)

    needed = raters_needed(plan, 0.6, "mos", chance())
    there = expected_widths(StudyPlan(36, needed.needed), chance())
    one_less = expected_widths(StudyPlan(36, needed.needed - 3), chance())

    assert needed.more == needed.needed - 10
    assert there.mos_width == pytest.approx(0.6, rel=0.05)
    assert one_less.mos_width > 0.6


def test_nobody_is_needed_where_the_target_is_met():
    assert raters_needed(StudyPlan(36, 60), 0.9, "mos", chance()).more == 0


def test_no_number_of_raters_replaces_clips():
    needed = raters_needed(StudyPlan(36, 30), 0.1, "kappa", chance())

    assert needed.needed is None
    assert needed.more is None
    assert needed.width > 0.1
    assert "more clips narrow it" in needed.why_undefined


def test_clips_bring_the_width_of_kappa_to_the_target():
    needed = clips_needed(StudyPlan(36, 20), 0.15, chance())

    assert 60 < needed.needed < 120
    assert needed.width <= 0.15


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (StudyPlan(1, 10), "two clips and two raters, not 1 and 10"),
        (StudyPlan(10, 1), "two clips and two raters, not 10 and 1"),
        (StudyPlan(10, 10, kappa=1.0), "from 0 to below 1, not 1.0"),
        (StudyPlan(10, 10, categories=1), "2 to 11 categories"),
        (StudyPlan(10, 10, clips_per_rater=11), "1 to 10 clips, not 11"),
        (StudyPlan(10, 10, rater_share=2.0), "from 0 to 1, not 2.0"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(plan, sentence):
    with pytest.raises(ValueError, match=sentence):
        expected_widths(plan, chance())


def test_a_target_is_positive():
    with pytest.raises(ValueError, match="more than 0, not 0"):
        raters_needed(StudyPlan(36, 10), 0, "mos", chance())
