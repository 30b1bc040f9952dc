"""Who paints the pictures of a film: one kind of painter looks straight down, one ahead."""

from __future__ import annotations

from typing import Protocol

from app.rendering.canvas import Canvas
from app.rendering.chase import prepare_chase
from app.rendering.plan import prepare_plan
from app.rendering.style import FilmStyle, View
from app.scenes.scene import Floats, Scene, Track


class Painter(Protocol):
    """A scene made ready to be painted at n times."""

    @property
    def style(self) -> FilmStyle:
        """What the pictures look like."""

    def paint(self, canvas: Canvas, k: int) -> None:
        """The picture at the k-th time."""


def prepare(scene: Scene, ego: Track, style: FilmStyle, times_s: Floats) -> Painter:
    """Everything that does not change from picture to picture, done once."""
    if style.view is View.chase:
        return prepare_chase(scene, ego, style, times_s)
    return prepare_plan(scene, ego, style, times_s)
