"""CommonRoad scenarios of versions 2018b and 2020a: obstacles with exact states on lanelets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from xml.etree.ElementTree import Element

import numpy as np

from app.scenes.formats.commonroad.elements import number, read_root
from app.scenes.formats.commonroad.obstacles import Obstacle, obstacles_of
from app.scenes.formats.commonroad.road import road_map_of
from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.formats.tracks.building import RoadUserFacts, build_tracks
from app.scenes.formats.tracks.rows import MAX_SAMPLES, Rows, collect_rows
from app.scenes.road_map import RoadMap
from app.scenes.scene import Track

NOT_DRAWN = {
    "environmentObstacle": "Obstacles of the environment, such as buildings, are not drawn.",
    "phantomObstacle": "Phantom obstacles stand for what cannot be seen and are not drawn.",
    "trafficSign": "Traffic signs are not drawn.",
    "trafficLight": "Traffic lights are not drawn.",
    "planningProblem": (
        "The ego vehicle of a planning problem has only an initial state and no trajectory; "
        "another vehicle is suggested as the ego."
    ),
}
FACTS = {
    "benchmarkID": "benchmark_id",
    "author": "author",
    "affiliation": "affiliation",
    "source": "source",
    "date": "date",
    "commonRoadVersion": "version",
}


def read_commonroad(files: FileSet, options: ReadOptions, notes: Notes) -> SceneDraft:
    """The obstacles of a scenario as tracks, on its lanelets."""
    file = files.get(FileKind.commonroad)
    root = read_root(file)
    step_s = _step_s(file, root)
    obstacles = _moving_and_standing(file, obstacles_of(file, root, notes))
    numbers = {obstacle.id: i for i, obstacle in enumerate(obstacles)}
    rows = collect_rows(
        lambda: iter([_rows(obstacles, step_s)]), options, notes, file.name, numbers.get
    )
    users = {
        i: RoadUserFacts(o.id, o.kind, o.shape.length_m, o.shape.width_m)
        for i, o in enumerate(obstacles)
    }
    built = build_tracks(rows, users, notes, file.name)
    road_map = road_map_of(file, root, notes)
    for tag, sentence in NOT_DRAWN.items():
        notes.dropped(sentence, len(root.findall(tag)))
    return SceneDraft(
        name=root.get("benchmarkID") or file.stem,
        step_s=step_s,
        tracks=_with_shapes(built.tracks, obstacles),
        road_map=road_map if road_map.lanes else None,
        licence=root.get("license", ""),
        configuration={FACTS[key]: value for key, value in root.items() if key in FACTS},
    )


def read_commonroad_map(file: SourceFile, options: ReadOptions, notes: Notes) -> RoadMap:
    """The road of a scenario, for tracks from elsewhere."""
    road_map = road_map_of(file, read_root(file), notes)
    if not road_map.lanes:
        raise file.wrong("there is no lanelet in the file")
    return road_map


def _step_s(file: SourceFile, root: Element) -> float:
    try:
        step_s = number(root.get("timeStepSize"), "timeStepSize")
    except SceneFormatError as error:
        raise file.wrong(str(error)) from None
    if step_s <= 0:
        raise file.wrong(f"timeStepSize: {step_s:g} is not positive")
    return step_s


def _moving_and_standing(file: SourceFile, obstacles: list[Obstacle]) -> list[Obstacle]:
    """Who stands does so for as long as somebody moves."""
    steps = [state[0] for o in obstacles if not o.stands for state in o.states]
    if not steps:
        what = "are only static obstacles" if obstacles else "is no obstacle"
        raise file.wrong(f"there {what} in the file, so there is no motion to film")
    first, last = min(steps), max(steps)
    n_standing = sum(o.stands for o in obstacles)
    if n_standing * (last - first + 1) > MAX_SAMPLES:
        raise file.wrong(
            f"{n_standing:,} static obstacles through {last - first + 1:,} time steps "
            f"are more than the {MAX_SAMPLES:,} samples of a scene"
        )
    return [_standing(o, first, last) if o.stands else o for o in obstacles]


def _standing(obstacle: Obstacle, first: int, last: int) -> Obstacle:
    place = obstacle.states[0][1:4]
    states = [(step, *place, 0.0, 0.0) for step in range(first, last + 1)]
    return replace(obstacle, states=states)


def _rows(obstacles: Sequence[Obstacle], step_s: float) -> Rows:
    track = np.repeat(np.arange(len(obstacles)), [len(o.states) for o in obstacles])
    step, *states = np.array([(*state, nan) for o in obstacles for state in o.states]).T
    return Rows(track, step * step_s, *states)


def _with_shapes(tracks: Sequence[Track], obstacles: Sequence[Obstacle]) -> tuple[Track, ...]:
    shapes = {o.id: o.shape for o in obstacles}
    return tuple(shapes[track.id].placed_on(track) for track in tracks)
