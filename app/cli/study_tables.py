"""Studies as a person reads them in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.dashboard.answers import StudyAnswer, StudyClipAnswer, StudySummary


def print_study_list(studies: Sequence[StudySummary]) -> None:
    """One line for each study."""
    if not studies:
        _print("There is no study yet. Make one with: roadrater study create FILE")
        return
    rows = (
        (
            study.slug,
            study.title,
            study.state,
            f"{study.n_ready} of {study.n_clips}",
            f"{study.n_finished:,}",
            f"{study.n_ratings:,}",
        )
        for study in studies
    )
    _print_table(("study", "title", "state", "clips ready", "finished", "ratings"), rows)


def print_study(study: StudyAnswer, address: str) -> None:
    """The study in three lines, then its clips."""
    people = study.sittings
    n_ready = sum(clip.state == "ready" for clip in study.clips)
    _print(study.title)
    _print(address)
    _print(
        f"{study.state}, version {study.version}; {n_ready} of {len(study.clips)} clips ready; "
        f"{people.started} started, {people.finished} finished, {study.n_ratings:,} ratings"
    )
    columns = ("", "clip", "condition", "state", "ratings", "mean")
    _print_table(columns, (_clip_row(clip) for clip in study.clips))


def _clip_row(clip: StudyClipAnswer) -> tuple[str, ...]:
    return (
        str(clip.position),
        clip.name,
        clip.condition,
        f"{clip.state}: {clip.reason}" if clip.reason else clip.state,
        f"{clip.n_ratings:,}",
        "–" if clip.mean is None else f"{clip.mean:.2f}",
    )


def _print_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    table = Table(*columns, box=SIMPLE, header_style="")
    for row in rows:
        # As text: square brackets in a title are not markup.
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def _print(line: str) -> None:
    Console().print(Text(line), soft_wrap=True)
