"""What must not change the statistics, in one table: every statistic × every change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from app.agreement.ac2 import gwet_ac2
from app.agreement.alpha import krippendorff_alpha
from app.agreement.icc import intraclass_correlation
from app.agreement.jackknife import jackknife_kappa
from app.agreement.kappa import published_kappa, weighted_fleiss_kappa
from app.agreement.kendall import kendall_w
from app.agreement.live import LiveAgreement
from app.agreement.opinion import clip_opinions
from app.agreement.raters import agreement_with_rest, subject_model
from app.agreement.ratings import RatingTable, rating_table, read_ratings_csv, table_from_scores
from app.agreement.rejection import bt500_rejection
from app.agreement.weights import WEIGHTS
from tests.agreement.published import long_csv

Statistic = Callable[[RatingTable], Sequence[float]]
Change = Callable[[RatingTable], RatingTable]


def kappa_with(weights: str) -> Statistic:
    def values(table: RatingTable) -> Sequence[float]:
        result = weighted_fleiss_kappa(table.counts(), WEIGHTS[weights](table.categories))
        return result.kappa, result.se

    return values


def pooled(table: RatingTable) -> Sequence[float]:
    weights = WEIGHTS["quadratic"](table.categories)
    return (weighted_fleiss_kappa(table.counts(), weights, margins="pooled").kappa,)


def published(table: RatingTable) -> Sequence[float]:
    return (published_kappa(table.counts()).kappa,)


def alpha(table: RatingTable) -> Sequence[float]:
    counts = table.counts()
    return tuple(
        krippendorff_alpha(counts, level).alpha for level in ("nominal", "ordinal", "interval")
    )


def ac2(table: RatingTable) -> Sequence[float]:
    result = gwet_ac2(table.counts(), WEIGHTS["quadratic"](table.categories))
    return result.ac2, result.se


def icc(table: RatingTable) -> Sequence[float]:
    result = intraclass_correlation(table)
    return result.icc2_1, result.icc2_k


def kendall(table: RatingTable) -> Sequence[float]:
    return (kendall_w(table).w,)


def jackknife(table: RatingTable) -> Sequence[float]:
    result = jackknife_kappa(table)
    return result.se_clips, result.se_raters, result.interval.low, result.interval.high


def live(table: RatingTable) -> Sequence[float]:
    state = LiveAgreement(table.categories)
    for clip, rater, rating in zip(
        table.clip_index.tolist(), table.rater_index.tolist(), table.rating.tolist(), strict=True
    ):
        state.set_rating(clip, rater, rating)
    result = state.result()
    return result.kappa, result.se, result.kappa_pooled, result.alpha_interval


def opinion(table: RatingTable) -> Sequence[float]:
    """Distances from the middle of the opinions' range, which a turned scale mirrors."""
    means = np.array([result.mean for result in clip_opinions(table)])
    widths = [result.interval.width for result in clip_opinions(table)]
    middle = (np.nanmax(means) + np.nanmin(means)) / 2
    return [*np.sort(np.abs(means - middle)), *np.sort(widths)]  # nan last, in any order


def raters(table: RatingTable) -> Sequence[float]:
    model = subject_model(table)
    kappas, correlations = agreement_with_rest(table)
    return [
        *sorted(np.abs(model.bias)),
        *sorted(model.inconsistency),
        *sorted(kappas),
        *sorted(correlations),
    ]


def rejection(table: RatingTable) -> Sequence[float]:
    return sorted(result.n_above + result.n_below for result in bt500_rejection(table))


STATISTICS: dict[str, Statistic] = {
    "quadratic kappa": kappa_with("quadratic"),
    "linear kappa": kappa_with("linear"),
    "ordinal kappa": kappa_with("ordinal"),
    "unweighted kappa": kappa_with("identity"),
    "pooled kappa": pooled,
    "published kappa": published,
    "alpha": alpha,
    "AC2": ac2,
    "ICC": icc,
    "Kendall's W": kendall,
    "jackknife": jackknife,
    "live": live,
    "opinion": opinion,
    "raters": raters,
    "rejection": rejection,
}


