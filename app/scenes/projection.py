"""From latitude and longitude to metres: the universal transverse Mercator projection, WGS84."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from app.scenes.scene import Floats

EQUATORIAL_RADIUS_M = 6_378_137.0
FLATTENING = 1 / 298.257223563
SCALE = 0.9996  # on the central meridian of a zone
FALSE_EASTING_M = 500_000.0
FALSE_NORTHING_M = 10_000_000.0  # of the southern hemisphere
UTM_LATITUDES_DEG = (-80.0, 84.0)

# Row j: by how much each power of the third flattening, 1 to 6, makes sin 2jζ count;
# Karney (2011), equation 35.
KRUEGER_COEFFICIENTS = (
    (1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800),
    (0, 13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360),
    (0, 0, 61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440),
    (0, 0, 0, 49561 / 161280, -179 / 168, 6601661 / 7257600),
    (0, 0, 0, 0, 34729 / 80640, -3418889 / 1995840),
    (0, 0, 0, 0, 0, 212378941 / 319334400),
)


def utm_zone(latitude_deg: float, longitude_deg: float) -> int:
    """The zone a place belongs to, 1 to 60, with the exceptions for Norway and Svalbard.

    Examples
    --------
    >>> utm_zone(49.0, 8.4), utm_zone(60.4, 5.3), utm_zone(78.2, 15.6)
    (32, 32, 33)
    """
    lowest, highest = UTM_LATITUDES_DEG
    if not lowest <= latitude_deg < highest:
        raise ValueError(
            f"latitude {latitude_deg:g} is outside of UTM, which has {lowest:g} to {highest:g}"
        )
    longitude = (np.floor(longitude_deg) + 180) % 360 - 180
    if 56 <= latitude_deg < 64 and 3 <= longitude < 12:
        return 32
    if latitude_deg >= 72 and 0 <= longitude < 42:
        return 2 * int((longitude + 183) // 12) + 1
    return int((longitude + 186) // 6)


def utm_m(
    latitude_deg: ArrayLike, longitude_deg: ArrayLike, zone: int, *, south: bool = False
) -> Floats:
    """Easting and northing in a zone, by Krüger's series to the sixth order.

    Exact to nanometres within 35 degrees of the zone's central meridian.

    Parameters
    ----------
    latitude_deg, longitude_deg : (...) arrays
        On the WGS84 ellipsoid; the places need not lie in the zone.
    zone : int
        1 to 60, as from `utm_zone`.
    south : bool
        Whether northings count from 10,000 km south of the equator, also for places north of it.

    Returns
    -------
    (..., 2) array
        Metres.

    References
    ----------
    Karney, C. F. F. (2011). Transverse Mercator with an accuracy of a few nanometers. Journal of
    Geodesy 85(8), 475-485.

    Examples
    --------
    >>> utm_m(0.0, 3.0, 31).tolist()
    [500000.0, 0.0]
    """
    from_meridian_deg = np.asarray(longitude_deg, dtype=np.float64) - (6 * zone - 183)
    around_rad = np.radians((from_meridian_deg + 180) % 360 - 180)
    conformal = _conformal_tangent(np.radians(np.asarray(latitude_deg, dtype=np.float64)))
    xi = np.arctan2(conformal, np.cos(around_rad))
    eta = np.arcsinh(np.sin(around_rad) / np.hypot(conformal, np.cos(around_rad)))
    # ζ = ξ + iη turns the two series of equation 11 into one.
    zeta = xi + 1j * eta
    n = FLATTENING / (2 - FLATTENING)
    powers = n ** np.arange(1, 7)
    alphas = np.array(KRUEGER_COEFFICIENTS) @ powers
    zeta = zeta + sum(alpha * np.sin(2 * j * zeta) for j, alpha in enumerate(alphas, start=1))
    radius_m = EQUATORIAL_RADIUS_M / (1 + n) * (1 + n**2 / 4 + n**4 / 64 + n**6 / 256)
    false_northing_m = FALSE_NORTHING_M if south else 0.0
    easting_m = FALSE_EASTING_M + SCALE * radius_m * zeta.imag
    northing_m = false_northing_m + SCALE * radius_m * zeta.real
    return np.stack([easting_m, northing_m], axis=-1)


def _conformal_tangent(latitude_rad: Floats) -> Floats:
    """Tangent of the conformal latitude: equations 7 to 9."""
    eccentricity = np.sqrt(FLATTENING * (2 - FLATTENING))
    tangent = np.tan(latitude_rad)
    sigma = np.sinh(eccentricity * np.arctanh(eccentricity * np.sin(latitude_rad)))
    conformal: Floats = tangent * np.hypot(1, sigma) - sigma * np.hypot(1, tangent)
    return conformal
