"""A worker draws every view once before it takes a job, so that no clip waits for a compiler."""

from __future__ import annotations

from app.rendering.film import film
from app.rendering.style import FilmStyle, View
from app.simulation.scenarios import simulate


def warm_up() -> None:
    """Film two pictures from everywhere: the kernels are compiled, or loaded from their cache."""
    scene = simulate("highway", "attentive", seed=1, duration_s=1.0)
    for view in View:
        film(
            scene,
            FilmStyle(width_px=160, height_px=90, fps=10, duration_s=0.2, lead_in_s=0.0, view=view),
        )
