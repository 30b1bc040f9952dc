from __future__ import annotations

import numpy as np
import pytest

from app.agreement.ratings import (
    RatingsFormatError,
    rating_table,
    read_ratings_csv,
    table_from_scores,
)

HEADER = "clip,rater,rating"


def test_a_long_table_is_read_in_the_order_of_the_file():
    table = read_ratings_csv([HEADER, "b,ann,2", "a,ann,5", "b,bob,1"], categories=5)

    assert table.clips == ("b", "a")
    assert table.raters == ("ann", "bob")
    assert table.scores().tolist() == [[2, 1], [5, 0]]
    assert table.n_ratings == 3


def test_columns_may_come_in_any_order_among_others_and_blank_lines_are_skipped():
    lines = ["\ufeffRating, Note ,rater,CLIP\r\n", "4,fine,ann,a\r\n", "\r\n", '3,"x, y",bob,a\r\n']

    table = read_ratings_csv(lines, categories=5)

    assert table.counts().tolist() == [[0, 0, 1, 1, 0]]


def test_a_whole_number_may_be_written_as_a_float():
    assert read_ratings_csv([HEADER, "a,ann,3.0"], categories=3).rating.tolist() == [3]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "line 1: the file is empty; it needs the columns clip,rater,rating"),
        ([HEADER], "line 1: the file has a header but no ratings"),
        (["clip,rating", "a,1"], "line 1: columns missing: rater (found: clip, rating)"),
        (["1,2,3"], "line 1: columns missing: clip, rater, rating (found: 1, 2, 3)"),
        ([f"{HEADER},clip", "a,b,1,c"], "line 1: column clip occurs 2 times"),
        ([HEADER, "a,ann,1", "b,ann,6"], "line 3: rating 6 is outside 1..5"),
        ([HEADER, "a,ann,0"], "line 2: rating 0 is outside 1..5"),
        ([HEADER, "a,ann,nan"], "line 2: rating nan is not a whole number"),
        ([HEADER, "a,ann,inf"], "line 2: rating inf is not a whole number"),
        ([HEADER, "a,ann,2.5"], "line 2: rating 2.5 is not a whole number"),
        ([HEADER, "a,ann,good"], "line 2: rating 'good' is not a number"),
        (
            [HEADER, "a,ann,"],
            "line 2: the rating is empty; leave out the line of a missing rating",
        ),
        ([HEADER, " ,ann,3"], "line 2: the clip is empty"),
        ([HEADER, "a,,3"], "line 2: the rater is empty"),
        ([HEADER, "a,ann"], "line 2: 2 values, but the header names more"),
        (
            [HEADER, "a,ann,3", "a,bob,3", "a,ann,4"],
            "line 4: rater ann has rated clip a before, on line 2, "
            "and nothing tells which rating came last",
        ),
        (
            [f"{HEADER},order", "a,ann,3,1", "a,ann,4,1"],
            "line 3: rater ann has rated clip a before, on line 2, "
            "and nothing tells which rating came last",
        ),
        (
            [f"{HEADER},order", "a,ann,3,", "a,ann,4,1"],
            "line 3: rater ann has rated clip a before, on line 2, "
            "and nothing tells which rating came last",
        ),
        ([f"{HEADER},order", "a,ann,3,x"], "line 2: order 'x' is not a number"),
        ([f"{HEADER},order", "a,ann,3,nan"], "line 2: order 'nan' is not a number"),
        ([f"{HEADER},rated_at", "a,ann,3,x"], "line 2: rated_at 'x' is not an ISO 8601 time"),
        ([HEADER, 'a,"ann,3'], "line 2: unexpected end of data"),
    ],
)
def test_bad_input_is_one_sentence_with_its_line(lines, sentence):
    with pytest.raises(RatingsFormatError) as error:
        read_ratings_csv(lines, categories=5)

    assert str(error.value) == sentence


@pytest.mark.parametrize("lines", [("2,1", "4,2"), ("4,2", "2,1")])
def test_where_an_order_is_given_the_last_rating_wins(lines):
    table = read_ratings_csv(
        [f"{HEADER},order", *(f"a,ann,{line}" for line in lines)], categories=5
    )

    assert table.rating.tolist() == [4]


def test_times_of_different_zones_are_compared_as_instants():
    lines = [
        f"{HEADER},rated_at",
        "a,ann,1,2026-01-01T12:00:00+02:00",
        "a,ann,2,2026-01-01T11:00:00+00:00",
    ]

    assert read_ratings_csv(lines, categories=5).rating.tolist() == [2]


def test_a_repeated_rating_replaces_the_earlier_one():
    table = rating_table([("a", "ann", 1), ("a", "bob", 2), ("a", "ann", 5)], categories=5)

    assert table.scores().tolist() == [[5, 2]]


def test_clips_and_raters_without_ratings_can_be_named():
    table = rating_table([("b", "bob", 1)], categories=2, clips=["a", "b"], raters=["ann"])

    assert table.clips == ("a", "b")
    assert table.raters == ("ann", "bob")
    assert table.counts().tolist() == [[0, 0], [1, 0]]


def test_a_rating_outside_the_scale_names_rater_and_clip():
    with pytest.raises(ValueError, match=r"rating 3 of ann on a is outside 1\.\.2"):
        rating_table([("a", "ann", 3)], categories=2)
    with pytest.raises(ValueError, match=r"outside 1\.\.2"):
        table_from_scores(np.array([[1, 3]]), categories=2)


def test_a_matrix_survives_the_way_through_a_table():
    scores = np.random.default_rng(5).integers(0, 6, size=(7, 4))

    assert np.array_equal(table_from_scores(scores, categories=5).scores(), scores)


def test_the_platforms_own_export_is_read():
    lines = ["study,participant,clip,rating", "s,P-1,a,2", "s,P-2,a,3"]
    assert read_ratings_csv(lines, 5).n_ratings == 2