def clips_in_another_order(table: RatingTable) -> RatingTable:
    order = np.random.default_rng(1).permutation(len(table.clips))
    return table_from_scores(table.scores()[order], table.categories)


def raters_in_another_order(table: RatingTable) -> RatingTable:
    order = np.random.default_rng(2).permutation(len(table.raters))
    return table_from_scores(table.scores()[:, order], table.categories)


def ratings_in_another_order(table: RatingTable) -> RatingTable:
    header, *rows = long_csv(table)
    order = np.random.default_rng(3).permutation(len(rows))
    return read_ratings_csv([header, *(rows[i] for i in order)], table.categories)


def relabelled_raters(table: RatingTable) -> RatingTable:
    names = tuple(f"someone else {100 - r}" for r in range(len(table.raters)))
    return RatingTable(
        table.clips, names, table.clip_index, table.rater_index, table.rating, table.categories
    )


def merged_duplicates(table: RatingTable) -> RatingTable:
    rows = [
        (table.clips[c], table.raters[r], x)
        for c, r, x in zip(table.clip_index, table.rater_index, table.rating.tolist(), strict=True)
    ]
    return rating_table([*rows, *rows[::3]], table.categories)


def reversed_scale(table: RatingTable) -> RatingTable:
    scores = table.scores()
    turned = np.where(scores > 0, table.categories + 1 - scores, 0)
    return table_from_scores(turned, table.categories)


def unused_end_categories(table: RatingTable) -> RatingTable:
    scores = table.scores()
    return table_from_scores(np.where(scores > 0, scores + 1, 0), table.categories + 2)


def unrated_clips_and_silent_raters(table: RatingTable) -> RatingTable:
    return table_from_scores(np.pad(table.scores(), ((0, 3), (0, 2))), table.categories)


CHANGES: dict[str, Change] = {
    change.__name__: change
    for change in (
        clips_in_another_order,
        raters_in_another_order,
        ratings_in_another_order,
        relabelled_raters,
        merged_duplicates,
        reversed_scale,
        unused_end_categories,
        unrated_clips_and_silent_raters,
    )
}

# The declared scale is part of these two: its length is in the self-pairs, and in chance.
DEPENDS_ON_UNUSED_CATEGORIES = {"published kappa", "AC2"}


def complete_table() -> RatingTable:
    rng = np.random.default_rng(21)
    latent = 3 + rng.normal(0, 1, size=(16, 1)) + rng.normal(0, 0.9, size=(16, 6))
    return table_from_scores(np.clip(np.rint(latent), 1, 5).astype(np.int64), categories=5)


def table_with_gaps() -> RatingTable:
    scores = complete_table().scores()
    scores[np.random.default_rng(22).random(scores.shape) < 0.2] = 0
    scores[0, 1:] = 0  # a clip with one rating
    scores[0, 0] = 2
    return table_from_scores(scores, categories=5)


def known(values: Sequence[float]) -> list[float]:
    return [value for value in values if not np.isnan(value)]


@pytest.mark.parametrize("make", [complete_table, table_with_gaps])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", STATISTICS)
def test_a_statistic_depends_on_what_raters_said_and_nothing_else(name, change, make):
    before, changed = make(), CHANGES[change](make())

    old, new = known(STATISTICS[name](before)), known(STATISTICS[name](changed))

    if change == "unused_end_categories" and name in DEPENDS_ON_UNUSED_CATEGORIES:
        assert new != pytest.approx(old, abs=1e-4)
    elif change == "unrated_clips_and_silent_raters" and name == "rejection":
        assert new == [0, 0, *old]
    else:
        assert new == pytest.approx(old, abs=1e-9 if name == "raters" else 1e-11)


def test_the_table_leaves_no_statistic_undefined_on_complete_data():
    for statistic in STATISTICS.values():
        values = statistic(complete_table())
        assert known(values) == list(values)
