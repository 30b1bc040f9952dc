"""`roadrater plan`: how wide the intervals will be, and how many clips and raters it takes."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite
from typing import Annotated, Any

import numpy as np
import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from app.agreement.planning import (
    NeededResult,
    PlanResult,
    StudyPlan,
    clips_needed,
    expected_widths,
    raters_needed,
)
from app.errors import Invalid

MODEL = (
    "From a simulation: an answer is the clip's own value plus the rater's bias plus noise, all "
    "normal, rounded to the scale; their shares are chosen so that κ is the one expected."
)


def register(commands: typer.Typer) -> None:
    """Add the command."""

    @commands.command("plan")
    def plan_study(
        clips: Annotated[int, typer.Option(help="Clips in the study.")],
        raters: Annotated[int, typer.Option(help="People who take part.")],
        kappa: Annotated[float, typer.Option(help="The agreement you expect.")] = 0.6,
        categories: Annotated[int, typer.Option(help="Options on the rating scale.")] = 5,
        clips_per_rater: Annotated[
            int | None, typer.Option(help="Clips one person rates; by default all.")
        ] = None,
        kappa_width: Annotated[
            float | None, typer.Option(help="Also say what brings κ's interval to this width.")
        ] = None,
        mos_width: Annotated[
            float | None,
            typer.Option(help="Also say what brings a clip's mean to an interval of this width."),
        ] = None,
        seed: Annotated[int, typer.Option(min=0, help="Of the simulation.")] = 1,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    ) -> None:
        """Say how wide the 95 % intervals of κ and of a clip's mean will be.

        Example: [bold]roadrater plan --clips 36 --raters 30 --kappa 0.6 --kappa-width 0.2[/bold]
        """
        plan = StudyPlan(clips, raters, kappa, categories, clips_per_rater)
        try:
            with Console(stderr=True).status("Simulating …"):
                widths = expected_widths(plan, np.random.default_rng(seed))
                needed = find_needed(plan, kappa_width, mos_width, seed)
        except ValueError as error:
            raise Invalid(str(error)) from error
        if as_json:
            typer.echo(json.dumps(plan_report(plan, widths, needed), ensure_ascii=False))
        else:
            show_plan(widths, needed, Console())


def find_needed(
    plan: StudyPlan, kappa_width: float | None, mos_width: float | None, seed: int
) -> dict[str, NeededResult]:
    """What each target asked for takes, by what would have to grow."""
    needed = {}
    if kappa_width is not None:
        needed["clips_for_kappa"] = clips_needed(plan, kappa_width, np.random.default_rng(seed))
        needed["raters_for_kappa"] = raters_needed(
            plan, kappa_width, "kappa", np.random.default_rng(seed)
        )
    if mos_width is not None:
        needed["raters_for_mos"] = raters_needed(
            plan, mos_width, "mos", np.random.default_rng(seed)
        )
    return needed


def plan_report(
    plan: StudyPlan, widths: PlanResult, needed: dict[str, NeededResult]
) -> dict[str, Any]:
    """One JSON document; null where undefined."""
    return {
        "plan": asdict(plan),
        "expected": known(asdict(widths)),
        "needed": {name: known(asdict(result)) for name, result in needed.items()},
    }


def known(values: dict[str, Any]) -> dict[str, Any]:
    """The values with None for what is not a number."""
    return {
        name: None if isinstance(value, float) and not isfinite(value) else value
        for name, value in values.items()
    }


NAMES = {
    "clips_for_kappa": "clips for that width of κ",
    "raters_for_kappa": "raters for that width of κ",
    "raters_for_mos": "raters for that width of a clip's mean",
}


def show_plan(widths: PlanResult, needed: dict[str, NeededResult], console: Console) -> None:
    """The plan for a person."""
    table = Table(box=SIMPLE, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("ratings in all", f"{widths.n_ratings:,}")
    table.add_row("ratings per clip", f"{widths.ratings_per_clip:.1f}")
    table.add_row("expected width of κ's 95 % interval", width_text(widths.kappa_width))
    table.add_row("expected width of a clip's mean, 95 %", width_text(widths.mos_width))
    for name, result in needed.items():
        number = "–" if result.needed is None else f"{result.needed:,} ({result.more:,} more)"
        table.add_row(NAMES[name], number)
    console.print(table)
    for sentence in (widths.why_undefined, *(r.why_undefined for r in needed.values()), MODEL):
        if sentence:
            console.print(f"• {sentence}", soft_wrap=True, highlight=False)


def width_text(width: float) -> str:
    """Three decimals, or a dash where there is no number."""
    return f"{width:.3f}" if isfinite(width) else "–"
