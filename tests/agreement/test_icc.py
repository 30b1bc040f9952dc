from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.icc import intraclass_correlation
from app.agreement.ratings import RatingTable, table_from_scores
from tests.agreement.published import SHROUT_FLEISS_1979, real_ratings


def shrout_fleiss() -> RatingTable:
    return table_from_scores(SHROUT_FLEISS_1979, categories=10)


def test_shrout_and_fleiss_1979_gives_the_printed_correlations():
    result = intraclass_correlation(shrout_fleiss())

    # Shrout and Fleiss (1979), table 4: ICC(2,1) = .29, ICC(2,4) = .62.
    assert round(result.icc2_1, 2) == 0.29
    assert round(result.icc2_k, 2) == 0.62
    # From the mean squares of their table 3, exact: BMS 11.24, JMS 32.49, EMS 1.02.
    assert result.residual_variance == pytest.approx(1.0194444444, abs=1e-9)
    assert result.complete


def test_complete_data_give_the_mean_squares_of_the_two_way_table():
    x = SHROUT_FLEISS_1979.astype(float)
    n, k = x.shape
    clip_ms = k * np.square(x.mean(axis=1) - x.mean()).sum() / (n - 1)
    rater_ms = n * np.square(x.mean(axis=0) - x.mean()).sum() / (k - 1)
    additive = x.mean(axis=1, keepdims=True) + x.mean(axis=0) - x.mean()
    error_ms = np.square(x - additive).sum() / ((n - 1) * (k - 1))

    result = intraclass_correlation(shrout_fleiss())

    assert result.icc2_1 == pytest.approx(
        (clip_ms - error_ms) / (clip_ms + (k - 1) * error_ms + k * (rater_ms - error_ms) / n),
        abs=1e-12,
    )
    assert result.icc2_k == pytest.approx(
        (clip_ms - error_ms) / (clip_ms + (rater_ms - error_ms) / n), abs=1e-12
    )


def test_the_real_ratings_give_the_promised_correlations():
    result = intraclass_correlation(real_ratings("nflx_public"))

    assert round(result.icc2_1, 4) == 0.7446
    assert round(result.icc2_k, 3) == 0.987


def test_missing_cells_leave_the_variances_unbiased():
    rng = np.random.default_rng(8)
    estimates = []
    for _ in range(120):
        latent = (
            6
            + rng.normal(0, 1.5, size=(30, 1))
            + rng.normal(0, 0.8, size=(1, 12))
            + rng.normal(0, 1.0, size=(30, 12))
        )
        scores = np.where(rng.random((30, 12)) < 0.5, np.clip(np.rint(latent), 1, 11), 0)
        result = intraclass_correlation(table_from_scores(scores.astype(np.int64), categories=11))
        assert not result.complete
        estimates.append((result.clip_variance, result.rater_variance, result.residual_variance))

    # Rounding adds 1/12 to the residual variance (Sheppard).
    assert np.mean(estimates, axis=0) == pytest.approx([2.25, 0.64, 1 + 1 / 12], rel=0.12)


def test_lifting_the_strict_judge_raises_the_correlation_and_leaves_the_noise():
    shifted = SHROUT_FLEISS_1979.copy()
    shifted[:, 1] += 4

    before, after = (
        intraclass_correlation(table_from_scores(scores, categories=11))
        for scores in (SHROUT_FLEISS_1979, shifted)
    )

    assert after.icc2_1 > before.icc2_1
    assert after.residual_variance == pytest.approx(before.residual_variance, abs=1e-12)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.zeros((0, 0), dtype=np.int64), "at least two clips and two raters"),
        (np.array([[1, 2, 3]]), "at least two clips and two raters"),
        (np.array([[1], [2]]), "at least two clips and two raters"),
        (np.array([[1, 0], [0, 2]]), "needs more ratings"),
        (np.array([[1, 2], [3, 0]]), "needs more ratings"),
        (np.array([[2, 2], [2, 2], [2, 2]]), "no variance to share out"),
    ],
    ids=["empty", "one clip", "one rater", "no link", "no residual", "all equal"],
)
def test_what_cannot_be_told_apart_is_undefined_with_a_reason(scores, reason):
    result = intraclass_correlation(table_from_scores(scores, categories=3))

    assert isnan(result.icc2_1)
    assert isnan(result.icc2_k)
    assert reason in result.why_undefined


def test_two_groups_that_share_no_rater_still_have_variances():
    block = SHROUT_FLEISS_1979
    nothing = np.zeros_like(block)
    apart = np.block([[block, nothing], [nothing, block]])

    result = intraclass_correlation(table_from_scores(apart, categories=10))

    # Each group has the same residuals, so pooling them changes nothing.
    assert result.residual_variance == pytest.approx(1.0194444444, abs=1e-9)
    assert result.raters_per_clip == pytest.approx(4.0)


def test_clips_and_raters_enter_the_residual_alike():
    scores = np.random.default_rng(3).integers(1, 6, (6, 9))
    scores[0, :4] = scores[3, 5] = 0  # missing
    wide = intraclass_correlation(table_from_scores(scores, 5))
    tall = intraclass_correlation(table_from_scores(scores.T, 5))
    assert wide.residual_variance == pytest.approx(tall.residual_variance, abs=1e-12)
