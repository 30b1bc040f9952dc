from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from app.agreement.opinion import clip_opinions, condition_opinions, rater_means
from app.agreement.ratings import rating_table, table_from_scores


def test_a_clips_opinion_is_the_mean_with_its_t_interval():
    scores = np.array([[2, 3, 3, 4, 5, 0], [1, 1, 5, 5, 0, 0]])

    first, second = clip_opinions(table_from_scores(scores, categories=5))

    assert first.mean == 3.4
    assert first.sd == pytest.approx(np.std([2, 3, 3, 4, 5], ddof=1), abs=1e-14)
    assert first.distribution == (0, 1, 2, 1, 1)
    assert first.n_ratings == 5
    # t_{3, .975} = 3.182446305 (Fisher and Yates, table III).
    assert second.interval.high == pytest.approx(
        3 + 3.182446305 * np.std([1, 1, 5, 5], ddof=1) / 2, abs=1e-8
    )


@pytest.mark.parametrize(
    ("answers", "mean", "reason"),
    [
        ([], None, "at least two ratings"),
        ([4], 4.0, "at least two ratings"),
        ([4, 4, 4], 4.0, "all ratings are equal"),
    ],
)
def test_a_clip_without_spread_has_no_interval(answers, mean, reason):
    ratings = [("a", f"rater {i}", x) for i, x in enumerate(answers)]

    (opinion,) = clip_opinions(rating_table(ratings, categories=5, clips=["a"]))

    assert isnan(opinion.mean) if mean is None else opinion.mean == mean
    assert isnan(opinion.interval.low)
    assert reason in opinion.interval.why_undefined


def test_a_conditions_opinion_counts_each_rater_once():
    ratings = [("a", "ann", 5), ("b", "ann", 5), ("c", "ann", 5), ("a", "bob", 1)]
    table = rating_table(ratings, categories=5)

    (opinion,) = condition_opinions(table, dict.fromkeys("abc", "idm"))

    assert opinion.mean == 3.0  # not 4.0, as ann's three ratings would have it
    assert (opinion.n_ratings, opinion.n_raters) == (4, 2)
    assert opinion.distribution == (1, 0, 0, 0, 3)


def test_for_complete_data_the_conditions_mean_is_the_plain_mean():
    scores = np.random.default_rng(1).integers(1, 6, size=(8, 5))
    table = table_from_scores(scores, categories=5)
    condition_of = {clip: "ab"[row % 2] for row, clip in enumerate(table.clips)}

    first, second = condition_opinions(table, condition_of)

    assert (first.name, second.name) == ("a", "b")
    assert first.mean == pytest.approx(scores[::2].mean(), abs=1e-14)
    assert second.mean == pytest.approx(scores[1::2].mean(), abs=1e-14)


def test_the_interval_over_raters_is_wider_than_over_ratings_where_raters_differ():
    lenient_and_strict = np.array([[5, 1], [5, 2], [4, 1], [5, 1]] * 5)
    table = table_from_scores(lenient_and_strict, categories=5)

    (opinion,) = condition_opinions(table, dict.fromkeys(table.clips, "idm"))

    assert opinion.interval.width > 4 * opinion.sd / np.sqrt(opinion.n_ratings)


def test_raters_and_clips_outside_a_condition_are_left_out():
    table = rating_table([("a", "ann", 2), ("b", "bob", 4), ("x", "bob", 1)], categories=5)

    conditions, means = rater_means(table, {"a": "idm", "b": "human"})

    assert conditions == ("idm", "human")
    assert np.array_equal(means, [[2, np.nan], [np.nan, 4]], equal_nan=True)


def test_no_condition_has_no_opinion():
    assert condition_opinions(rating_table([("a", "ann", 2)], categories=5), {}) == ()
