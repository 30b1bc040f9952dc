"""Where the nodes of a Lanelet2 map are, in metres from the map's origin."""

from __future__ import annotations

from math import isfinite

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.files import SourceFile
from app.scenes.formats.lanelet2.osm import OsmFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.projection import FALSE_EASTING_M, UTM_LATITUDES_DEG, utm_m, utm_zone
from app.scenes.road_map import Points
from app.scenes.scene import Floats

# Ten millionths of a degree are a centimetre: an origin that is printed can be given back.
ORIGIN_DECIMALS = 7


def node_points_m(file: SourceFile, osm: OsmFile, options: ReadOptions, notes: Notes) -> Points:
    """(n_nodes, 2) array, in the order of `osm.nodes`.

    The attributes x and y are metres. Tags local_x and local_y are, if all nodes have them and no
    origin was given. Else latitude and longitude are projected as Lanelet2's UtmProjector does it.
    """
    x_m, lat = osm.values["x"], osm.values["lat"]
    if np.isfinite(x_m).any():
        return _metres(file, osm, ("x", "y"), options, notes)
    local = np.isfinite([osm.values["local_x"], osm.values["local_y"]]).all()
    if len(x_m) and local and (options.origin_deg is None or np.isnan(lat).all()):
        notes.assumed(
            "The tags local_x and local_y of the nodes were taken as metres; "
            "latitudes and longitudes were not used."
        )
        return _metres(file, osm, ("local_x", "local_y"), options, notes)
    return _projected_m(file, osm, options, notes)


def _metres(
    file: SourceFile, osm: OsmFile, names: tuple[str, str], options: ReadOptions, notes: Notes
) -> Points:
    if options.origin_deg is not None:
        notes.dropped("The origin given was not used: the nodes of the map are in metres.")
    return _pairs(file, osm, names)


def _projected_m(file: SourceFile, osm: OsmFile, options: ReadOptions, notes: Notes) -> Points:
    lat_deg, lon_deg = _pairs(file, osm, ("lat", "lon")).T
    lat_0_deg, lon_0_deg = options.origin_deg or _assumed_origin_deg(lat_deg, lon_deg, notes)
    if not (isfinite(lat_0_deg) and abs(lat_0_deg) <= 90 and abs(lon_0_deg) <= 180):
        raise file.wrong(f"the origin {lat_0_deg}, {lon_0_deg} is no latitude and longitude")
    try:
        zone = utm_zone(lat_0_deg, lon_0_deg)
    except ValueError as error:
        raise file.wrong(f"the origin: {error}") from error
    points_m = utm_m(lat_deg, lon_deg, zone)
    _check_zone(file, osm, lat_deg, points_m, zone)
    origin_relative_m: Points = points_m - utm_m(lat_0_deg, lon_0_deg, zone)
    return origin_relative_m


def _pairs(file: SourceFile, osm: OsmFile, names: tuple[str, str]) -> Floats:
    pairs = np.stack([osm.values[name] for name in names], axis=-1)
    missing = np.asarray(np.isnan(pairs).any(axis=1))
    if missing.any():
        raise file.wrong(f"node {_first(osm, missing)} does not have both {' and '.join(names)}")
    return pairs


def _assumed_origin_deg(lat_deg: Floats, lon_deg: Floats, notes: Notes) -> tuple[float, float]:
    if max(np.abs(lat_deg).max(initial=0), np.abs(lon_deg).max(initial=0)) <= 1:
        notes.assumed(
            "The origin of the map is taken to be latitude 0, longitude 0, as in INTERACTION, "
            "because all nodes are near it."
        )
        return 0.0, 0.0
    # Seen from the first node, so that a map across the 180th meridian has one middle.
    from_first_deg = (lon_deg - lon_deg[0] + 180) % 360 - 180
    middle_deg = (from_first_deg.min() + from_first_deg.max()) / 2 + lon_deg[0]
    lat_0_deg = round(float(lat_deg.min() + lat_deg.max()) / 2, ORIGIN_DECIMALS)
    lon_0_deg = round(float((middle_deg + 180) % 360 - 180), ORIGIN_DECIMALS)
    notes.assumed(
        f"The origin of the map is taken to be its middle, latitude {lat_0_deg}, longitude "
        f"{lon_0_deg}; tracks fit on it only if theirs is the same: if not, give the origin of "
        "the tracks as latitude and longitude."
    )
    return lat_0_deg, lon_0_deg


def _check_zone(
    file: SourceFile, osm: OsmFile, lat_deg: Floats, points_m: Points, zone: int
) -> None:
    """Refuse what Lanelet2 refuses: places beyond the padding of the origin's zone."""
    lowest, highest = UTM_LATITUDES_DEG
    far = np.abs(points_m[:, 0] - FALSE_EASTING_M) > FALSE_EASTING_M
    far |= (lat_deg < lowest) | (lat_deg >= highest)
    if far.any():
        raise file.wrong(
            f"node {_first(osm, far)} lies too far from UTM zone {zone}, in which the origin is"
        )


def _first(osm: OsmFile, chosen: NDArray[np.bool_]) -> str:
    return list(osm.nodes)[int(chosen.argmax())]
