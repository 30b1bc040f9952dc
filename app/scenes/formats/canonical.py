"""The one file a scene is kept in: JSON, optionally in gzip, read and written without loss."""

from __future__ import annotations

import gzip
import json
import zlib
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.canonical_schema import (
    BOUNDARY_FIELDS,
    CANONICAL_SCHEMA,
    FORMAT,
    LANE_FIELDS,
    ROAD_MAP_FIELDS,
    SCENE_FIELDS,
    SOURCE_FIELDS,
    TRACK_FIELDS,
    VERSION,
)
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import GZIP_MAGIC
from app.scenes.formats.safe_json import Element, parse_json
from app.scenes.road_map import Boundary, Lane, Marking, Points, RoadMap
from app.scenes.scene import Floats, RoadUser, Scene, SceneKind, Source, Track
from app.scenes.validation import STATE_FIELDS, check_scene

__all__ = ["CANONICAL_SCHEMA", "decode_scene", "encode_scene", "scene_hash"]

# Parsed JSON takes up to twenty times its size in memory; ten seconds of a hundred vehicles
# at 25 Hz take 3 MB.
MAX_BYTES = 64 * 2**20


def encode_scene(scene: Scene, *, compress: bool = False) -> bytes:
    """The canonical file of a scene: equal scenes give equal bytes.

    Raises ValueError where the scene breaks the rules of `check_scene`.
    """
    check_scene(scene)
    document = {"format": FORMAT, "version": VERSION, **scene_to_json(scene)}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    data = text.encode()
    return gzip.compress(data, mtime=0) if compress else data


def decode_scene(data: bytes, *, max_bytes: int = MAX_BYTES) -> Scene:
    """The scene in a canonical file, in gzip or not, of at most `max_bytes` unpacked.

    Raises SceneFormatError with the element that breaks the format and how.
    """
    try:
        text = unpack(data, max_bytes).decode()
    except UnicodeDecodeError as error:
        raise SceneFormatError(f"not UTF-8 at byte {error.start}") from error
    document = parse_json(text)
    _check_head(document)
    scene = scene_from(document)
    try:
        check_scene(scene)
    except ValueError as error:
        raise SceneFormatError(str(error)) from error
    return scene


def scene_hash(scene: Scene) -> str:
    """SHA-256 in hex of the uncompressed canonical file; everything counts, the name too."""
    return sha256(encode_scene(scene)).hexdigest()


def scene_to_json(scene: Scene) -> dict[str, object]:
    """All of the canonical file but its format and version."""
    return {
        "name": scene.name,
        "kind": scene.kind.value,
        "step_s": float(scene.step_s),
        "ego_id": scene.ego_id,
        "roles": dict(sorted(scene.roles.items())),
        "right_of_way_ids": sorted(scene.right_of_way_ids),
        "reference_path_m": _points_to_json(scene.reference_path_m),
        "source": _source_to_json(scene.source),
        "road_map": _road_map_to_json(scene.road_map),
        "tracks": [_track_to_json(track) for track in scene.tracks],
    }


def _source_to_json(source: Source) -> dict[str, object]:
    return {
        "generator": source.generator,
        "model": source.model,
        "configuration": dict(sorted(source.configuration.items())),
        "seed": source.seed,
        "licence": source.licence,
        "ground_truth": source.ground_truth,
    }


def road_user_to_json(track: Track) -> dict[str, object]:
    """A track without its samples."""
    return {
        "id": track.id,
        "kind": track.kind.value,
        "length_m": float(track.length_m),
        "width_m": float(track.width_m),
        "inferred": sorted(track.inferred),
    }


def _track_to_json(track: Track) -> dict[str, object]:
    samples: dict[str, object] = {"time_s": track.time_s.tolist(), "valid": track.valid.tolist()}
    states = {field: _floats_to_json(getattr(track, field), track.valid) for field in STATE_FIELDS}
    return road_user_to_json(track) | samples | states


def _road_map_to_json(road_map: RoadMap) -> dict[str, object]:
    return {
        "lanes": [
            {
                "id": lane.id,
                "polygon_m": lane.polygon_m.tolist(),
                "centre_line_m": _points_to_json(lane.centre_line_m),
            }
            for lane in road_map.lanes
        ],
        "boundaries": [
            {"marking": boundary.marking.value, "points_m": boundary.points_m.tolist()}
            for boundary in road_map.boundaries
        ],
        "stop_lines_m": [line_m.tolist() for line_m in road_map.stop_lines_m],
        "crossings_m": [polygon_m.tolist() for polygon_m in road_map.crossings_m],
    }


