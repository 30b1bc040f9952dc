"""What a film costs besides its compression.

A clip of 10 s at 1280 × 720 and 30 frames per second, with 60 vehicles on 2,000 map segments
(and 300 on 20,000). Encode-only compresses the same pictures, painted beforehand. Ratios are of
processor time within one run, best of five, taken in turns. Of matplotlib's pictures, which all
cost the same, a few are made and counted up to the length of the clip.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise
from pathlib import Path

import av
import numpy as np
from film_motion import car_motion_error_px, dash_motion_error_px, sharpness_change

from app.rendering.encoder import encode
from app.rendering.film import RENDERER_VERSION, canvas_on_frame, film
from app.rendering.painter import prepare
from app.rendering.style import FilmStyle
from app.rendering.window import ego_of, picture_times_s
from app.scenes.road_map import Boundary, Lane, Marking, RoadMap
from app.scenes.scene import RoadUser, Scene, Source, Track

STYLE = FilmStyle(duration_s=10.0, lead_in_s=0.0)
LANE_M, MEDIAN_M, LENGTH_M = 3.75, 4.0, 1000.0
SIZES_M = {
    RoadUser.car: (4.5, 1.8),
    RoadUser.van: (5.6, 2.0),
    RoadUser.truck: (12.0, 2.5),
    RoadUser.motorcycle: (2.2, 0.85),
}
ROUNDS = 5


def main() -> None:
    """Print the table; exit with an error if a gate is missed."""
    usual, crowded = motorway(60, 2000), motorway(300, 20_000)
    film(usual, STYLE)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cold_s, warm_s = first_pictures_s()
    one_s, two_s = throughput_s(usual)
    psnr_db, size_mb = quality(usual)
    redraw, updated = gains(usual)
    rows = [
        ("processor time ÷ encode-only", ratio(usual), "≤", 1.40),
        ("same, 300 vehicles, 20,000 segments", ratio(crowded), "≤", 1.80),
        ("gain over matplotlib, clear and redraw", redraw, "≥", 25.0),
        ("gain over matplotlib, updated artists", updated, "≥", 4.0),
        ("motion error of a car, px", car_motion_error_px(), "≤", 0.02),
        ("motion error of a lane dash, px", dash_motion_error_px(), "≤", 0.03),
        ("change of sharpness on a slow pan", sharpness_change(usual.road_map), "≤", 0.25),
        ("throughput, two threads ÷ one", one_s / two_s, "≥", 1.4),
        ("seconds of film per second, one thread", 10 / one_s, "≥", 5.0),
        ("luma, dB", psnr_db, "≥", 44.0),
        ("size, MB", size_mb, "≤", 2.5),
        ("peak memory of a process, MB", peak_mb, "≤", 350.0),
        ("first picture, kernels compiled, s", cold_s, "≤", 30.0),
        ("first picture, kernels from disk, s", warm_s, "≤", 2.0),
        ("two runs differ in bytes", float(film(usual, STYLE) != film(usual, STYLE)), "≤", 0.0),
    ]
    print(f"renderer {RENDERER_VERSION}, av {av.__version__}")
    for name, value, sign, gate in rows:
        passed = value <= gate if sign == "≤" else value >= gate
        print(f"{name:40s} {value:8.3f}  {sign} {gate:g}{'' if passed else '  MISSED'}")
    missed = [n for n, v, sign, gate in rows if not (v <= gate if sign == "≤" else v >= gate)]
    sys.exit(f"missed: {', '.join(missed)}" if missed else 0)


def motorway(n_vehicles: int, n_segments: int) -> Scene:
    """Two carriageways of three lanes; the vehicles stay within sight or near it."""
    rng = np.random.default_rng(1)
    # Of each stretch: four sides of six lanes, and ten lines along it.
    x_m = np.linspace(-LENGTH_M / 3, LENGTH_M * 2 / 3, max(2, n_segments // (4 * 6 + 10)) + 1)
    time_s = np.arange(101) * 0.1
    lane_y_m = [(i + 0.5) * LANE_M + MEDIAN_M * (i >= 3) for i in range(6)]
    tracks = []
    for i in range(n_vehicles):
        kind = list(SIZES_M)[0 if i == 0 else rng.integers(4)]
        lane = 1 if i == 0 else i % 6
        sign = 1.0 if lane < 3 else -1.0
        speed_mps = 30.0 if i == 0 else 30 + rng.normal()
        start_m = 0.0 if i == 0 else rng.uniform(-1, 1) * 3.3 * n_vehicles + 150 * (lane >= 3)
        braking = np.full(101, rng.choice([0.0, 0.0, -1.0]))
        tracks.append(
            Track(
                id=str(i),
                kind=kind,
                length_m=SIZES_M[kind][0],
                width_m=SIZES_M[kind][1],
                time_s=time_s,
                x_m=start_m + sign * speed_mps * time_s,
                y_m=np.full(101, lane_y_m[lane]),
                heading_rad=np.full(101, 0.0 if sign > 0 else np.pi),
                speed_mps=np.full(101, speed_mps),
                acceleration_mps2=braking,
                valid=np.ones(101, np.bool_),
            )
        )
    return Scene("bench", 0.1, tuple(tracks), road(x_m), Source("bench"), ego_id="0")


def road(x_m: np.ndarray) -> RoadMap:
    lanes, lines = [], []
    for first_y_m in (0.0, 3 * LANE_M + MEDIAN_M):
        for i in range(3):
            low, high = first_y_m + i * LANE_M, first_y_m + (i + 1) * LANE_M
            for a, b in pairwise(x_m):
                outline = np.array([[a, low], [b, low], [b, high], [a, high]])
                lanes.append(Lane(f"{low}-{a}", outline))
        for i, marking in enumerate(("solid", "dashed", "dashed", "solid", "guard_rail")):
            y_m = np.full_like(x_m, first_y_m + i * LANE_M - (i == 4) * 0.5 * LANE_M)
            lines.append(Boundary(np.stack([x_m, y_m], axis=1), Marking(marking)))
    return RoadMap(tuple(lanes), tuple(lines))


def painted(scene: Scene) -> list[av.VideoFrame]:
    """All pictures of the film, uncompressed."""
    ego = ego_of(scene)
    times_s = picture_times_s(ego, STYLE)
    painter = prepare(scene, ego, STYLE, times_s)
    frames = [
        av.VideoFrame(STYLE.width_px, STYLE.height_px, "yuv420p") for _ in range(len(times_s))
    ]
    for k, frame in enumerate(frames):
        painter.paint(canvas_on_frame(frame), k)
    return frames


def compress(frames: list[av.VideoFrame]) -> bytes:
    return encode(frames, STYLE.width_px, STYLE.height_px, STYLE.fps)


def ratio(scene: Scene) -> float:
    """Processor time of filming over that of compressing the same pictures."""
    frames, encode_only_s, total_s = painted(scene), [], []
    for _ in range(ROUNDS):
        start_s = time.process_time()
        compress(frames)
        middle_s = time.process_time()
        film(scene, STYLE)
        encode_only_s.append(middle_s - start_s)
        total_s.append(time.process_time() - middle_s)
    return min(total_s) / min(encode_only_s)


def gains(scene: Scene) -> tuple[float, float]:
    """How many times faster than matplotlib's two ways a film is made."""
    # Only now: matplotlib must not count in the memory and the start of our own process.
    from film_peers import clear_and_redraw_s, updated_artists_s

    film_s, redraw_s, updated_s = [], [], []
    for _ in range(3):
        start_s = time.perf_counter()
        n_frames = film(scene, STYLE).n_frames
        film_s.append((time.perf_counter() - start_s) / n_frames)
        redraw_s.append(clear_and_redraw_s(scene, STYLE, 8))
        updated_s.append(updated_artists_s(scene, STYLE, 24))
    return min(redraw_s) / min(film_s), min(updated_s) / min(film_s)


