"""What a reader of one format hands over: tracks as the file has them, before anybody chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.scenes.road_map import RoadMap
from app.scenes.scene import SceneKind, Track


@dataclass(frozen=True, slots=True, eq=False)
class SceneDraft:
    """A scene without its choices; `configuration` is what the file says of its making."""

    name: str
    step_s: float
    tracks: tuple[Track, ...]
    road_map: RoadMap | None = None  # None: look for a map among the other files
    ego_id: str | None = None
    kind: SceneKind = SceneKind.other
    licence: str = ""
    configuration: Mapping[str, str | float | int | bool] = field(default_factory=dict)
