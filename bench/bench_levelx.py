"""A levelXData recording of a million rows: our reader beside pandas and polars, and its memory.

Each reads the same file from disk in the same run, in turns, best of three; ours also cuts out a
window of ten seconds. Gates: under 5 times pandas, and under 300 MB in a process of its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from app.scenes.formats.files import SourceFile  # noqa: E402
from app.scenes.formats.kinds import FileKind, FileSet  # noqa: E402
from app.scenes.formats.levelx.tracks import read_levelx  # noqa: E402
from app.scenes.formats.options import ReadOptions  # noqa: E402
from app.scenes.formats.report import Notes  # noqa: E402

N_TRACKS, N_FRAMES = 2500, 400  # 16 seconds each
ROUNDS = 3
MOST_PANDAS, MOST_MB = 5.0, 300.0
COLUMNS = (
    "recordingId,trackId,frame,trackLifetime,xCenter,yCenter,heading,width,length,xVelocity,"
    "yVelocity,xAcceleration,yAcceleration,lonVelocity,latVelocity,lonAcceleration,latAcceleration"
)
WINDOW = ReadOptions(start_s=100.0, end_s=110.0)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "00_tracks.csv"
        write_recording(path)
        size_mb = path.stat().st_size / 1e6
        print(f"{N_TRACKS * N_FRAMES:,} rows, {size_mb:.0f} MB\n")
        # Before pandas is here: a process inherits the peak of the one that starts it.
        peaks_mb = {name: peak_mb(path, name) for name in ("whole", "window")}
        best_s = compare(path)
        print("| reader | s | ÷ pandas | ÷ polars |\n|---|---|---|---|")
        for name, took_s in best_s.items():
            ratios = (took_s / best_s["pandas"], took_s / best_s["polars"])
            print(f"| {name} | {took_s:.2f} | {ratios[0]:.2f} | {ratios[1]:.2f} |")
        print("\n| ours | peak MB |\n|---|---|")
        for name, mb in peaks_mb.items():
            print(f"| {name} | {mb:.0f} |")
        assert max(best_s["whole"], best_s["window"]) < MOST_PANDAS * best_s["pandas"]
        assert max(peaks_mb.values()) < MOST_MB


def write_recording(path: Path) -> None:
    """Cars that follow each other over half a kilometre, a new one every tenth of a second."""
    rng = np.random.default_rng(0)
    with path.open("w") as stream:
        stream.write(COLUMNS + "\n")
        for track in range(N_TRACKS):
            speed_mps = rng.uniform(8, 30)
            frame = np.arange(N_FRAMES)
            noise = rng.normal(0, 0.01, (N_FRAMES, 10))
            rows = np.column_stack(
                [
                    np.zeros(N_FRAMES),
                    np.full(N_FRAMES, track),
                    frame + track * 5 // 2,
                    frame,
                    speed_mps * frame / 25 + noise[:, 0],
                    rng.uniform(-9, 9) + noise[:, 1],
                    np.abs(noise[:, 2]),
                    np.full(N_FRAMES, 1.9),
                    np.full(N_FRAMES, 4.6),
                    speed_mps + noise[:, 3],
                    noise[:, 4],
                    noise[:, 5],
                    noise[:, 6],
                    speed_mps + noise[:, 3],
                    noise[:, 7],
                    noise[:, 8],
                    noise[:, 9],
                ]
            )
            np.savetxt(stream, rows, delimiter=",", fmt=["%d"] * 4 + ["%.6f"] * 13)


def compare(path: Path) -> dict[str, float]:
    """Best seconds of each reader, taken in turns."""
    import pandas
    import polars

    readers: dict[str, Callable[[], object]] = {
        "whole": lambda: read(path, ReadOptions()),
        "window": lambda: read(path, WINDOW),
        "pandas": lambda: pandas.read_csv(path),
        "polars": lambda: polars.read_csv(path),
    }
    best_s = dict.fromkeys(readers, float("inf"))
    for _ in range(ROUNDS):
        for name, reader in readers.items():
            started_s = time.perf_counter()
            reader()
            best_s[name] = min(best_s[name], time.perf_counter() - started_s)
    return best_s


def read(path: Path, options: ReadOptions) -> None:
    files = FileSet({FileKind.levelx_tracks: (SourceFile.at(path),)})
    read_levelx(files, options, Notes())


def peak_mb(path: Path, what: str) -> float:
    """Of a fresh process that reads the file and nothing else."""
    command = [sys.executable, __file__, what, str(path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(answer.stdout)


if len(sys.argv) == 3:
    read(Path(sys.argv[2]), WINDOW if sys.argv[1] == "window" else ReadOptions())
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
else:
    main()
