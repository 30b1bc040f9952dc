from __future__ import annotations

import json

import numpy as np
import pytest

from app.agreement.ratings import table_from_scores
from app.agreement.report import agreement_report
from app.agreement.summary import summarise, summarise_table
from tests.agreement.published import FLEISS_1971, real_ratings

KEYS = {
    "status": str,
    "categories": int,
    "n_clips": int,
    "n_pairable": int,
    "n_raters": int,
    "n_ratings": int,
    "published": {"method", "p_bar", "p_e", "kappa"},
    "standard": {
        "method",
        "p_a",
        "p_e",
        "kappa",
        "kappa_pooled",
        "se",
        "ci_low",
        "ci_high",
        "band",
        "band_gwet",
    },
    "unweighted": {"kappa"},
    "alpha": {"ordinal", "interval"},
    "ac2": {"value"},
    "icc": {"icc2_1", "icc2_k"},
    "warnings": list,
}


@pytest.mark.parametrize(
    "scores",
    [
        np.zeros((2, 2), dtype=np.int64),
        np.array([[1, 0], [0, 2]]),
        np.array([[1, 3]]),
        np.array([[3, 3], [3, 3]]),
        np.array([[1, 1], [2, 2]]),
        np.array([[1, 1, 5], [3, 0, 0], [4, 5, 5]]),
    ],
    ids=["no ratings", "no pairs", "one clip", "no variation", "perfect", "ordinary"],
)
def test_the_document_has_the_same_keys_whatever_the_status(scores):
    report = agreement_report(summarise_table(table_from_scores(scores, categories=5)))

    assert report.keys() == KEYS.keys()
    for key, kind in KEYS.items():
        value = report[key]
        if isinstance(kind, set):
            assert value.keys() == kind
        else:
            assert isinstance(value, kind)
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_what_is_undefined_is_null_with_the_reason():
    report = agreement_report(summarise(np.array([[0, 0, 4, 0, 0], [0, 0, 2, 0, 0]])))

    assert report["status"] == "NO_VARIATION"
    assert report["standard"]["kappa"] is None
    assert report["standard"]["p_a"] == 1
    assert report["ac2"]["value"] == 1
    assert report["warnings"] == ["Not defined: every rating is 3."]


def test_a_missing_icc_has_its_reason():
    report = agreement_report(summarise(FLEISS_1971, n_raters=6))

    assert report["icc"] == {"icc2_1": None, "icc2_k": None}
    assert report["warnings"] == [
        "ICC needs each rater's own ratings; only counts per clip are at hand."
    ]


def test_the_document_of_the_netflix_ratings_is_the_one_promised():
    report = agreement_report(summarise_table(real_ratings("nflx_public")))

    assert report["status"] == "OK"
    assert [report[key] for key in ("n_clips", "n_pairable", "n_raters", "n_ratings")] == [
        79,
        79,
        26,
        2054,
    ]
    assert report["published"]["method"] == "published-eq1-7"
    assert report["standard"]["method"] == "fleiss-quadratic/gwet"
    assert report["standard"]["band"] == report["standard"]["band_gwet"] == "Substantial"
    expected = {
        ("published", "p_bar"): 0.9798,
        ("published", "p_e"): 0.7670,
        ("standard", "p_a"): 0.9398,
        ("standard", "kappa_pooled"): 0.7417,
        ("standard", "se"): 0.0307,
        ("unweighted", "kappa"): 0.3236,
        ("alpha", "ordinal"): 0.7142659459,
        ("alpha", "interval"): 0.7417758134,
        ("ac2", "value"): 0.7847473365,
        ("icc", "icc2_1"): 0.7446,
        ("icc", "icc2_k"): 0.9870,
    }
    for (part, key), value in expected.items():
        digits = 10 if value != round(value, 4) else 4
        assert round(report[part][key], digits) == value
    assert report["warnings"] == []
