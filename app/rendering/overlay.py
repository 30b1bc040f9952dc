"""The researcher's preview: a film with figures written on it.

A door of its own. What comes through it has a key that no clip can have, and says in the picture
that it is none: raters must never see an id or a speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, isfinite, log10

import numpy as np
from numpy.typing import NDArray

from app.rendering.canvas import Canvas
from app.rendering.colour import rgb_picture
from app.rendering.conflicts import Bodies, crossing_gap_s, gap_m, time_to_collision_s
from app.rendering.film import RENDERER_VERSION, Video, content_key, paint_still, shoot
from app.rendering.lettering import HALO, INK, text_width_px, write
from app.rendering.plan import PlanPainter, prepare_plan
from app.rendering.raster import paint_sprites
from app.rendering.sprites import Layer, pack
from app.rendering.style import FilmStyle, View, check_style
from app.rendering.window import check_ego_is_there, ego_of, picture_times_s
from app.scenes.resampling import sample_track
from app.scenes.scene import Floats, Scene

OVERLAY_VERSION = "1"
WARNING = "Preview for researchers, not a clip"
KMH_PER_MPS = 3.6
# Later than this, going straight on says nothing.
HORIZON_S = 10.0
# Letters are as high as this share of the picture, but can always be read.
LETTER_SHARE, LEAST_LETTER_PX = 1 / 65, 9.0
LINE_HEIGHT = 1.75  # of the height of letters
MARGIN = 1.6  # to the picture's edges, in heights of letters
SCALE_BAR_SHARE = 0.2  # of the picture's width, at most


@dataclass(frozen=True, slots=True, eq=False)
class OverlayPainter:
    """A painter's pictures with figures on them; arrays are (n_times, n_tracks)."""

    painter: PlanPainter
    names: tuple[str, ...]
    times_s: Floats
    speed_mps: Floats

    @property
    def style(self) -> FilmStyle:
        """What the pictures look like."""
        return self.painter.style

    def paint(self, canvas: Canvas, k: int) -> None:
        """The picture at the k-th time."""
        self.painter.paint(canvas, k)
        height_px = max(LEAST_LETTER_PX, self.style.height_px * LETTER_SHARE)
        self._label_road_users(canvas, k, height_px)
        self._write_corners(canvas, k, height_px)
        _draw_scale_bar(canvas, self.painter.cameras[k].scale_px_per_m, height_px)

    def _label_road_users(self, canvas: Canvas, k: int, height_px: float) -> None:
        stage, camera = self.painter.stage, self.painter.cameras[k]
        seen = np.flatnonzero(stage.valid[k] & camera.sees(stage.x_m[k], stage.y_m[k], 0.0))
        places = camera.bodies(stage.x_m[k, seen], stage.y_m[k, seen], stage.heading_rad[k, seen])
        figures = self._figures(k, seen)
        texts = []
        for track, place, lines in zip(seen, places, figures, strict=True):
            column, row = place[2], place[5]
            beside_px = self._half_height_px(int(track), place) + height_px
            for line, text in enumerate([self.names[track], *lines]):
                texts.append((text, column, row + beside_px + LINE_HEIGHT * height_px * line))
        write(canvas, [(t, c, r + height_px) for t, c, r in texts], height_px, middle=True)

    def _half_height_px(self, track: int, place: Floats) -> float:
        body = self.painter.stage.tracks[track]
        return float(abs(place[3]) * body.length_m + abs(place[4]) * body.width_m) / 2

    def _figures(self, k: int, seen: NDArray[np.intp]) -> list[list[str]]:
        """What is written under the name of each road user in sight."""
        speeds = [_speed(float(self.speed_mps[k, track])) for track in seen]
        others = seen[seen != 0]
        ego, them = self._bodies(k, np.zeros(1, np.intp)), self._bodies(k, others)
        meetings = _meetings(ego, them)
        lines = dict(zip(others.tolist(), meetings, strict=True))
        return [
            [speed, *lines.get(track, [])]
            for track, speed in zip(seen.tolist(), speeds, strict=True)
        ]

    def _bodies(self, k: int, of: NDArray[np.intp]) -> Bodies:
        stage = self.painter.stage
        return Bodies(
            x_m=stage.x_m[k, of],
            y_m=stage.y_m[k, of],
            heading_rad=stage.heading_rad[k, of],
            speed_mps=np.nan_to_num(self.speed_mps[k, of]),
            length_m=np.array([stage.tracks[i].length_m for i in of]),
            width_m=np.array([stage.tracks[i].width_m for i in of]),
        )

    def _write_corners(self, canvas: Canvas, k: int, height_px: float) -> None:
        margin_px, ego_mps = MARGIN * height_px, float(self.speed_mps[k, 0])
        clock = f"{self.times_s[k]:.2f} s"
        ego = f"E {_speed(ego_mps)} = {ego_mps:.1f} m/s" if isfinite(ego_mps) else "E ? km/h"
        first_row = margin_px + height_px
        right = canvas.width_px - margin_px - text_width_px(WARNING, height_px)
        texts = [(clock, margin_px, first_row), (WARNING, right, first_row)]
        write(canvas, [*texts, (ego, margin_px, first_row + LINE_HEIGHT * height_px)], height_px)