def _floats_to_json(values: Floats, valid: NDArray[np.bool_]) -> list[float | None]:
    numbers: list[float | None] = values.tolist()
    for i in np.flatnonzero(~valid):
        numbers[i] = None
    return numbers


def _points_to_json(points_m: Points | None) -> list[list[float]] | None:
    return None if points_m is None else points_m.tolist()


def unpack(data: bytes, max_bytes: int) -> bytes:
    """The content, in gzip or not; SceneFormatError where it has more than `max_bytes`."""
    too_large = SceneFormatError(f"the file is larger than {max_bytes:,} bytes")
    if not data.startswith(GZIP_MAGIC):
        if len(data) > max_bytes:
            raise too_large
        return data
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        unpacked = unpacker.decompress(data, max_bytes + 1)
    except zlib.error as error:
        raise SceneFormatError(f"broken gzip: {error}") from error
    if len(unpacked) > max_bytes:
        raise too_large
    if not unpacker.eof:
        raise SceneFormatError("broken gzip: the file ends too early")
    if unpacker.unused_data:
        raise SceneFormatError("broken gzip: there is something after its end")
    return unpacked


def _check_head(document: Element) -> None:
    if document.at("format").value != FORMAT:
        raise document.at("format").wrong(f'expected "{FORMAT}"')
    if document.at("version").whole() != VERSION:
        raise document.at("version").wrong(f"expected {VERSION}, the only version there is")


def scene_from(element: Element) -> Scene:
    """The scene in the top element of a canonical file; its rules are not checked yet."""
    element.expect(SCENE_FIELDS)
    return Scene(
        name=element.at("name").text(),
        step_s=element.at("step_s").number(),
        tracks=tuple(_track_from(item) for item in element.at("tracks").items()),
        road_map=_road_map_from(element.at("road_map")),
        source=_source_from(element.at("source")),
        ego_id=element.at("ego_id").or_null(Element.text),
        kind=element.at("kind").choice(SceneKind),
        roles={role: item.text() for role, item in element.at("roles").fields()},
        right_of_way_ids=element.at("right_of_way_ids").texts(),
        reference_path_m=element.at("reference_path_m").or_null(Element.points),
    )


def _track_from(element: Element) -> Track:
    element.expect(TRACK_FIELDS)
    return Track(
        id=element.at("id").text(),
        kind=element.at("kind").choice(RoadUser),
        length_m=element.at("length_m").number(),
        width_m=element.at("width_m").number(),
        time_s=element.at("time_s").floats(),
        x_m=element.at("x_m").floats(),
        y_m=element.at("y_m").floats(),
        heading_rad=element.at("heading_rad").floats(),
        speed_mps=element.at("speed_mps").floats(),
        acceleration_mps2=element.at("acceleration_mps2").floats(),
        valid=element.at("valid").bools(),
        inferred=element.at("inferred").texts(),
    )


def _source_from(element: Element) -> Source:
    element.expect(SOURCE_FIELDS)
    return Source(
        generator=element.at("generator").text(),
        model=element.at("model").text(),
        configuration={key: item.scalar() for key, item in element.at("configuration").fields()},
        seed=element.at("seed").or_null(Element.whole),
        licence=element.at("licence").text(),
        ground_truth=element.at("ground_truth").text(),
    )


def _road_map_from(element: Element) -> RoadMap:
    element.expect(ROAD_MAP_FIELDS)
    return RoadMap(
        lanes=tuple(_lane_from(item) for item in element.at("lanes").items()),
        boundaries=tuple(_boundary_from(item) for item in element.at("boundaries").items()),
        stop_lines_m=tuple(item.points() for item in element.at("stop_lines_m").items()),
        crossings_m=tuple(item.points() for item in element.at("crossings_m").items()),
    )


def _lane_from(element: Element) -> Lane:
    element.expect(LANE_FIELDS)
    return Lane(
        id=element.at("id").text(),
        polygon_m=element.at("polygon_m").points(),
        centre_line_m=element.at("centre_line_m").or_null(Element.points),
    )


def _boundary_from(element: Element) -> Boundary:
    element.expect(BOUNDARY_FIELDS)
    return Boundary(
        points_m=element.at("points_m").points(),
        marking=element.at("marking").choice(Marking),
    )
