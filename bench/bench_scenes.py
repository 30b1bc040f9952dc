"""Reading scenes against the libraries of their formats: prints a table of ratios.

Each file is read whole by both sides in one run, taking turns: CommonRoad by commonroad-io, SUMO by
sumolib's fastest way to all values (`parse_fast_nested`, made floats, and `readNet`). Ours
includes building tracks and the road and, where it says scene and for CommonRoad, recognising the
files, checking the scene and suggesting egos, which no peer does.
"""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.reader import read_scene
from app.scenes.formats.report import Notes
from app.scenes.formats.sumo.fcd import read_sumo_fcd
from app.scenes.formats.sumo.net import read_sumo_net_map

SHARED = Path(__file__).parents[1].parent / "shared" / "data"
ROUNDS = 25
FCD_FIELDS = ["id", "x", "y", "angle", "type", "speed", "pos", "lane", "slope", "acceleration"]


def main() -> int:
    if not SHARED.exists():
        print("the shared samples are not here")
        return 0
    print("| what | file | peer | ours | ours ÷ peer | wanted | |")
    print("|---|---|---|---|---|---|---|")
    met = [
        compare_commonroad(path)
        for path in sorted((SHARED / "commonroad").glob("*.xml"))
        if not path.name.startswith("DEU_A9")  # set-based, refused by us
    ]
    met += [compare_sumo("cross", "cross.rou.xml"), compare_sumo("roundabout", "r.rou.xml")]
    return 0 if all(met) else 1


def compare_commonroad(path: Path) -> bool:
    from commonroad.common.file_reader import CommonRoadFileReader

    warnings.simplefilter("ignore")  # about names of scenarios
    logging.disable()  # what it says about old elements would cost it time
    reading = read_scene([SourceFile.at(path)])
    scenario, _ = CommonRoadFileReader(str(path)).open()
    assert len(reading.scene.tracks) == len(scenario.obstacles)
    return row(
        "CommonRoad",
        path.stem,
        lambda: CommonRoadFileReader(str(path)).open(),
        lambda: read_scene([SourceFile.at(path)]),
    )


def compare_sumo(name: str, routes: str) -> bool:
    import sumolib

    folder = SHARED / "sumo" / name
    paths = [folder / f"{name}.fcd.xml", folder / f"{name}.net.xml", folder / routes]

    def theirs() -> int:
        states = [
            (float(step.time), v.id, *map(float, (v.x, v.y, v.angle, v.speed, v.acceleration)))
            for step, v in sumolib.xml.parse_fast_nested(
                str(paths[0]), "timestep", ["time"], "vehicle", FCD_FIELDS
            )
        ]
        sumolib.net.readNet(str(paths[1]), withInternal=True)
        return len(states)

    def ours() -> int:
        reading = read_scene([SourceFile.at(path) for path in paths])
        return sum(int(track.valid.sum()) for track in reading.scene.tracks)

    def readers() -> None:
        fcd, net, route_file = (SourceFile.at(path) for path in paths)
        files = FileSet({FileKind.sumo_fcd: (fcd,), FileKind.sumo_routes: (route_file,)})
        read_sumo_fcd(files, ReadOptions(), Notes())
        read_sumo_net_map(net, ReadOptions(), Notes())

    assert ours() == theirs()
    met = row("SUMO tracks and road", name, theirs, readers)
    row("… as a scene, with suggested egos", name, theirs, ours, gated=False)
    return met


def row(
    what: str,
    name: str,
    theirs: Callable[[], object],
    ours: Callable[[], object],
    gated: bool = True,
) -> bool:
    theirs_s, ours_s = best_pair_s(theirs, ours)
    ratio = ours_s / theirs_s
    wanted = f"≤ 1 | {'met' if ratio <= 1 else 'MISSED'}" if gated else "– | "
    figures = f"{theirs_s * 1e3:.1f} ms | {ours_s * 1e3:.1f} ms | {ratio:.2f}"
    print(f"| {what} | {name} | {figures} | {wanted} |", flush=True)
    return ratio <= 1


def best_pair_s(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """The shortest run of each, taking turns, so that both meet the same machine."""
    one_s = other_s = float("inf")
    for _ in range(ROUNDS):
        one_s, other_s = min(one_s, spent_s(one)), min(other_s, spent_s(other))
    return one_s, other_s


def spent_s(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