def preview_film(
    scene: Scene, style: FilmStyle, *, on_frame: Callable[[int, int], None] | None = None
) -> Video:
    """The film with ids, roles, speeds, times to collision, gaps, a clock and a scale.

    Raises ValueError with one sentence for what cannot be previewed.
    """
    check_style(style)
    ego = ego_of(scene)
    times_s = picture_times_s(ego, style)
    return shoot(_prepare(scene, style, times_s), len(times_s), on_frame)


def preview_frame(scene: Scene, style: FilmStyle, time_s: float) -> NDArray[np.uint8]:
    """(height, width, 3) RGB still of the preview at a time of the scene."""
    check_style(style)
    times_s = np.array([time_s])
    check_ego_is_there(ego_of(scene), times_s)
    return rgb_picture(*paint_still(_prepare(scene, style, times_s)))


def preview_key(scene_hash: str, style: FilmStyle) -> str:
    """Hex name of a preview; no clip has it, since no clip's name is made of these parts."""
    parts = {"preview of": scene_hash, "renderer": RENDERER_VERSION, "overlay": OVERLAY_VERSION}
    return content_key(parts, style)


def _prepare(scene: Scene, style: FilmStyle, times_s: Floats) -> OverlayPainter:
    if style.view is View.chase:
        raise ValueError("figures are written on views from above; the chase view has none")
    painter = prepare_plan(scene, ego_of(scene), style, times_s)
    roles = {track_id: role for role, track_id in scene.roles.items()} | {scene.ego_id: "E"}
    tracks = painter.stage.tracks
    names = tuple(f"{roles[t.id]} · {t.id}" if t.id in roles else t.id for t in tracks)
    speed_mps = np.stack([sample_track(track, times_s).speed_mps for track in tracks], axis=1)
    return OverlayPainter(painter, names, times_s, speed_mps)


def _speed(speed_mps: float) -> str:
    return f"{speed_mps * KMH_PER_MPS:.0f} km/h" if isfinite(speed_mps) else "? km/h"


def _meetings(ego: Bodies, others: Bodies) -> list[list[str]]:
    """Of each other: when it is hit, and by how much it is missed."""
    ttc_s, ahead_m = time_to_collision_s(ego, others), gap_m(ego, others)
    crossing_s = crossing_gap_s(ego, others)
    leader = np.nanargmin(ahead_m) if np.isfinite(ahead_m).any() else -1
    lines: list[list[str]] = [[] for _ in ttc_s]
    for k, line in enumerate(lines):
        if ttc_s[k] <= HORIZON_S:
            line.append(f"TTC {ttc_s[k]:.1f} s")
        if k == leader and ego.speed_mps[0] * HORIZON_S > ahead_m[k]:
            line.append(f"gap {ahead_m[k] / ego.speed_mps[0]:.1f} s ({ahead_m[k]:.0f} m)")
        elif crossing_s[k] <= HORIZON_S:
            line.append(f"crosses, gap {crossing_s[k]:.1f} s")
    return lines


def _draw_scale_bar(canvas: Canvas, scale_px_per_m: float, height_px: float) -> None:
    """A bar of a round length, in the corner below."""
    length_m = _round_length_m(SCALE_BAR_SHARE * canvas.width_px / scale_px_per_m)
    left, row = MARGIN * height_px, canvas.luma.shape[0] - MARGIN * height_px
    right, thick = left + length_m * scale_px_per_m, height_px / 4

    def box(grow: float) -> NDArray[np.float64]:
        x0, x1, y0, y1 = left - grow, right + grow, row - thick - grow, row + grow
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])

    bar = pack([[Layer([box(height_px / 6)], HALO), Layer([box(0.0)], INK)]])
    paint_sprites(canvas, bar, np.zeros(1, np.int32), np.array([[1.0, 0, 0, 0, 1.0, 0]]))
    text = f"{length_m:g} m"
    middle = (left + right) / 2
    write(canvas, [(text, middle, row - 3 * thick)], height_px, middle=True)


def _round_length_m(longest_m: float) -> float:
    """The longest of 1, 2, 5, 10, 20, 50 … metres that fits."""
    power = 10.0 ** floor(log10(longest_m))
    return max(step * power for step in (1, 2, 5) if step * power <= longest_m)
