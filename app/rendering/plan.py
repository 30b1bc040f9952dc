"""Pictures from straight above: ground, road, shadows, road users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.rendering.camera import Affines, Camera
from app.rendering.canvas import Atlas, Canvas, Indices
from app.rendering.ground import Ground, make_ground, paint_ground
from app.rendering.meadow import Meadow, make_meadow, paint_turned_meadow
from app.rendering.raster import paint_sprites
from app.rendering.road import road_sprite
from app.rendering.sprites import Sprite, pack
from app.rendering.staging import REACH_M, Stage, moves_from, origin_of, set_stage
from app.rendering.steady import steady_heading_rad
from app.rendering.style import FilmStyle, View
from app.rendering.vehicles import body_sprite, brake_sprite, shadow_sprite
from app.rendering.window import window_s
from app.scenes.road_map import Points
from app.scenes.scene import Floats, Scene, Track

# Light falls from the north-west, as on printed maps.
SHADOW_SHIFT_M = (0.12, -0.16)
# An overview shows the ego's whole way and the others while they are this near to it, and this
# much beyond. Who is farther away does not make everybody small.
OVERVIEW_NEAR_M, OVERVIEW_MARGIN_M = 100.0, 12.0
# If that is more than the style's width, in as few steps as it takes: clips of a study then
# share a handful of scales instead of having one each.
OVERVIEW_STEP = 2**0.5
LOOK_S, MAX_LOOKS = 0.1, 2000

# Sprites in the atlas: the road, then these of each track.
ROAD, SHADOW, BODY, BRAKE_LIGHTS, SPRITES_PER_TRACK = 0, 1, 2, 3, 3


@dataclass(frozen=True, slots=True, eq=False)
class PlanPainter:
    """A scene made ready to be painted from above, with one camera for each picture."""

    style: FilmStyle
    cameras: Sequence[Camera]
    stage: Stage
    atlas: Atlas
    ground: Ground | Meadow

    def paint(self, canvas: Canvas, k: int) -> None:
        """The picture at the k-th time."""
        camera = self.cameras[k]
        if isinstance(self.ground, Meadow):
            paint_turned_meadow(canvas, self.ground, camera)
        else:
            paint_ground(canvas, self.ground, camera)
        sprites, affines = self._placed(camera, k)
        paint_sprites(canvas, self.atlas, sprites, affines)

    def _placed(self, camera: Camera, k: int) -> tuple[Indices, Affines]:
        """Sprites and where they go, from the road up; the ego comes last, over the others."""
        stage = self.stage
        near = camera.sees(stage.x_m[k], stage.y_m[k], REACH_M)
        seen = np.flatnonzero(stage.valid[k] & near)[::-1]
        braking = stage.braking[k, seen]
        x_m, y_m, heading_rad = stage.x_m[k, seen], stage.y_m[k, seen], stage.heading_rad[k, seen]
        bodies = camera.bodies(x_m, y_m, heading_rad)
        right_m, up_m = SHADOW_SHIFT_M
        shadows = camera.bodies(x_m + right_m, y_m + up_m, heading_rad)
        tracks = SPRITES_PER_TRACK * seen
        sprites = [[ROAD], tracks + SHADOW, tracks + BODY, tracks[braking] + BRAKE_LIGHTS]
        affines = [camera.world(), shadows, bodies, bodies[braking]]
        return np.concatenate(sprites).astype(np.int32), np.concatenate(affines)


def prepare_plan(scene: Scene, ego: Track, style: FilmStyle, times_s: Floats) -> PlanPainter:
    """Everything that does not change from picture to picture, done once."""
    cameras = _cameras(scene, ego, style, times_s)
    scale = cameras[0].scale_px_per_m
    half_m = np.array([style.width_px, style.height_px]) / scale / 2
    place_m = None
    if style.view is View.heading_up:
        half_m = np.full(2, np.hypot(*half_m))
    elif style.view is View.overview:
        place_m = np.array([cameras[0].x_m, cameras[0].y_m])
    stage = set_stage(scene, ego, times_s, half_m, place_m)
    sprites: list[Sprite] = [road_sprite(stage.road_map, scale)]
    for track in stage.tracks:
        sprites += _sprites(track, style.ego_colour if track is ego else style.other_colour)
    turned = style.view is View.heading_up
    ground = make_meadow(scale) if turned else make_ground(scale)
    return PlanPainter(style, cameras, stage, pack(sprites), ground)


def _sprites(track: Track, colour: str) -> list[Sprite]:
    kind, length_m, width_m = track.kind, track.length_m, track.width_m
    return [
        shadow_sprite(kind, length_m, width_m),
        body_sprite(kind, length_m, width_m, colour),
        brake_sprite(kind, length_m, width_m),
    ]


def _cameras(scene: Scene, ego: Track, style: FilmStyle, times_s: Floats) -> list[Camera]:
    if style.view is View.overview:
        return [_overview(scene, ego, style)] * len(times_s)
    moves = moves_from(ego, times_s, origin_of(ego))
    turns_rad = np.zeros(len(times_s))
    if style.view is View.heading_up:
        turns_rad = np.pi / 2 - steady_heading_rad(ego, times_s)
    scale = style.width_px / style.width_m
    return [
        Camera(float(x_m), float(y_m), style.width_px, style.height_px, scale, float(turn_rad))
        for x_m, y_m, turn_rad in zip(moves.x_m, moves.y_m, turns_rad, strict=True)
    ]


def _overview(scene: Scene, ego: Track, style: FilmStyle) -> Camera:
    """A camera that has all that happens near the ego in sight and never moves."""
    # The style's window, whatever is asked for: a still shows what the film shows.
    start_s, end_s = window_s(ego, style)
    n_times = min(MAX_LOOKS, 2 + max(0, int((end_s - start_s) / LOOK_S)))
    places_m = _places_near(scene, ego, np.linspace(start_s, end_s, n_times))
    if len(places_m) == 0:
        raise ValueError(
            f"the ego {ego.id!r} is nowhere in the window from {start_s:g} s to {end_s:g} s"
        )
    least_m, most_m = places_m.min(axis=0), places_m.max(axis=0)
    needed_m = most_m - least_m + 2 * OVERVIEW_MARGIN_M
    wide_m = max(needed_m[0], needed_m[1] * style.width_px / style.height_px)
    n_steps = max(0, int(np.ceil(np.log(wide_m / style.width_m) / np.log(OVERVIEW_STEP))))
    scale = style.width_px / (style.width_m * OVERVIEW_STEP**n_steps)
    x_m, y_m = (least_m + most_m) / 2
    return Camera(float(x_m), float(y_m), style.width_px, style.height_px, scale)


def _places_near(scene: Scene, ego: Track, times_s: Floats) -> Points:
    """(n, 2) the ego's places, and those of others while they are near it."""
    origin_m = origin_of(ego)
    here = moves_from(ego, times_s, origin_m)
    places_m = [np.stack([here.x_m, here.y_m], axis=1)[here.valid]]
    for track in scene.tracks:
        there = moves_from(track, times_s, origin_m)
        near = np.hypot(there.x_m - here.x_m, there.y_m - here.y_m) < OVERVIEW_NEAR_M
        places_m.append(np.stack([there.x_m, there.y_m], axis=1)[there.valid & near])
    return np.concatenate(places_m)
