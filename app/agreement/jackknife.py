"""A jackknife interval for kappa: what other clips and other raters might have given."""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, isfinite, sqrt, tanh

import numpy as np

from app.agreement.intervals import Interval, check_level, no_interval
from app.agreement.kappa import weighted_fleiss_kappa
from app.agreement.leave_one_out import (
    Floats,
    kappa_without_each_clip,
    kappa_without_each_rater,
)
from app.agreement.ratings import RatingTable
from app.agreement.student_t import t_quantile
from app.agreement.weights import quadratic_weights

_METHOD = "jackknife-clips-raters-fisher-z"


@dataclass(frozen=True, slots=True)
class JackknifeResult:
    """Kappa with the spread that clips and raters each bring, and the interval of both."""

    kappa: float  # nan if undefined
    se_clips: float
    se_raters: float
    interval: Interval


def jackknife_kappa(table: RatingTable, level: float = 0.95) -> JackknifeResult:
    """Standard quadratic kappa with an interval that holds for new clips and new raters.

    The variances of leaving out clips and of leaving out raters are added. The noise of
    single ratings is in both, so the interval is a little too wide rather than too narrow.
    Fisher's z keeps it within −1 and 1; Student's t has as many degrees of freedom as the
    fewer of clips and raters allow.

    References
    ----------
    Efron, B. and Stein, C. (1981). The jackknife estimate of variance. Annals of
    Statistics 9(3), 586-596.
    """
    check_level(level)
    counts = table.counts()
    kappa = weighted_fleiss_kappa(counts, quadratic_weights(table.categories)).kappa
    without_clip = kappa_without_each_clip(counts)
    seen = np.bincount(table.rater_index, minlength=len(table.raters)) > 0
    without_rater = kappa_without_each_rater(table)[seen]
    se_clips, se_raters = _jackknife_se(without_clip), _jackknife_se(without_rater)
    units = min(len(without_clip), len(without_rater))
    interval = _fisher_interval(kappa, sqrt(se_clips**2 + se_raters**2), units - 1, level)
    return JackknifeResult(kappa, se_clips, se_raters, interval)


def _jackknife_se(left_out: Floats) -> float:
    n = len(left_out)
    if n < 2:
        return float("nan")
    return sqrt((n - 1) / n * float(np.square(left_out - left_out.mean()).sum()))


def _fisher_interval(kappa: float, se: float, df: int, level: float) -> Interval:
    if not isfinite(kappa):
        return no_interval("Kappa itself is not defined.", level, _METHOD)
    if not isfinite(se) or df < 1:
        return no_interval(
            "Kappa is not defined without one of the clips or raters.", level, _METHOD
        )
    if abs(kappa) >= 1 or se == 0:
        return no_interval("Interval not estimable: kappa does not vary.", level, _METHOD)
    z, z_se = atanh(kappa), se / (1 - kappa * kappa)
    reach = t_quantile((1 + level) / 2, df) * z_se
    return Interval(tanh(z - reach), tanh(z + reach), level, _METHOD)
