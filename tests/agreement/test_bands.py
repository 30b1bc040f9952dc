from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from app.agreement.bands import Band, gwet_band, landis_koch_band
from app.agreement.kappa import weighted_fleiss_kappa
from app.agreement.weights import quadratic_weights


@pytest.mark.parametrize(
    ("edge", "at_or_below", "above"),
    [
        (0.2, Band.slight, Band.fair),
        (0.4, Band.fair, Band.moderate),
        (0.6, Band.moderate, Band.substantial),
        (0.8, Band.substantial, Band.almost_perfect),
    ],
)
def test_an_edge_belongs_to_the_band_below(edge, at_or_below, above):
    assert landis_koch_band(edge) == at_or_below
    assert landis_koch_band(edge + 1e-9) == above


def test_zero_is_slight_and_everything_below_it_is_poor():
    assert landis_koch_band(0.0) == Band.slight
    assert landis_koch_band(-1e-9) == Band.poor
    assert landis_koch_band(-1.0) == Band.poor


def test_there_is_no_hole_and_no_band_for_an_undefined_kappa():
    assert all(landis_koch_band(i / 1000) is not None for i in range(-1000, 1001))
    assert landis_koch_band(1.0) == Band.almost_perfect
    assert landis_koch_band(nan) is None


@pytest.mark.parametrize(
    ("kappa", "se", "band"),
    [
        (0.67, 0.15, Band.moderate),  # Gwet (2014), ch. 6: P(≥ 0.6) = .675, P(≥ 0.4) = .964
        (0.67, 0.01, Band.substantial),
        (0.81, 0.05, Band.substantial),
        (0.95, 0.01, Band.almost_perfect),
        (0.05, 0.3, Band.poor),
        (0.5, 0.0, Band.moderate),
    ],
)
def test_gwets_band_is_reached_with_95_percent_probability(kappa, se, band):
    assert gwet_band(kappa, se) == band


def test_gwets_band_is_never_above_the_band_of_the_value():
    order = list(Band)
    for kappa in (-0.3, 0.0, 0.1, 0.45, 0.79, 0.81, 1.0):
        for se in (0.001, 0.02, 0.1, 0.4):
            assert order.index(gwet_band(kappa, se)) <= order.index(landis_koch_band(kappa))


def test_gwets_band_needs_a_standard_error():
    assert gwet_band(0.5, nan) is None
    assert gwet_band(nan, 0.1) is None
    assert gwet_band(0.5, inf) is None


def test_a_kappa_on_an_edge_but_for_rounding_belongs_to_the_band_below():
    counts = np.array([[1, 1, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 2, 0, 0]])
    kappa = weighted_fleiss_kappa(counts, quadratic_weights(5)).kappa
    assert kappa == pytest.approx(0.8, abs=1e-15)
    assert landis_koch_band(kappa) is Band.substantial
