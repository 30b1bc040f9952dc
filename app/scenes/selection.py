"""Choosing from a scene: who is the ego, which seconds, who plays which part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.scenes.resampling import TIME_TOLERANCE_S
from app.scenes.scene import Scene, SceneKind, Track
from app.scenes.validation import ROLE_NAMES
from app.scenes.wording import quoted, seconds

# Enough to see what the ids of a recording look like.
IDS_NAMED = 5


def choose(
    scene: Scene,
    *,
    ego_id: str | None = None,
    start_s: float | None = None,
    end_s: float | None = None,
    roles: Mapping[str, str] | None = None,
    kind: SceneKind | None = None,
    name: str | None = None,
) -> Scene:
    """The scene with what is given in place of its own; None keeps what the scene has.

    The role E and the ego are the same choice. Roles that are not given stay, unless they name
    the new ego. With another ego the reference path, which was the way of the old one, is dropped.

    Raises ValueError with a sentence for an unknown id or a window in which the ego is not.
    """
    _check_roles(roles or {})
    ego_id = _chosen_ego(scene, ego_id, roles or {})
    for track_id in (ego_id, *(roles or {}).values()):
        check_known(scene, track_id)
    chosen = replace(
        scene,
        ego_id=ego_id,
        roles=_with_ego(scene.roles, roles or {}, ego_id),
        reference_path_m=scene.reference_path_m if ego_id == scene.ego_id else None,
        kind=scene.kind if kind is None else kind,
        name=scene.name if name is None else name,
    )
    if start_s is None and end_s is None:
        return chosen
    return cut_window(
        chosen,
        scene.start_s if start_s is None else start_s,
        scene.end_s if end_s is None else end_s,
    )


def cut_window(scene: Scene, start_s: float, end_s: float) -> Scene:
    """The samples from `start_s` to `end_s`, both included; times stay as they are.

    Road users without a valid sample in the window are left out, and so are their roles and their
    right of way. The window may reach beyond the scene, but not miss it.

    Raises ValueError where the window is empty, misses the scene, or does not have the ego in it.
    """
    window = f"the window from {seconds(start_s)} to {seconds(end_s)}"
    if not start_s <= end_s:
        raise ValueError(f"{window} ends before it starts")
    tracks = [_cut_track(track, start_s, end_s) for track in scene.tracks]
    present = tuple(track for track in tracks if track.valid.any())
    if not present:
        raise ValueError(
            f"{window} is outside the scene, which lasts from {seconds(scene.start_s)} to "
            f"{seconds(scene.end_s)}"
        )
    known = {track.id for track in present}
    if scene.ego_id is not None and scene.ego_id not in known:
        raise ValueError(f"the ego {scene.ego_id!r} is not in {window}; {_when(scene)}")
    return replace(
        scene,
        tracks=present,
        roles={role: track_id for role, track_id in scene.roles.items() if track_id in known},
        right_of_way_ids=scene.right_of_way_ids & known,
    )


def check_known(scene: Scene, track_id: str | None) -> None:
    """Raise ValueError with some of the ids there are for one that is not among them."""
    known = [track.id for track in scene.tracks]
    if track_id is None or track_id in known:
        return
    raise ValueError(f"no track is called {track_id!r}; there are {quoted(known, IDS_NAMED)}")


def _chosen_ego(scene: Scene, ego_id: str | None, roles: Mapping[str, str]) -> str | None:
    if ego_id is not None and roles.get("E", ego_id) != ego_id:
        raise ValueError(f"the ego is {ego_id!r}, but the role E is {roles['E']!r}")
    return roles.get("E", scene.ego_id) if ego_id is None else ego_id


def _check_roles(roles: Mapping[str, str]) -> None:
    for role in roles:
        if role not in ROLE_NAMES:
            raise ValueError(
                f"no role is called {role!r}; there are {', '.join(sorted(ROLE_NAMES))}"
            )


def _with_ego(
    own: Mapping[str, str], given: Mapping[str, str], ego_id: str | None
) -> dict[str, str]:
    roles = {role: track_id for role, track_id in own.items() if role != "E"}
    roles = {role: track_id for role, track_id in roles.items() if track_id != ego_id} | dict(given)
    return roles if ego_id is None else roles | {"E": ego_id}


def _cut_track(track: Track, start_s: float, end_s: float) -> Track:
    # Windows are written in decimals, samples are sums of steps: both miss by rounding.
    inside = (track.time_s >= start_s - TIME_TOLERANCE_S) & (
        track.time_s <= end_s + TIME_TOLERANCE_S
    )
    return replace(
        track,
        time_s=track.time_s[inside],
        x_m=track.x_m[inside],
        y_m=track.y_m[inside],
        heading_rad=track.heading_rad[inside],
        speed_mps=track.speed_mps[inside],
        acceleration_mps2=track.acceleration_mps2[inside],
        valid=track.valid[inside],
    )


def _when(scene: Scene) -> str:
    """When the ego was seen."""
    egos = [track for track in scene.tracks if track.id == scene.ego_id and track.valid.any()]
    if not egos:
        return "it is never seen"
    first_s, last_s = egos[0].time_s[egos[0].valid][[0, -1]]
    return f"it is seen from {seconds(first_s)} to {seconds(last_s)}"
