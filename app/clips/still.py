"""One picture of the film that raters would see of a scene."""

from __future__ import annotations

from app.rendering.stills import still_png
from app.rendering.style import FilmStyle
from app.rendering.window import ego_of
from app.scenes.scene import Scene

STILL_STYLE = FilmStyle(width_px=960, height_px=540)


def middle_png(scene: Scene) -> bytes:
    """The picture in the middle of the ego's time; ValueError for what cannot be filmed."""
    ego = ego_of(scene)
    times_s = ego.time_s[ego.valid]
    return still_png(scene, STILL_STYLE, float(times_s[len(times_s) // 2]))
