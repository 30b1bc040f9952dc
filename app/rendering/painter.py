"""What each picture of a film contains: ground, road, shadows, road users."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from app.rendering.camera import Affine, Camera
from app.rendering.canvas import Atlas, Canvas
from app.rendering.ground import Ground, make_ground, paint_ground
from app.rendering.raster import paint_sprites
from app.rendering.road import road_sprite
from app.rendering.sprites import Sprite, pack
from app.rendering.style import FilmStyle
from app.rendering.vehicles import body_sprite, brake_sprite, shadow_sprite
from app.scenes.resampling import TrackStates, sample_track
from app.scenes.road_map import Points, RoadMap
from app.scenes.scene import Floats, Scene, Track

BRAKING_MPS2 = -0.5
# Light falls from the north-west, as on printed maps.
SHADOW_SHIFT_M = (0.12, -0.16)
# How far a body may reach beyond its centre and still be seen when that is outside the picture.
REACH_M = 30.0

ROAD = 0
SPRITES_PER_TRACK = 3


@dataclass(frozen=True, slots=True, eq=False)
class Painter:
    """A scene made ready to be painted at a set of times.

    All places are metres from the ego's first, so that coordinates of any size keep their
    precision. `moves[0]` belongs to the ego.
    """

    style: FilmStyle
    atlas: Atlas
    ground: Ground
    moves: tuple[TrackStates, ...]

    def paint(self, canvas: Canvas, k: int) -> None:
        """The picture at the k-th time."""
        camera = self.camera(k)
        paint_ground(canvas, self.ground, camera)
        sprites, affines = zip(*self._placed(camera, k), strict=True)
        paint_sprites(canvas, self.atlas, np.array(sprites, np.int32), np.array(affines))

    def camera(self, k: int) -> Camera:
        """Straight above the ego."""
        ego, style = self.moves[0], self.style
        scale = style.width_px / style.width_m
        return Camera(float(ego.x_m[k]), float(ego.y_m[k]), style.width_px, style.height_px, scale)

    def _placed(self, camera: Camera, k: int) -> Iterator[tuple[int, Affine]]:
        yield ROAD, camera.world()
        visible = [
            (
                1 + SPRITES_PER_TRACK * i,
                float(m.x_m[k]),
                float(m.y_m[k]),
                float(m.heading_rad[k]),
                m,
            )
            for i, m in enumerate(self.moves)
            if m.valid[k] and camera.sees(float(m.x_m[k]), float(m.y_m[k]), REACH_M)
        ]
        right_m, up_m = SHADOW_SHIFT_M
        for first, x_m, y_m, heading_rad, _ in visible:
            yield first, camera.body(x_m + right_m, y_m + up_m, heading_rad)
        for first, x_m, y_m, heading_rad, states in reversed(visible):
            affine = camera.body(x_m, y_m, heading_rad)
            yield first + 1, affine
            if states.acceleration_mps2[k] < BRAKING_MPS2:
                yield first + 2, affine


def prepare(scene: Scene, ego: Track, style: FilmStyle, times_s: Floats) -> Painter:
    """Everything that does not change from picture to picture, done once."""
    tracks = [ego, *(track for track in scene.tracks if track is not ego)]
    moves = [sample_track(track, times_s) for track in tracks]
    origin = np.array([ego.x_m[ego.valid][0], ego.y_m[ego.valid][0]])
    scale = style.width_px / style.width_m
    sprites: list[Sprite] = [road_sprite(_moved(scene.road_map, origin), scale)]
    for track in tracks:
        colour = style.ego_colour if track is ego else style.other_colour
        sprites.append(shadow_sprite(track.kind, track.length_m, track.width_m))
        sprites.append(body_sprite(track.kind, track.length_m, track.width_m, colour))
        sprites.append(brake_sprite(track.kind, track.length_m, track.width_m))
    placed = tuple(replace(m, x_m=m.x_m - origin[0], y_m=m.y_m - origin[1]) for m in moves)
    return Painter(style, pack(sprites), make_ground(scale), placed)


def _moved(road_map: RoadMap, origin: Points) -> RoadMap:
    return RoadMap(
        lanes=tuple(replace(lane, polygon_m=lane.polygon_m - origin) for lane in road_map.lanes),
        boundaries=tuple(replace(b, points_m=b.points_m - origin) for b in road_map.boundaries),
        stop_lines_m=tuple(line - origin for line in road_map.stop_lines_m),
        crossings_m=tuple(outline - origin for outline in road_map.crossings_m),
    )
