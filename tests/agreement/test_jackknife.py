from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.jackknife import jackknife_kappa
from app.agreement.kappa import kappa_interval, weighted_fleiss_kappa
from app.agreement.rating_model import latent_clip_share, simulate_scores
from app.agreement.ratings import table_from_scores
from app.agreement.weights import quadratic_weights
from tests.agreement.published import real_ratings

QUADRATIC = quadratic_weights(5)


def test_new_raters_make_the_interval_wider_than_gwets():
    table = real_ratings("nflx_public")

    result = jackknife_kappa(table)
    gwet = weighted_fleiss_kappa(table.counts(), QUADRATIC)

    assert result.kappa == pytest.approx(gwet.kappa, abs=1e-14)
    assert result.se_clips == pytest.approx(gwet.se, rel=0.05)
    assert result.interval.width > kappa_interval(gwet).width
    assert result.interval.low < result.kappa < result.interval.high < 1


def test_the_interval_covers_kappa_of_other_clips_and_raters():
    rng = np.random.default_rng(12)
    share = latent_clip_share(0.5, 5)
    covered = {"jackknife": 0, "gwet": 0}
    runs = 250
    for _ in range(runs):
        table = table_from_scores(simulate_scores(40, 12, share, 0.3, 5, rng), categories=5)
        wide = jackknife_kappa(table).interval
        narrow = kappa_interval(weighted_fleiss_kappa(table.counts(), QUADRATIC))
        covered["jackknife"] += wide.low <= 0.5 <= wide.high
        covered["gwet"] += narrow.low <= 0.5 <= narrow.high

    assert covered["jackknife"] / runs > 0.93
    assert covered["gwet"] < covered["jackknife"]


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.array([[2, 2], [2, 2]]), "Kappa itself is not defined"),
        (np.array([[1, 2], [2, 3], [3, 3]]), "not defined without one of the clips or raters"),
        (np.array([[1, 1, 1], [2, 2, 2], [3, 3, 3]]), "kappa does not vary"),
    ],
)
def test_there_is_no_interval_where_leaving_out_says_nothing(scores, reason):
    result = jackknife_kappa(table_from_scores(scores, categories=3))

    assert isnan(result.interval.low)
    assert reason in result.interval.why_undefined


def test_a_rater_without_ratings_is_not_left_out():
    scores = np.random.default_rng(3).integers(1, 6, size=(20, 5))
    silent = np.hstack([scores, np.zeros((20, 1), dtype=np.int64)])

    one, other = (jackknife_kappa(table_from_scores(s, categories=5)) for s in (scores, silent))

    assert one == other
