"""Pictures from behind and above the ego, in perspective."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin

import numpy as np

from app.rendering.bodies import body_solid
from app.rendering.canvas import Atlas, Canvas, Floats, Indices
from app.rendering.colour import yuv_of
from app.rendering.depth_order import far_to_near
from app.rendering.horizon import (
    CLEAR_M,
    FADING_M,
    HAZE,
    Distance,
    make_distance,
    paint_haze,
    paint_sky,
)
from app.rendering.meadow import Meadow, make_near_meadow, paint_meadow, tilted
from app.rendering.perspective import ChaseCamera, chase_camera
from app.rendering.projection import (
    Light,
    Sheet,
    atlas_on,
    make_sheet,
    project_flat,
    project_solids,
)
from app.rendering.raster import paint_sprites
from app.rendering.road import road_sprite
from app.rendering.solids import Shapes, pack_solids
from app.rendering.sprites import Layer, Sprite, pack
from app.rendering.staging import REACH_M, Stage, set_stage
from app.rendering.steady import steady_heading_rad
from app.rendering.style import FilmStyle
from app.rendering.vehicles import BLACK, box
from app.scenes.scene import Floats as Values
from app.scenes.scene import Scene, Track

# Beyond it haze has nine tenths of the colour.
SIGHT_M = 400.0
# High in the south-west, so that tops are bright and sides differ.
SUN = (-0.35, -0.25, 0.9)
SHADOW_SHIFT_M = (0.14, 0.1)
# Rings of a soft edge, from the outside in, as shares of the half width; each adds the opacity.
SHADOW_REACHES, SHADOW_OPACITY = (0.3, 0.22, 0.14, 0.06, -0.04), 0.1
FAR_SHADOW_REACHES, FAR_SHADOW_OPACITY = (0.2, 0.0), 0.24
FAR_M = 40.0
# Lines are as wide as at this many pixels per metre.
LINE_SCALE_PX_PER_M = 10.0
# Of the ground the least deep row that is drawn is this share of what the picture's edge shows.
NEAR_SHARE = 0.8

# What is left of who comes between the camera and the ego, and over how many metres it goes.
GLASS_OPACITY, GLASS_STEP_M = 0.12, 1.5
# Flat sprites: the road, then these of each track.
ROAD, SHADOW, FAR_SHADOW, SHADOWS_PER_TRACK = 0, 1, 2, 2
WHOLE = np.zeros(1, np.int32)
AS_IT_IS = np.array([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]])


@dataclass(frozen=True, slots=True, eq=False)
class ChasePainter:
    """A scene made ready to be painted in perspective."""

    style: FilmStyle
    cameras: Sequence[ChaseCamera]
    stage: Stage
    sizes_m: Floats
    flat: Atlas
    shapes: Shapes
    meadow: Meadow
    distance: Distance
    light: Light
    flat_sheet: Sheet
    solid_sheet: Sheet

    def paint(self, canvas: Canvas, k: int) -> None:
        """The picture at the k-th time."""
        camera = self.cameras[k]
        seen = self._seen(camera, k)
        paint_sky(canvas, self.distance, camera)
        paint_meadow(canvas, self.meadow, tilted(self.meadow, camera))
        self._paint_flat(canvas, camera, k, seen)
        paint_haze(canvas, self.distance)
        self._paint_solids(canvas, camera, k, seen)

    def _seen(self, camera: ChaseCamera, k: int) -> Indices:
        """Who may be in the picture, farthest first."""
        stage = self.stage
        east_m, north_m = stage.x_m[k] - camera.x_m, stage.y_m[k] - camera.y_m
        ahead_m = cos(camera.heading_rad) * east_m + sin(camera.heading_rad) * north_m
        near = stage.valid[k] & (ahead_m > -REACH_M) & (np.hypot(east_m, north_m) < SIGHT_M)
        seen = np.flatnonzero(near)
        heading_rad = stage.heading_rad[k, seen]
        turn = [np.cos(heading_rad), np.sin(heading_rad)]
        bodies = np.column_stack(
            [stage.x_m[k, seen], stage.y_m[k, seen], *turn, self.sizes_m[seen]]
        )
        return seen[far_to_near(bodies, camera.x_m, camera.y_m)].astype(np.int32)

    def _paint_flat(self, canvas: Canvas, camera: ChaseCamera, k: int, seen: Indices) -> None:
        stage = self.stage
        east_m, north_m = SHADOW_SHIFT_M
        shadows = camera.bodies(
            stage.x_m[k, seen] + east_m, stage.y_m[k, seen] + north_m, stage.heading_rad[k, seen]
        )
        far = np.hypot(stage.x_m[k, seen] - camera.x_m, stage.y_m[k, seen] - camera.y_m) > FAR_M
        shadow = SHADOWS_PER_TRACK * seen + np.where(far, FAR_SHADOW, SHADOW)
        sprites = np.concatenate([[ROAD], shadow]).astype(np.int32)
        projections = np.concatenate([camera.world(), shadows])
        near_m = NEAR_SHARE * float(camera.depths_of_rows_m(np.array(camera.height_px + 1.0)))
        size_px = np.array([camera.width_px, camera.height_px], np.float64)
        project_flat(self.flat, sprites, projections, near_m, size_px, self.flat_sheet)
        paint_sprites(canvas, atlas_on(self.flat_sheet), WHOLE, AS_IT_IS)

    def _paint_solids(self, canvas: Canvas, camera: ChaseCamera, k: int, seen: Indices) -> None:
        stage = self.stage
        x_m, y_m, heading_rad = stage.x_m[k, seen], stage.y_m[k, seen], stage.heading_rad[k, seen]
        turn, rise = np.cos(heading_rad), np.sin(heading_rad)
        east_m, north_m = camera.x_m - x_m, camera.y_m - y_m
        up_m, opacity = np.full(len(seen), camera.up_m), self._opacity(camera, k, seen)
        places = np.column_stack(
            [
                turn, rise, turn * east_m + rise * north_m, turn * north_m - rise * east_m, up_m,
                np.hypot(east_m, north_m), opacity,
            ]
        )  # fmt: skip
        project_solids(
            self.shapes,
            seen,
            camera.bodies(x_m, y_m, heading_rad),
            places,
            stage.braking[k, seen].astype(np.int32),
            self.light,
            np.array([camera.width_px, camera.height_px], np.float64),
            self.solid_sheet,
        )
        paint_sprites(canvas, atlas_on(self.solid_sheet), WHOLE, AS_IT_IS)

    def _opacity(self, camera: ChaseCamera, k: int, seen: Indices) -> Floats:
        """Who comes between the camera and the ego becomes glass, step by step."""
        east_m, north_m = self.stage.x_m[k, seen] - camera.x_m, self.stage.y_m[k, seen] - camera.y_m
        turn, rise = cos(camera.heading_rad), sin(camera.heading_rad)
        half_m = self.sizes_m[seen]
        reach_m = turn * east_m + rise * north_m + half_m[:, 0]
        aside_m = np.abs(rise * east_m - turn * north_m) - half_m[:, 1] - self.sizes_m[0, 1]
        before = np.clip(reach_m / GLASS_STEP_M, 0, 1) * np.clip(1 - aside_m / GLASS_STEP_M, 0, 1)
        behind_the_ego = reach_m < self.style.chase_back_m
        return np.where(behind_the_ego & (seen != 0), 1 - (1 - GLASS_OPACITY) * before, 1.0)


def prepare_chase(scene: Scene, ego: Track, style: FilmStyle, times_s: Values) -> ChasePainter:
    """Everything that does not change from picture to picture, done once."""
    stage = set_stage(scene, ego, times_s, np.full(2, SIGHT_M))
    headings_rad = steady_heading_rad(ego, times_s)
    cameras = [
        chase_camera(style, float(x_m), float(y_m), float(heading_rad))
        for x_m, y_m, heading_rad in zip(
            stage.x_m[:, 0], stage.y_m[:, 0], headings_rad, strict=True
        )
    ]
    road = road_sprite(stage.road_map, LINE_SCALE_PX_PER_M)
    flat = pack([road, *(s for t in stage.tracks for s in _shadows(t.length_m, t.width_m))])
    colours = [style.ego_colour if t is ego else style.other_colour for t in stage.tracks]
    shapes = pack_solids(
        [
            body_solid(t.kind, t.length_m, t.width_m, colour)
            for t, colour in zip(stage.tracks, colours, strict=True)
        ]
    )
    n_faces, n_rings = len(shapes.face_plane), len(flat.ring_box)
    return ChasePainter(
        style=style,
        cameras=cameras,
        stage=stage,
        sizes_m=np.array([[t.length_m / 2, t.width_m / 2] for t in stage.tracks]),
        flat=flat,
        shapes=shapes,
        meadow=make_near_meadow(),
        distance=make_distance(cameras[0]),
        light=Light(np.array(SUN), np.array(yuv_of(HAZE)), CLEAR_M, FADING_M),
        # A ring cut off at the near plane has up to twice its corners.
        flat_sheet=make_sheet(2 * len(flat.points), n_rings, len(flat.layer_paint)),
        solid_sheet=make_sheet(4 * len(shapes.corners), 2 * n_faces, 2 * n_faces),
    )


def _shadows(length_m: float, width_m: float) -> list[Sprite]:
    """A soft one for a vehicle that is near, and a simple one."""
    half_l, half_w = length_m / 2, width_m / 2

    def rings(shares: tuple[float, ...], opacity: float) -> Sprite:
        reaches_m = [share * min(half_w, half_l) for share in shares]
        outlines = [box(-half_l - r, half_l + r, half_w + r, 0.35 * half_w + r) for r in reaches_m]
        return [Layer([outline], BLACK, opacity) for outline in outlines]

    return [
        rings(SHADOW_REACHES, SHADOW_OPACITY),
        rings(FAR_SHADOW_REACHES, FAR_SHADOW_OPACITY),
    ]
