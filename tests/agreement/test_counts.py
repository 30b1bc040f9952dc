from __future__ import annotations

import numpy as np
import pytest

from app.agreement.counts import check_counts, count_matrix, count_ratings


def test_counts_of_a_long_table_and_of_a_matrix_are_the_same():
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 8, size=(40, 9))
    clip_index, rater_index = np.nonzero(scores)

    long = count_ratings(clip_index, scores[clip_index, rater_index], n_clips=40, categories=7)

    assert np.array_equal(long, count_matrix(scores, categories=7))
    assert long.sum() == len(clip_index)


def test_a_clip_without_ratings_keeps_its_row():
    counts = count_ratings(np.array([2]), np.array([1]), n_clips=4, categories=2)

    assert counts.tolist() == [[0, 0], [0, 0], [1, 0], [0, 0]]


def test_no_ratings_are_counted_as_zeros():
    empty = np.array([], dtype=np.int64)

    assert count_ratings(empty, empty, n_clips=2, categories=3).tolist() == [[0, 0, 0]] * 2
    assert count_matrix(np.zeros((0, 0), dtype=np.int64), categories=3).shape == (0, 3)


@pytest.mark.parametrize("rating", [0, 6, -1])
def test_a_rating_outside_the_scale_is_named(rating):
    with pytest.raises(ValueError, match=rf"rating {rating} is outside 1\.\.5"):
        count_ratings(np.array([0]), np.array([rating]), n_clips=1, categories=5)


@pytest.mark.parametrize("rating", [300, -1, 6])
def test_a_matrix_is_checked_before_it_is_made_small(rating):
    with pytest.raises(ValueError, match=f"rating {rating} is outside"):
        count_matrix(np.array([[1, rating]]), categories=5)


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (np.array([1, 2]), "1 axes"),
        (np.array([[1.0, 2.0]]), "float64, not whole numbers"),
        (np.array([[1, 2], [3, -4]]), "clip 1 has -4 ratings in category 2"),
        (np.array([[1]]), "2 to 11 categories, not 1"),
    ],
)
def test_counts_that_cannot_be_are_refused(counts, sentence):
    with pytest.raises(ValueError, match=sentence):
        check_counts(counts)
