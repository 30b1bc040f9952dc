"""The summary as the JSON document of `agree --json` and the API."""

from __future__ import annotations

from math import isfinite
from typing import TypedDict

from app.agreement.kappa import PUBLISHED_METHOD, STANDARD_METHOD
from app.agreement.summary import AgreementStatus, AgreementSummary


class PublishedReport(TypedDict):
    method: str
    p_bar: float | None
    p_e: float | None
    kappa: float | None


class StandardReport(TypedDict):
    method: str
    p_a: float | None
    p_e: float | None
    kappa: float | None
    kappa_pooled: float | None
    se: float | None
    ci_low: float | None
    ci_high: float | None
    band: str | None
    band_gwet: str | None


class AgreementReport(TypedDict):
    """One JSON document; full precision, null where undefined, the reason in the warnings."""

    status: str
    categories: int
    n_clips: int
    n_pairable: int
    n_raters: int | None
    n_ratings: int
    published: PublishedReport
    standard: StandardReport
    unweighted: dict[str, float | None]
    alpha: dict[str, float | None]
    ac2: dict[str, float | None]
    icc: dict[str, float | None]
    warnings: list[str]


def agreement_report(summary: AgreementSummary) -> AgreementReport:
    """The summary with None for every number that is not defined."""
    return {
        "status": summary.status.value,
        "categories": summary.categories,
        "n_clips": summary.n_clips,
        "n_pairable": summary.n_pairable,
        "n_raters": summary.n_raters,
        "n_ratings": summary.n_ratings,
        "published": {
            "method": PUBLISHED_METHOD,
            "p_bar": _number(summary.published.observed),
            "p_e": _number(summary.published.expected),
            "kappa": _number(summary.published.kappa),
        },
        "standard": _standard(summary),
        "unweighted": {"kappa": _number(summary.unweighted.kappa)},
        "alpha": {
            "ordinal": _number(summary.alpha_ordinal.alpha),
            "interval": _number(summary.alpha_interval.alpha),
        },
        "ac2": {"value": _number(summary.ac2.ac2)},
        "icc": {"icc2_1": _number(summary.icc.icc2_1), "icc2_k": _number(summary.icc.icc2_k)},
        "warnings": _reasons(summary),
    }


def _standard(summary: AgreementSummary) -> StandardReport:
    return {
        "method": STANDARD_METHOD,
        "p_a": _number(summary.standard.observed),
        "p_e": _number(summary.standard.expected),
        "kappa": _number(summary.standard.kappa),
        "kappa_pooled": _number(summary.pooled.kappa),
        "se": _number(summary.standard.se),
        "ci_low": _number(summary.interval.low),
        "ci_high": _number(summary.interval.high),
        "band": summary.band.value if summary.band else None,
        "band_gwet": summary.band_gwet.value if summary.band_gwet else None,
    }


def _reasons(summary: AgreementSummary) -> list[str]:
    """The warnings, then why alpha or ICC is missing where the status does not say it."""
    if summary.status is not AgreementStatus.OK:
        return list(summary.warnings)
    others = (summary.alpha_interval.why_undefined, summary.icc.why_undefined)
    return [*summary.warnings, *(reason for reason in others if reason)]


def _number(value: float) -> float | None:
    return value if isfinite(value) else None