def throughput_s(scene: Scene) -> tuple[float, float]:
    """Seconds per film, on one thread and on two."""
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(3):
        for n_threads in taken:
            with ThreadPoolExecutor(n_threads) as pool:
                start_s = time.perf_counter()
                list(pool.map(lambda _: film(scene, STYLE), range(4)))
                taken[n_threads].append((time.perf_counter() - start_s) / 4)
    return min(taken[1]), min(taken[2])


def quality(scene: Scene) -> tuple[float, float]:
    """Signal to noise of luma in decibels, and the size in megabytes."""
    frames = painted(scene)
    data = compress(frames)
    errors = []
    with av.open(io.BytesIO(data)) as container:
        for k, frame in zip(count(), container.decode(video=0), strict=False):
            height_px = frame.height
            before = frames[k].to_ndarray()[:height_px].astype(np.float64)
            errors.append(((frame.to_ndarray()[:height_px] - before) ** 2).mean())
    return 10 * float(np.log10(255**2 / np.mean(errors))), len(data) / 1e6


def first_pictures_s() -> tuple[float, float]:
    """Time to the first picture of a new process, before and after kernels are on disk."""
    code = (
        "import time; start_s = time.perf_counter()\n"
        "from bench_film import STYLE, motorway\n"
        "from app.rendering.film import render_frame\n"
        "render_frame(motorway(60, 2000), STYLE, 1.0)\n"
        "print(time.perf_counter() - start_s)"
    )
    here = str(Path(__file__).parent)
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder, "PYTHONPATH": here}
        cold, warm = (
            subprocess.run(
                [sys.executable, "-c", code], env=environment, capture_output=True, check=True
            )
            for _ in range(2)
        )
    return float(cold.stdout), float(warm.stdout)


if __name__ == "__main__":
    main()
