"""Samples as tables bring them, block by block; a window is cut out while they pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from math import inf, isinf

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.report import Notes
from app.scenes.resampling import TIME_TOLERANCE_S
from app.scenes.scene import Floats
from app.scenes.wording import seconds

# A minute of 200 vehicles at 25 Hz; as a canonical file about 35 MB.
MAX_SAMPLES = 300_000
LONGEST_WINDOW_S = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A block of samples in columns, all (n_rows,); nan where the file has no value."""

    track: NDArray[np.int64]  # a number for each track, chosen by the reader
    time_s: Floats
    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    speed_mps: Floats
    acceleration_mps2: Floats
    course_rad: Floats  # where the velocity points; nan, too, while it is too slow to point

    def __len__(self) -> int:
        return len(self.track)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Rows:
        """The chosen rows, in the order chosen."""
        return Rows(*(getattr(self, field.name)[chosen] for field in fields(self)))


Blocks = Callable[[], Iterator[Rows]]
FindTrack = Callable[[str], int | None]
"""The number of the track with an id; None if there is none."""


@dataclass(frozen=True, slots=True)
class Window:
    """A span of time, both ends included."""

    start_s: float = -inf
    end_s: float = inf

    def holds(self, time_s: Floats) -> NDArray[np.bool_]:
        """(n,) array of bool; times are sums of rounded steps."""
        inside: NDArray[np.bool_] = (time_s >= self.start_s - TIME_TOLERANCE_S) & (
            time_s <= self.end_s + TIME_TOLERANCE_S
        )
        return inside

    def __str__(self) -> str:
        start, end = seconds(self.start_s), seconds(self.end_s)
        if isinf(self.start_s):
            return f"up to {end}"
        return f"from {start} on" if isinf(self.end_s) else f"from {start} to {end}"


class Survey:
    """When each track was first and last seen, and how much there is in all."""

    def __init__(self) -> None:
        self.spans_s: dict[int, tuple[float, float]] = {}
        self.n_rows = 0

    def add(self, rows: Rows) -> None:
        """Take a block into account."""
        self.n_rows += len(rows)
        order = np.argsort(rows.track, kind="stable")
        tracks, starts = np.unique(rows.track[order], return_index=True)
        time_s = rows.time_s[order]
        firsts_s = np.minimum.reduceat(time_s, starts)
        lasts_s = np.maximum.reduceat(time_s, starts)
        for track, first_s, last_s in zip(
            tracks.tolist(), firsts_s.tolist(), lasts_s.tolist(), strict=True
        ):
            known = self.spans_s.get(track, (inf, -inf))
            self.spans_s[track] = (min(known[0], first_s), max(known[1], last_s))

    def span_s(self) -> tuple[float, float]:
        """From the first to the last sample of any track."""
        firsts_s, lasts_s = zip(*self.spans_s.values(), strict=True)
        return min(firsts_s), max(lasts_s)

    def longest(self) -> int:
        """The track that was seen for the longest time; the first of several."""
        return max(self.spans_s, key=lambda track: self.spans_s[track][1] - self.spans_s[track][0])


def collect_rows(
    blocks: Blocks, options: ReadOptions, notes: Notes, where: str, find_ego: FindTrack
) -> Rows:
    """The rows of a scene: those in the chosen window, or all of them.

    Of a recording with more rows than a scene may have, and no window chosen, the time of the
    ego, or of the track seen longest, is cut out in a second pass, at most a minute. Memory
    depends on the scene and the block, not on the recording. `where` is the file's name, for what
    is refused; `find_ego` is asked after the first pass, when all ids are known.
    """
    window = Window(
        -inf if options.start_s is None else options.start_s,
        inf if options.end_s is None else options.end_s,
    )
    survey = Survey()
    kept = _pass(blocks, window, survey)
    if not survey.n_rows:
        raise SceneFormatError(f"{where}: there are no rows in the file")
    if kept is None and window != Window():
        raise SceneFormatError(
            f"{where}: the window holds more than {MAX_SAMPLES:,} samples; "
            "please choose a shorter one"
        )
    if kept is None:
        ego = None if options.ego_id is None else find_ego(options.ego_id)
        ego = ego if ego in survey.spans_s else None  # who is not there is refused later
        kept = _pass(blocks, _suggested_window(survey, ego, notes), Survey())
    if kept is None:
        raise SceneFormatError(
            f"{where}: one minute of the recording has more than {MAX_SAMPLES:,} samples; "
            "please choose a shorter window"
        )
    if not len(kept):
        raise SceneFormatError(
            f"{where}: there is no sample {window}; the recording lasts {Window(*survey.span_s())}"
        )
    return kept


def _pass(blocks: Blocks, window: Window, survey: Survey) -> Rows | None:
    """The rows in the window; None if there are more than a scene may have."""
    kept: list[Rows] = []
    n_kept = 0
    for block in blocks():
        if not len(block):
            continue
        survey.add(block)
        if n_kept <= MAX_SAMPLES:
            inside = window.holds(block.time_s)
            kept.append(block if inside.all() else block.take(inside))
            n_kept += len(kept[-1])
        if n_kept > MAX_SAMPLES:
            kept.clear()
    return _joined(kept) if n_kept <= MAX_SAMPLES else None


def _joined(blocks: list[Rows]) -> Rows:
    if not blocks:
        return Rows(np.empty(0, np.int64), *(np.empty(0) for _ in fields(Rows)[1:]))
    return Rows(
        *(
            np.concatenate([getattr(block, field.name) for block in blocks])
            for field in fields(Rows)
        )
    )


def _suggested_window(survey: Survey, ego: int | None, notes: Notes) -> Window:
    start_s, end_s = survey.spans_s[survey.longest() if ego is None else ego]
    window = Window(start_s, min(end_s, start_s + LONGEST_WINDOW_S))
    whose = "the road user seen longest" if ego is None else "the ego"
    notes.assumed(
        f"The recording has {survey.n_rows:,} samples {Window(*survey.span_s())}, more than a "
        f"scene may have; the time of {whose} {window} was cut out. Choose a window to see "
        "another part."
    )
    return window
