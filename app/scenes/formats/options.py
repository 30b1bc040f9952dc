"""What a researcher may say about files that the files do not say themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.scenes.scene import SceneKind


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Every field has the default that lets the reader find out or suggest.

    `columns` maps what a plain table means to what it calls it, with a unit where it is not the
    scene's: {"x": "pos_x [ft]", "t": "frame [1/25 s]"}. `start_s` and `end_s` cut a window out of
    a recording. `roles` maps E, T, V1..V4 to track ids.
    """

    format: str | None = None
    name: str | None = None
    kind: SceneKind | None = None
    ego_id: str | None = None
    start_s: float | None = None
    end_s: float | None = None
    around_s: float = 0.0  # kept before and after the window, where it is there
    roles: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    case_id: str | None = None  # of an INTERACTION prediction set
    origin_deg: tuple[float, float] | None = None  # latitude and longitude
    map_offset_m: tuple[float, float] | None = None  # x and y by which a map is moved
    licence: str = ""

    def widened(self) -> ReadOptions:
        """With the window as wide as what is kept."""
        start_s = None if self.start_s is None else self.start_s - self.around_s
        end_s = None if self.end_s is None else self.end_s + self.around_s
        return replace(self, start_s=start_s, end_s=end_s)
