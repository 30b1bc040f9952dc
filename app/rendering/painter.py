"""What each picture of a film contains: ground, road, shadows, road users."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.rendering.camera import Affines, Camera
from app.rendering.canvas import Atlas, Canvas, Indices
from app.rendering.ground import Ground, make_ground, paint_ground
from app.rendering.raster import paint_sprites
from app.rendering.road import road_sprite
from app.rendering.sprites import Sprite, pack
from app.rendering.style import FilmStyle
from app.rendering.vehicles import body_sprite, brake_sprite, shadow_sprite
from app.rendering.window import FARTHEST_M
from app.scenes.resampling import TrackStates, sample_track
from app.scenes.road_map import Points, RoadMap
from app.scenes.scene import Floats, Scene, Track

BRAKING_MPS2 = -0.5
# Light falls from the north-west, as on printed maps.
SHADOW_SHIFT_M = (0.12, -0.16)
# How far a body may reach beyond its centre and still be seen when that is outside the picture.
REACH_M = 30.0

# Sprites in the atlas: the road, then these of each track.
ROAD, SHADOW, BODY, BRAKE_LIGHTS, SPRITES_PER_TRACK = 0, 1, 2, 3, 3


@dataclass(frozen=True, slots=True, eq=False)
class Painter:
    """A scene made ready to be painted at n times.

    All places are metres from the ego's first, so that coordinates of any size keep their
    precision. Arrays are (n_times, n_tracks), the ego's track is the first.
    """

    style: FilmStyle
    atlas: Atlas
    ground: Ground
    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    valid: NDArray[np.bool_]
    braking: NDArray[np.bool_]

    def paint(self, canvas: Canvas, k: int) -> None:
        """The picture at the k-th time."""
        camera = self.camera(k)
        paint_ground(canvas, self.ground, camera)
        sprites, affines = self._placed(camera, k)
        paint_sprites(canvas, self.atlas, sprites, affines)

    def camera(self, k: int) -> Camera:
        """Straight above the ego."""
        style = self.style
        return Camera(
            float(self.x_m[k, 0]),
            float(self.y_m[k, 0]),
            style.width_px,
            style.height_px,
            style.width_px / style.width_m,
        )

    def _placed(self, camera: Camera, k: int) -> tuple[Indices, Affines]:
        """Sprites and where they go, from the road up; the ego comes last, over the others."""
        near = camera.sees(self.x_m[k], self.y_m[k], REACH_M)
        seen = np.flatnonzero(self.valid[k] & near)[::-1]
        braking = self.braking[k, seen]
        x_m, y_m, heading_rad = self.x_m[k, seen], self.y_m[k, seen], self.heading_rad[k, seen]
        bodies = camera.bodies(x_m, y_m, heading_rad)
        right_m, up_m = SHADOW_SHIFT_M
        shadows = camera.bodies(x_m + right_m, y_m + up_m, heading_rad)
        tracks = SPRITES_PER_TRACK * seen
        sprites = [[ROAD], tracks + SHADOW, tracks + BODY, tracks[braking] + BRAKE_LIGHTS]
        affines = [camera.world(), shadows, bodies, bodies[braking]]
        return np.concatenate(sprites).astype(np.int32), np.concatenate(affines)


def prepare(scene: Scene, ego: Track, style: FilmStyle, times_s: Floats) -> Painter:
    """Everything that does not change from picture to picture, done once."""
    origin_m = np.array([ego.x_m[ego.valid][0], ego.y_m[ego.valid][0]])
    scale = style.width_px / style.width_m
    reach_m = np.array([style.width_px, style.height_px]) / scale / 2 + REACH_M
    moves = [_moves(ego, times_s, origin_m)]
    way_m = np.stack([moves[0].x_m, moves[0].y_m], axis=1)
    road_map = _nearby(
        scene.road_map, origin_m, way_m.min(axis=0) - reach_m, way_m.max(axis=0) + reach_m
    )
    sprites: list[Sprite] = [road_sprite(road_map, scale), *_sprites(ego, style.ego_colour)]
    for track in scene.tracks:
        if track is not ego and _meet(seen := _moves(track, times_s, origin_m), way_m, reach_m):
            sprites += _sprites(track, style.other_colour)
            moves.append(seen)
    return Painter(
        style=style,
        atlas=pack(sprites),
        ground=make_ground(scale),
        x_m=np.stack([m.x_m for m in moves], axis=1),
        y_m=np.stack([m.y_m for m in moves], axis=1),
        heading_rad=np.stack([m.heading_rad for m in moves], axis=1),
        valid=np.stack([m.valid for m in moves], axis=1),
        braking=np.stack([m.acceleration_mps2 < BRAKING_MPS2 for m in moves], axis=1),
    )


def _sprites(track: Track, colour: str) -> list[Sprite]:
    kind, length_m, width_m = track.kind, track.length_m, track.width_m
    return [
        shadow_sprite(kind, length_m, width_m),
        body_sprite(kind, length_m, width_m, colour),
        brake_sprite(kind, length_m, width_m),
    ]


def _moves(track: Track, times_s: Floats, origin_m: Points) -> TrackStates:
    moves = sample_track(track, times_s)
    # The kernels trust their numbers: what is nowhere must not reach them.
    known = moves.valid & np.isfinite(moves.x_m + moves.y_m + moves.heading_rad)
    return replace(moves, x_m=moves.x_m - origin_m[0], y_m=moves.y_m - origin_m[1], valid=known)


def _meet(moves: TrackStates, way_m: Points, reach_m: Points) -> bool:
    """Whether the camera, on its way, ever comes near."""
    apart_m = np.abs(np.stack([moves.x_m, moves.y_m], axis=1) - way_m)
    return bool((apart_m < reach_m).all(axis=1).any())


def _nearby(road_map: RoadMap, origin_m: Points, least_m: Points, most_m: Points) -> RoadMap:
    """What of the road may come into the picture, in metres from the origin."""

    def near(points_m: Points) -> bool:
        return len(points_m) > 0 and bool(
            np.isfinite(points_m).all()
            and (points_m.max(axis=0) > least_m + origin_m).all()
            and (points_m.min(axis=0) < most_m + origin_m).all()
        )

    def moved(points_m: Points) -> Points:
        return np.clip(points_m - origin_m, -FARTHEST_M, FARTHEST_M)

    return RoadMap(
        lanes=tuple(
            replace(lane, polygon_m=moved(lane.polygon_m))
            for lane in road_map.lanes
            if near(lane.polygon_m)
        ),
        boundaries=tuple(
            replace(line, points_m=moved(line.points_m))
            for line in road_map.boundaries
            if near(line.points_m)
        ),
        stop_lines_m=tuple(moved(line) for line in road_map.stop_lines_m if near(line)),
        crossings_m=tuple(moved(outline) for outline in road_map.crossings_m if near(outline)),
    )
