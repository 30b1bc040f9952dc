"""Everything besides the scene that decides what a video looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

MIN_SIDE_PX, MAX_SIDE_PX = 64, 4096
MAX_FPS = 120
MAX_DURATION_S = 600.0
MAX_FADE_S = 5.0
MIN_WIDTH_M, MAX_WIDTH_M = 5.0, 5000.0
# Of the chase camera. It stays above the bonnets, which are painted before what is on them.
CHASE_LIMITS = {
    "chase_back_m": (3.0, 100.0),
    "chase_up_m": (2.0, 100.0),
    "chase_down_deg": (0.0, 60.0),
    "chase_fov_deg": (30.0, 120.0),
}


class View(StrEnum):
    """From where the scene is seen."""

    top = "top"  # from above, north up, the ego in the middle
    heading_up = "heading_up"  # from above, the ego in the middle and looking up
    overview = "overview"  # from above, north up, standing still, all that happens in sight
    chase = "chase"  # from behind and above the ego, in perspective


@dataclass(frozen=True, slots=True)
class FilmStyle:
    """Picture, window and palette of a video; all of it enters the content key.

    The same style in every clip of a study gives every clip the same scale,
    size and colours, so that nothing but the driving differs.
    """

    width_px: int = 1280
    height_px: int = 720
    fps: int = 30
    start_s: float | None = None  # None: when the ego first appears
    duration_s: float | None = None  # None: until the ego is last seen
    lead_in_s: float = 0.5  # the first picture stands still for as long, wholly seen
    fade_s: float = 0.25  # out of the ground's colour before that, and into it at the end
    view: View = View.top
    width_m: float = 120.0  # of ground, from left to right; an overview may show more
    chase_back_m: float = 10.0  # of the chase camera behind the ego's centre
    chase_up_m: float = 5.0  # of the chase camera above the road
    chase_down_deg: float = 20.0  # by which it looks down
    chase_fov_deg: float = 75.0  # from the left edge of its picture to the right
    ego_colour: str = "#D55E00"  # with the next a pair that colour-blind people can tell apart
    other_colour: str = "#0072B2"


def check_style(style: FilmStyle) -> None:
    """Raise ValueError with one sentence if no video can have this style."""
    for name, side_px in (("width", style.width_px), ("height", style.height_px)):
        if not MIN_SIDE_PX <= side_px <= MAX_SIDE_PX:
            raise ValueError(
                f"the {name} is {side_px} px; it must be {MIN_SIDE_PX} to {MAX_SIDE_PX} px"
            )
        if side_px % 2:
            raise ValueError(f"the {name} is {side_px} px; it must be even, colour is stored 2 × 2")
    if not 1 <= style.fps <= MAX_FPS:
        raise ValueError(f"{style.fps} frames per second asked for; it must be 1 to {MAX_FPS}")
    if style.start_s is not None and not isfinite(style.start_s):
        raise ValueError(f"the start is {style.start_s} s; it must be a finite number")
    if style.duration_s is not None and not 0 < style.duration_s <= MAX_DURATION_S:
        raise ValueError(
            f"the duration is {style.duration_s:g} s; it must be above 0 and at most "
            f"{MAX_DURATION_S:g} s"
        )
    if not 0 <= style.lead_in_s <= MAX_DURATION_S:
        raise ValueError(
            f"the lead-in is {style.lead_in_s:g} s; it must be 0 to {MAX_DURATION_S:g} s"
        )
    if not 0 <= style.fade_s <= MAX_FADE_S:
        raise ValueError(f"the fade is {style.fade_s:g} s; it must be 0 to {MAX_FADE_S:g} s")
    if not MIN_WIDTH_M <= style.width_m <= MAX_WIDTH_M:
        raise ValueError(
            f"the picture is {style.width_m:g} m wide; it must be {MIN_WIDTH_M:g} to "
            f"{MAX_WIDTH_M:g} m"
        )
    for name, (least, most) in CHASE_LIMITS.items():
        if not least <= getattr(style, name) <= most:
            raise ValueError(
                f"{name} is {getattr(style, name):g}; it must be {least:g} to {most:g}"
            )
    for name, colour in (("ego", style.ego_colour), ("other", style.other_colour)):
        if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
            raise ValueError(f"the {name} colour is {colour!r}; it must look like #D55E00")
