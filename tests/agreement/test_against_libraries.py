"""Random tables against independent libraries; where a library is wrong, the test says how.

Known faults and differences, each shown below:
irrCAC divides by zero where all ratings are equal, and takes the categories that occur for those
that exist unless told; krippendorff refuses all-equal data; pingouin drops every clip with a
missing cell; sureal counts everybody as far above and far below on a clip that all rate alike.
"""

from __future__ import annotations

import contextlib
import io
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from app.agreement.ac2 import ac2_interval, gwet_ac2
from app.agreement.alpha import krippendorff_alpha
from app.agreement.icc import intraclass_correlation
from app.agreement.kappa import kappa_interval, uses_one_category, weighted_fleiss_kappa
from app.agreement.opinion import clip_opinions
from app.agreement.raters import subject_model
from app.agreement.ratings import RatingTable, table_from_scores
from app.agreement.rejection import bt500_rejection
from app.agreement.weights import WEIGHTS, identity_weights, quadratic_weights
from tests.agreement.published import real_ratings

# The libraries warn about their own use of pandas and numpy.
pytestmark = pytest.mark.filterwarnings("ignore")


def examples(n: int) -> settings:
    return settings(
        max_examples=n,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def tables(draw: st.DrawFn, missing: bool = True, smallest: int = 2) -> RatingTable:
    """Random answers on scales of 2 to 7, a good part of them missing."""
    categories = draw(st.integers(2, 7))
    shape = draw(st.integers(smallest, 10)), draw(st.integers(smallest, 6))
    answers = st.integers(0 if missing else 1, categories)
    # Without a fill value every answer is drawn on its own, so that tables are not mostly flat.
    scores = draw(arrays(np.int64, shape, elements=answers, fill=st.nothing()))
    return table_from_scores(scores, categories)


@st.composite
def studies(draw: st.DrawFn) -> RatingTable:
    """Clips that differ, raters with biases and noise of their own, some ratings missing."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_clips, n_raters = draw(st.integers(15, 40)), draw(st.integers(6, 16))
    missing = draw(st.sampled_from([0.0, 0.2, 0.4]))
    noise = rng.uniform(0.5, 1.5, n_raters) * rng.standard_normal((n_clips, n_raters))
    latent = 4 + rng.normal(0, 1.2, (n_clips, 1)) + rng.normal(0, 0.5, n_raters) + noise
    scores = np.clip(np.rint(latent), 1, 7).astype(np.int64)
    return table_from_scores(np.where(rng.random(scores.shape) < missing, 0, scores), 7)


def has_pairs_that_vary(table: RatingTable) -> bool:
    counts = table.counts()
    raters = counts.sum(axis=1)
    pairable = counts[raters >= 2]
    return (raters >= 1).sum() >= 2 and len(pairable) > 0 and not uses_one_category(pairable)


def with_nan(table: RatingTable) -> NDArray[np.float64]:
    scores = table.scores().astype(np.float64)
    scores[scores == 0] = np.nan
    return scores


def irrcac(table: RatingTable, weights: str, categories: list[int] | None = None) -> Any:
    raw = import_module("irrCAC.raw")
    pandas = import_module("pandas")
    declared = list(range(1, table.categories + 1)) if categories is None else categories
    return raw.CAC(pandas.DataFrame(with_nan(table)), weights, declared, digits=15)


@examples(500)
@given(table=tables(), weights=st.sampled_from(sorted(WEIGHTS)))
def test_fleiss_kappa_its_error_and_interval_are_those_of_irrcac(table, weights):
    assume(has_pairs_that_vary(table))
    expected = irrcac(table, weights).fleiss()["est"]

    result = weighted_fleiss_kappa(table.counts(), WEIGHTS[weights](table.categories))

    assert result.kappa == pytest.approx(expected["coefficient_value"], abs=1e-9)
    assert result.observed == pytest.approx(expected["pa"], abs=1e-9)
    assert result.expected == pytest.approx(expected["pe"], abs=1e-9)
    assert result.se == pytest.approx(expected["se"], abs=1e-9)
    interval = kappa_interval(result)
    assert (interval.low, interval.high) == pytest.approx(expected["confidence_interval"], abs=1e-9)


@examples(500)
@given(table=tables(), weights=st.sampled_from(sorted(WEIGHTS)))
def test_ac2_its_error_and_interval_are_those_of_irrcac(table, weights):
    assume(has_pairs_that_vary(table))
    expected = irrcac(table, weights).gwet()["est"]

    result = gwet_ac2(table.counts(), WEIGHTS[weights](table.categories))

    assert result.ac2 == pytest.approx(expected["coefficient_value"], abs=1e-9)
    assert result.se == pytest.approx(expected["se"], abs=1e-9)
    interval = ac2_interval(result)
    assert (interval.low, interval.high) == pytest.approx(expected["confidence_interval"], abs=1e-9)


def test_irrcac_divides_by_zero_where_all_ratings_are_equal():
    table = table_from_scores(np.full((4, 3), 2), categories=3)

    with pytest.raises(ZeroDivisionError):
        irrcac(table, "quadratic").fleiss()

    assert weighted_fleiss_kappa(table.counts(), quadratic_weights(3)).why_undefined


def test_irrcac_forgets_declared_categories_that_do_not_occur():
    table = table_from_scores(np.array([[1, 2], [2, 2], [1, 1]]), categories=5)
    ours = gwet_ac2(table.counts(), identity_weights(5)).ac2

    told = irrcac(table, "identity").gwet()["est"]["coefficient_value"]
    untold = irrcac(table, "identity", [1, 2]).gwet()["est"]["coefficient_value"]

    assert ours == pytest.approx(told, abs=1e-9)
    assert ours != pytest.approx(untold, abs=0.01)


@examples(500)
@given(table=tables(), level=st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_that_of_krippendorff(table, level):
    library = import_module("krippendorff")
    assume(has_pairs_that_vary(table))
    expected = library.alpha(
        reliability_data=with_nan(table).T,
        level_of_measurement=level,
        value_domain=list(range(1, table.categories + 1)),
    )

    result = krippendorff_alpha(table.counts(), level)

    assert result.alpha == pytest.approx(expected, abs=1e-9)


def test_krippendorff_refuses_equal_ratings_where_we_give_a_reason():
    library = import_module("krippendorff")
    table = table_from_scores(np.full((4, 3), 2), categories=3)

    with pytest.raises(ValueError, match="more than one"):
        library.alpha(reliability_data=with_nan(table).T, level_of_measurement="nominal")

    assert krippendorff_alpha(table.counts(), "nominal").why_undefined


@examples(300)
@given(table=tables(missing=False))
def test_unweighted_kappa_of_complete_data_is_that_of_statsmodels(table):
    library = import_module("statsmodels.stats.inter_rater")
    assume(has_pairs_that_vary(table))

    result = weighted_fleiss_kappa(table.counts(), identity_weights(table.categories))

    assert result.kappa == pytest.approx(library.fleiss_kappa(table.counts()), abs=1e-9)


def pingouin_icc(table: RatingTable) -> tuple[float, float]:
    pingouin = import_module("pingouin")
    pandas = import_module("pandas")
    long = pandas.DataFrame(
        {"clip": table.clip_index, "rater": table.rater_index, "rating": table.rating.astype(float)}
    )
    result = pingouin.intraclass_corr(long, "clip", "rater", "rating", nan_policy="omit")
    return float(result["ICC"].iloc[1]), float(result["ICC"].iloc[4])


@examples(60)
@given(table=tables(missing=False, smallest=3))
def test_icc_of_complete_data_is_that_of_pingouin(table):
    result = intraclass_correlation(table)
    # Near zero variance the two divide rounding by rounding.
    assume(result.complete and abs(result.icc2_k) < 50 and result.residual_variance > 1e-6)

    assert (result.icc2_1, result.icc2_k) == pytest.approx(pingouin_icc(table), abs=1e-9)


def test_pingouin_drops_every_clip_with_a_missing_cell():
    complete = np.random.default_rng(2).integers(1, 6, size=(20, 4))
    gaps = complete.copy()
    gaps[:8, 0] = 0
    listwise = table_from_scores(complete[8:], categories=5)

    ours = intraclass_correlation(table_from_scores(gaps, categories=5))

    assert pingouin_icc(table_from_scores(gaps, categories=5)) == pytest.approx(
        pingouin_icc(listwise), abs=1e-12
    )
    assert ours.icc2_1 != pytest.approx(pingouin_icc(listwise)[0], abs=1e-3)


def run_sureal(model: str, table: RatingTable) -> dict[str, Any]:
    sureal = import_module("sureal")
    reader = import_module("sureal.dataset_reader")
    videos = [
        {"content_id": 0, "asset_id": row, "path": str(row), "os": list(scores)}
        for row, scores in enumerate(with_nan(table))
    ]
    dataset = SimpleNamespace(
        dataset_name="random",
        ref_videos=[{"content_id": 0, "path": "reference"}],
        dis_videos=videos,
    )
    with contextlib.redirect_stdout(io.StringIO()):
        result: dict[str, Any] = getattr(sureal, model)(
            reader.RawDatasetReader(dataset)
        ).run_modeling()
    return result


def everybody_has_two_ratings(table: RatingTable) -> bool:
    scores = table.scores()
    return bool(((scores > 0).sum(axis=0) >= 2).all() and ((scores > 0).sum(axis=1) >= 2).all())


@examples(100)
@given(table=studies())
def test_bias_and_inconsistency_are_those_of_sureal(table):
    assume(everybody_has_two_ratings(table))
    result = subject_model(table)
    # Where one rater takes all the weight, both stop at the noise of their last round.
    assume(result.converged and not result.degenerate)
    expected = run_sureal("P910AnnexEModel", table)

    assert result.rounds == expected["num_iter"]
    assert result.quality == pytest.approx(expected["quality_scores"], abs=1e-9)
    assert result.bias == pytest.approx(expected["observer_bias"], abs=1e-9)
    assert result.inconsistency == pytest.approx(expected["observer_inconsistency"], abs=1e-9)


@examples(100)
@given(table=studies())
def test_the_mean_opinion_and_its_error_are_those_of_sureal(table):
    assume(everybody_has_two_ratings(table))
    expected = run_sureal("MosModel", table)

    opinions = clip_opinions(table)

    assert [o.mean for o in opinions] == pytest.approx(expected["quality_scores"], abs=1e-9)
    errors = [o.sd / o.n_ratings**0.5 for o in opinions]
    assert errors == pytest.approx(expected["quality_scores_std"], abs=1e-9)


@pytest.mark.parametrize("name", ["nflx_public", "vqeg_hd3"])
def test_the_real_raters_are_described_as_by_sureal(name):
    table = real_ratings(name)
    expected = run_sureal("P910AnnexEModel", table)
    result = subject_model(table)

    assert result.bias == pytest.approx(expected["observer_bias"], abs=1e-9)
    assert result.inconsistency == pytest.approx(expected["observer_inconsistency"], abs=1e-9)
    rejected = [r.rejected for r in bt500_rejection(table, ddof=0)]
    assert rejected == run_sureal("BT500Model", table)["observer_rejected"]


@pytest.mark.parametrize("seed", range(20))
def test_rejections_are_those_of_sureal_on_clips_that_raters_rate_differently(seed):
    rng = np.random.default_rng(seed)
    scores = np.clip(np.rint(5 + rng.normal(0, 1.5, size=(40, 24))), 1, 9).astype(np.int64)
    scores[:, :2] = rng.integers(1, 10, size=(40, 2))
    table = table_from_scores(scores, categories=9)
    expected = run_sureal("BT500Model", table)

    results = bt500_rejection(table, ddof=0)

    far = [(r.n_above + r.n_below) / 40 for r in results]
    assert far == pytest.approx(expected["observer_rejected_1st_stats"], abs=1e-12)
    assert [r.rejected for r in results] == expected["observer_rejected"]


def test_sureal_counts_everybody_as_far_out_on_a_clip_that_all_rate_alike():
    table = table_from_scores(np.full((10, 5), 3), categories=5)

    assert run_sureal("BT500Model", table)["observer_rejected_1st_stats"] == [2.0] * 5
    assert sum(r.n_above + r.n_below for r in bt500_rejection(table)) == 0
