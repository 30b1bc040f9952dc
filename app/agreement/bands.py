"""Words for a kappa: the bands of Landis and Koch, and Gwet's careful choice among them."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite, isnan

from app.agreement.student_t import normal_cdf


class Band(StrEnum):
    """Landis and Koch's words, from the lowest to the highest."""

    poor = "Poor"
    slight = "Slight"
    fair = "Fair"
    moderate = "Moderate"
    substantial = "Substantial"
    almost_perfect = "Almost perfect"


# Lower edges, from the top. The edge itself belongs to the band below, except 0 to "Slight".
_LOWER_EDGES = (
    (0.8, Band.almost_perfect),
    (0.6, Band.substantial),
    (0.4, Band.moderate),
    (0.2, Band.fair),
    (0.0, Band.slight),
)


# A kappa that is exactly 0.8 may be computed as 0.8000000000000003; it is still on the edge.
ROUNDING = 1e-12


def landis_koch_band(kappa: float) -> Band | None:
    """The band of an unrounded kappa, without holes; None if it is undefined.

    References
    ----------
    Landis, J. R. and Koch, G. G. (1977). Biometrics 33(1), 159-174.

    Examples
    --------
    >>> landis_koch_band(0.4).value, landis_koch_band(0.4000001).value
    ('Fair', 'Moderate')
    """
    if isnan(kappa):
        return None
    if abs(kappa) <= ROUNDING:
        return Band.slight
    return next((band for edge, band in _LOWER_EDGES if kappa > edge + ROUNDING), Band.poor)


def gwet_band(kappa: float, se: float, confidence: float = 0.95) -> Band | None:
    """The highest band that the true kappa reaches with this probability.

    The membership probabilities are the normal's around kappa, cut to [−1, 1], and are
    summed from the top band downwards.

    References
    ----------
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., ch. 6.

    Examples
    --------
    >>> gwet_band(0.67, se=0.15).value  # 0.6 lies within the error, 0.4 does not
    'Moderate'
    """
    if not (isfinite(kappa) and isfinite(se)):
        return None
    if se == 0:
        return landis_koch_band(kappa)
    below_one = normal_cdf((1 - kappa) / se)
    possible = below_one - normal_cdf((-1 - kappa) / se)
    for edge, band in _LOWER_EDGES:
        if (below_one - normal_cdf((edge - kappa) / se)) / possible >= confidence:
            return band
    return Band.poor
