from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.ratings import table_from_scores
from app.agreement.summary import (
    AgreementStatus,
    published_caveat,
    summarise,
    summarise_table,
)
from tests.agreement.published import FLEISS_1971, SHROUT_FLEISS_1979, real_ratings


def counts_of(*clips: tuple[int, ...], categories: int = 5) -> np.ndarray:
    return np.array([[clip.count(j) for j in range(1, categories + 1)] for clip in clips])


VARIED = tuple((1 + i % 5, 1 + (i + i % 2) % 5) for i in range(20))


def test_no_ratings_have_no_number_on_either_line():
    for counts in (np.zeros((0, 5), dtype=np.int64), np.zeros((4, 5), dtype=np.int64)):
        summary = summarise(counts)

        assert summary.status is AgreementStatus.NO_RATINGS
        assert isnan(summary.standard.kappa)
        assert isnan(summary.published.kappa)
        assert isnan(summary.published.observed)
        assert summary.warnings == ("There are no ratings yet.",)
        assert summary.n_unrated == len(counts)


def test_single_ratings_everywhere_are_no_pairs():
    summary = summarise(counts_of((1,), (5,), (3,)))

    assert summary.status is AgreementStatus.NO_PAIRS
    assert isnan(summary.standard.kappa)
    assert isnan(summary.published.kappa)
    assert isnan(summary.ac2.ac2)
    assert summary.warnings == ("No clip has two ratings yet.",)


@pytest.mark.parametrize("clip", [(1, 5, 3), (2, 2, 2)])
def test_one_rated_clip_has_no_number_whatever_its_ratings(clip):
    summary = summarise(counts_of(clip, ()))

    assert summary.status is AgreementStatus.ONE_CLIP
    for value in (
        summary.standard.kappa,
        summary.standard.observed,
        summary.published.kappa,
        summary.pooled.kappa,
        summary.unweighted.kappa,
        summary.alpha_ordinal.alpha,
        summary.ac2.ac2,
    ):
        assert isnan(value)


def test_equal_ratings_have_full_agreement_and_ac2_but_no_kappa():
    summary = summarise(counts_of((3, 3), (3, 3, 3), (3,)))

    assert summary.status is AgreementStatus.NO_VARIATION
    assert summary.standard.observed == 1
    assert summary.ac2.ac2 == 1
    assert isnan(summary.standard.kappa)
    assert isnan(summary.published.kappa)
    assert summary.band is None
    assert summary.warnings == ("Not defined: every rating is 3.",)


def test_perfect_agreement_on_different_clips_is_one_without_an_interval():
    summary = summarise(counts_of(*((1, 1, 1), (4, 4, 4)) * 6))

    assert summary.status is AgreementStatus.OK
    assert summary.standard.kappa == 1
    assert isnan(summary.interval.low)
    assert summary.warnings == ("Interval not estimable: the raters agree on every clip.",)


def test_fewer_than_ten_pairable_clips_have_a_kappa_but_no_interval():
    nine = summarise(counts_of(*VARIED[:9]))
    ten = summarise(counts_of(*VARIED[:10]))

    assert not isnan(nine.standard.kappa)
    assert isnan(nine.interval.low)
    assert nine.warnings == (
        "Too few clips for an interval: 9 clips with two or more ratings, 10 are needed.",
    )
    assert not isnan(ten.interval.low)
    assert ten.warnings == ()


def test_unrated_clips_are_left_out_and_counted():
    summary = summarise(counts_of(*VARIED, (), ()))

    assert summary.n_clips == 20
    assert summary.n_unrated == 2
    assert summary.standard == summarise(counts_of(*VARIED)).standard


def test_more_than_a_tenth_of_single_clips_is_a_warning():
    two_of_twenty = summarise(counts_of(*VARIED[:18], (1,), (2,)))
    three_of_twenty_one = summarise(counts_of(*VARIED[:18], (1,), (2,), (3,)))

    assert two_of_twenty.warnings == ()
    assert three_of_twenty_one.warnings == (
        "3 clips of 21 have one rating: they count for chance agreement, "
        "not for observed agreement.",
    )


def test_high_agreement_with_a_low_kappa_is_flagged_as_the_paradox():
    lopsided = counts_of(*((5, 5, 5, 5),) * 40, *((5, 5, 5, 4),) * 3)

    summary = summarise(lopsided)

    assert summary.paradox
    assert summary.standard.observed > 0.9
    assert summary.standard.kappa < 0.4
    assert summary.ac2.ac2 > 0.9
    assert "AC2 is" in summary.warnings[0]
    assert not summarise(FLEISS_1971).paradox


def test_the_caveat_says_what_the_published_formula_adds_on_these_data():
    summary = summarise_table(real_ratings("nflx_public"))

    assert "adds +0.17 on these data;" in published_caveat(summary)
    assert summary.published.kappa - summary.standard.kappa == pytest.approx(0.1716, abs=1e-4)


def test_the_caveat_also_says_what_single_clips_take_away():
    summary = summarise(counts_of((1, 1, 5), (3,), (4, 5, 5)))

    assert "counts 1 clip with one rating as no agreement" in published_caveat(summary)
    assert published_caveat(summarise(counts_of((1,)))) == ""


def test_counts_alone_give_everything_but_icc():
    table = table_from_scores(SHROUT_FLEISS_1979, categories=10)
    from_table = summarise_table(table)
    from_counts = summarise(table.counts(), n_raters=4)

    assert isnan(from_counts.icc.icc2_1)
    assert "ICC needs each rater's own ratings" in from_counts.icc.why_undefined
    assert round(from_table.icc.icc2_1, 2) == 0.29
    assert from_counts.standard == from_table.standard
    assert from_counts.n_raters == from_table.n_raters == 4


def test_the_variance_is_that_of_all_ratings():
    assert summarise(counts_of((1, 5), (1, 5))).variance == 4.0


def test_raters_without_a_rating_do_not_count():
    table = table_from_scores(np.array([[1, 2, 0], [2, 2, 0]]), categories=2)

    assert summarise_table(table).n_raters == 2
