"""`roadrater agree`: agreement from a table of ratings, without a database."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.agreement.ratings import RatingTable, read_ratings_csv
from app.agreement.report import agreement_report
from app.agreement.summary import AgreementSummary, published_caveat, summarise_table
from app.errors import Invalid

METHODS = (
    "Standard: Fleiss' kappa with quadratic weights and Gwet's rules for missing ratings. "
    "As published: equations 1 to 7 of the commissioning study. "
    "What each number means: docs/statistics.md, or /statistics on a running server."
)


def register(commands: typer.Typer) -> None:
    """Add the command."""

    @commands.command("agree")
    def agree(
        ratings: Annotated[
            Path,
            typer.Argument(metavar="RATINGS.csv", help="A table with columns clip, rater, rating."),
        ],
        categories: Annotated[int, typer.Option(help="Options on the rating scale.")] = 5,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    ) -> None:
        """Say how far raters agree: both kappas, with interval, band and caveat.

        Example: [bold]roadrater agree ratings.csv --categories 5[/bold]
        """
        summary = summarise_table(_read(ratings, categories))
        if as_json:
            typer.echo(json.dumps(agreement_report(summary), ensure_ascii=False))
        else:
            show_agreement(summary, Console())


def show_agreement(summary: AgreementSummary, console: Console) -> None:
    """The summary for a person: the headline, the published kappa, the other statistics."""
    console.print(
        f"{summary.n_ratings:,} ratings of {summary.n_clips:,} clips by {summary.n_raters:,} "
        f"raters on {summary.categories} categories; {summary.n_pairable:,} clips have two or more."
    )
    console.print(_main_table(summary))
    console.print(_other_table(summary))
    for sentence in _sentences(summary):
        console.print(Text(f"• {sentence}"), soft_wrap=True)


def _read(path: Path, categories: int) -> RatingTable:
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return read_ratings_csv(lines, categories)
    except IsADirectoryError:
        raise Invalid(f"{path} is a folder, not a table of ratings") from None
    except UnicodeDecodeError:
        raise Invalid(f"{path} is not text in UTF-8") from None
    except FileNotFoundError:
        raise Invalid(f"there is no file {path}") from None
    except ValueError as error:
        raise Invalid(f"{path}: {error}") from error


def _main_table(summary: AgreementSummary) -> Table:
    table = Table(box=SIMPLE, header_style="")
    for name in ("", "κ", "95 % interval", "band", "observed", "chance"):
        table.add_column(name, justify="left" if name in ("", "band") else "right", no_wrap=True)
    standard, published = summary.standard, summary.published
    low, high = summary.interval.low, summary.interval.high
    table.add_row(
        "standard",
        _number(standard.kappa),
        f"{_number(low)} to {_number(high)}" if isfinite(low) else "–",
        summary.band.value if summary.band else "–",
        _number(standard.observed),
        _number(standard.expected),
        style="bold",
    )
    table.add_row(
        "as published",
        _number(published.kappa),
        "–",
        "–",
        _number(published.observed),
        _number(published.expected),
    )
    return table


def _other_table(summary: AgreementSummary) -> Table:
    table = Table(box=SIMPLE, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in (
        ("κ, pooled margins", summary.pooled.kappa),
        ("κ, unweighted", summary.unweighted.kappa),
        ("Krippendorff's α, nominal", summary.alpha_nominal.alpha),
        ("Krippendorff's α, ordinal", summary.alpha_ordinal.alpha),
        ("Krippendorff's α, interval", summary.alpha_interval.alpha),
        ("Gwet's AC2, quadratic", summary.ac2.ac2),
        ("ICC(2,1)", summary.icc.icc2_1),
        ("ICC(2,k)", summary.icc.icc2_k),
    ):
        table.add_row(name, _number(value))
    return table


def _sentences(summary: AgreementSummary) -> list[str]:
    """Caveat, careful band, and every reason for a missing number, each once."""
    sentences = [METHODS, published_caveat(summary)]
    if summary.band_gwet and isfinite(summary.interval.low):
        sentences.append(f"With 95 % probability the agreement is at least {summary.band_gwet}.")
    return [
        sentence for sentence in (*sentences, *agreement_report(summary)["warnings"]) if sentence
    ]


def _number(value: float) -> str:
    return f"{value:.4f}".replace("-", "−") if isfinite(value) else "–"
