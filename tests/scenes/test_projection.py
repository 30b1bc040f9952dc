from __future__ import annotations

import sys

import numpy as np
import pyproj
import pytest

from app.scenes.projection import utm_m, utm_zone


def peer(zone, *, south):
    place = f"+proj=utm +zone={zone} {'+south' if south else ''} +datum=WGS84"
    return pyproj.Transformer.from_crs(4326, place, always_xy=True)


@pytest.mark.parametrize("south", [False, True])
def test_every_zone_and_its_neighbours_agree_with_proj_to_a_micrometre(south):
    rng = np.random.default_rng(7)
    for zone in range(1, 61):
        lat_deg = rng.uniform(-80, 84, 200)
        lon_deg = (6 * zone - 183 + rng.uniform(-6, 6, 200) + 180) % 360 - 180
        expected_m = np.stack(peer(zone, south=south).transform(lon_deg, lat_deg), axis=-1)
        assert np.abs(utm_m(lat_deg, lon_deg, zone, south=south) - expected_m).max() < 1e-6


def test_borders_of_zones_the_equator_and_the_poles_agree_with_proj():
    lat_deg = np.array([-80.0, 0.0, 0.0, 84.0, 90.0, -90.0])
    lon_deg = np.array([6.0, 12.0, 9.0, 12.0, 9.0, 9.0])
    expected_m = np.stack(peer(32, south=False).transform(lon_deg, lat_deg), axis=-1)
    assert np.abs(utm_m(lat_deg, lon_deg, 32) - expected_m).max() < 1e-6


def test_a_map_across_the_180th_meridian_is_in_one_piece():
    east_m, west_m = utm_m([-17.0, -17.0], [179.9999, -179.9999], 60, south=True)
    assert 0 < west_m[0] - east_m[0] < 25


def test_mirrored_places_are_mirrored():
    north_m, south_m = utm_m([50.0, -50.0], [7.0, 7.0], 32)
    assert north_m.tolist() == [south_m[0], -south_m[1]]


@pytest.mark.parametrize(
    ("lat_deg", "lon_deg", "zone"),
    [
        (0, -180, 1),
        (0, 180, 1),
        (0, -0.001, 30),
        (0, 0, 31),
        (0, 179.999, 60),
        (-33.9, 151.2, 56),
        (55.999, 4, 31),
        (56, 2.999, 31),
        (56, 3, 32),  # south-west Norway
        (63.999, 3, 32),
        (64, 3, 31),
        (71.999, 8, 32),
        (72, 8.999, 31),  # Svalbard
        (72, 9, 33),
        (83.999, 20.999, 33),
        (83.999, 21, 35),
        (75, 33, 37),
        (75, 41.999, 37),
        (75, 42, 38),
        (75, -0.001, 30),
    ],
)
def test_a_place_has_the_zone_that_the_grid_gives_it(lat_deg, lon_deg, zone):
    assert utm_zone(lat_deg, lon_deg) == zone


@pytest.mark.parametrize("lat_deg", [-80.001, 84.0, float("nan")])
def test_beyond_the_grid_there_is_no_zone(lat_deg):
    with pytest.raises(ValueError, match="is outside of UTM, which has -80 to 84"):
        utm_zone(lat_deg, 0.0)


@pytest.mark.skipif(sys.platform != "linux", reason="lanelet2 is published for Linux only")
def test_zones_are_those_of_geographiclib_which_lanelet2_uses():
    from lanelet2.core import GPSPoint
    from lanelet2.io import Origin
    from lanelet2.projection import UtmProjector

    rng = np.random.default_rng(3)
    lat_deg, lon_deg = rng.uniform(-80, 84, 2000), rng.uniform(-180, 180, 2000)
    lat_deg[:1000] = rng.uniform(55, 84, 1000)
    lon_deg[:1000] = rng.uniform(-1, 43, 1000)
    for lat, lon in zip(lat_deg.tolist(), lon_deg.tolist(), strict=True):
        theirs = UtmProjector(Origin(lat, lon), False, False).forward(GPSPoint(lat, lon, 0.0))
        ours_m = utm_m(lat, lon, utm_zone(lat, lon), south=lat < 0)
        assert ours_m == pytest.approx([theirs.x, theirs.y], abs=1e-6, rel=0)
