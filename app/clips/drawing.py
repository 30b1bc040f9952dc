"""A plan becomes a drawing: lines in the units of an SVG, with names that do not overlap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.clips.plan import Line, Plan, PlanTrack

WIDTH = 1000.0
TALLEST, FLATTEST = 700.0, 260.0
EDGE = 36.0  # room for the names at the ends
LETTER_WIDTH, LETTER_HEIGHT = 13.0, 24.0
MOST_NAMES = 40

Placer = Callable[[Sequence[float]], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class DrawnTrack:
    """A track: all of it as a thin line, what is in the window as a strong one."""

    id: str
    title: str
    css_class: str
    path: str
    window_path: str  # empty if it is not seen in the window
    end_x: str
    end_y: str
    name: str  # empty if there is no room for it
    name_x: str
    name_y: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plan, ready to be put into a page."""

    view_box: str
    lanes: tuple[str, ...]
    crossings: tuple[str, ...]
    tracks: tuple[DrawnTrack, ...]  # the ego last, so that nothing covers it
    n_left_out: int


def draw_plan(
    plan: Plan, ego_id: str | None, roles: Mapping[str, str], window_s: tuple[float, float]
) -> Drawing:
    """The plan with the ego and its window made visible."""
    height, place = _fit(plan.tracks)
    role_of = {track_id: role for role, track_id in roles.items()}
    important = sorted(plan.tracks, key=lambda track: (track.id != ego_id, track.id not in role_of))
    names = _name_places(important[:MOST_NAMES], place)
    drawn = [
        _draw_track(track, place, window_s, names, ego_id, role_of.get(track.id, ""))
        for track in reversed(important)
    ]
    return Drawing(
        view_box=f"0 0 {WIDTH:.0f} {height:.0f}",
        lanes=tuple(_path(lane, place) for lane in plan.lanes),
        crossings=tuple(_path(crossing, place) for crossing in plan.crossings),
        tracks=tuple(drawn),
        n_left_out=plan.n_left_out,
    )


def _fit(tracks: Sequence[PlanTrack]) -> tuple[float, Placer]:
    """Height of the drawing, and where a point in metres is in it; north is up."""
    xs = [point[1] for track in tracks for point in track.points] or [0.0]
    ys = [point[2] for track in tracks for point in track.points] or [0.0]
    width_m, height_m = max(xs) - min(xs) or 1.0, max(ys) - min(ys)
    scale = min((WIDTH - 2 * EDGE) / width_m, (TALLEST - 2 * EDGE) / (height_m or 1.0))
    height = min(TALLEST, max(FLATTEST, height_m * scale + 2 * EDGE))
    middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2

    def place(point: Sequence[float]) -> tuple[float, float]:
        x_m, y_m = point[-2], point[-1]
        return WIDTH / 2 + (x_m - middle_x) * scale, height / 2 - (y_m - middle_y) * scale

    return height, place


def _path(points: Line, place: Placer) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, points))


def _draw_track(
    track: PlanTrack,
    place: Placer,
    window_s: tuple[float, float],
    names: Mapping[str, tuple[float, float]],
    ego_id: str | None,
    role: str,
) -> DrawnTrack:
    start_s, end_s = window_s
    inside = [point for point in track.points if start_s - 1e-6 <= point[0] <= end_s + 1e-6]
    end_x, end_y = place(track.points[-1])
    name_x, name_y = names.get(track.id, (0.0, 0.0))
    is_ego = track.id == ego_id
    return DrawnTrack(
        id=track.id,
        title=_title(track, "ego" if is_ego else role),
        css_class="plan__track--ego" if is_ego else "plan__track--other",
        path=_path(track.points, place),
        window_path=_path(inside, place) if len(inside) > 1 else "",
        end_x=f"{end_x:.1f}",
        end_y=f"{end_y:.1f}",
        name=track.id if track.id in names else "",
        name_x=f"{name_x:.1f}",
        name_y=f"{name_y:.1f}",
    )


def _title(track: PlanTrack, role: str) -> str:
    # In full, also where times count from 1970.
    seen = f"{track.points[0][0]:.12g} to {track.points[-1][0]:.12g} s"
    return f"{track.id} · {role + ' · ' if role else ''}{track.kind} · {seen}"


def _name_places(tracks: Sequence[PlanTrack], place: Placer) -> dict[str, tuple[float, float]]:
    """Beside the end of a track, unless another name is there already."""
    taken: list[tuple[float, float, float, float]] = []
    places: dict[str, tuple[float, float]] = {}
    for track in tracks:
        end_x, end_y = place(track.points[-1])
        width = LETTER_WIDTH * len(track.id)
        x = end_x + 11 if end_x + 11 + width < WIDTH else end_x - 11 - width
        box = (x, end_y - LETTER_HEIGHT / 2, x + width, end_y + LETTER_HEIGHT / 2)
        if not any(_overlap(box, other) for other in taken):
            taken.append(box)
            places[track.id] = (x, end_y + LETTER_HEIGHT / 3)
    return places


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
