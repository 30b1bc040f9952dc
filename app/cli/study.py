"""`roadrater study`: from a document to links, and from answers to files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from sqlalchemy.orm import Session

from app.agreement.report import agreement_report
from app.cli.context import Parts, open_parts, whose
from app.cli.filming import is_somebody_filming, read_now, watch_filming, why_failed
from app.cli.progress import progress_bar
from app.cli.study_check import check_all
from app.cli.study_tables import print_study, print_study_list
from app.config import Settings
from app.dashboard.answers import study_answer, study_summary
from app.dashboard.filming_progress import filming_progress
from app.dashboard.live_agreement import summarise_study
from app.dashboard.queries import read_study_now, read_totals
from app.errors import Conflict, Invalid
from app.exports.responses import responses_csv
from app.participants.enrolment import create_links
from app.studies.creation import create_study
from app.studies.filming import film_the_rest, stop_filming
from app.studies.lifecycle import close_study, open_study
from app.studies.models import StudyState
from app.studies.problems import told_once
from app.studies.queries import document_of, get_current_version, get_study, list_studies
from app.studies.schema import field_tables, schema_text
from app.studies.yaml_reader import decode_text, parse_study

commands = typer.Typer(help="Studies: make, open, close, invite, export.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A study document in YAML.")]
Slug = Annotated[str, typer.Argument(metavar="STUDY", help="The study's slug.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@commands.command("validate")
def validate(
    file: File,
    owner: Annotated[
        str, typer.Option(metavar="EMAIL", help="Whose uploads it names; by default the admin's.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check a study document, the files and the uploads it names; nothing is stored.

    Example: [bold]roadrater study validate my-study.yaml[/bold]
    """
    source = parse_study(_read(file))
    checked = check_all(source, file.parent, Settings(), owner)
    document = source.document
    if as_json:
        _print_json(
            {
                "valid": True,
                "slug": document.slug,
                "title": document.title,
                "n_clips": len(document.clips),
                "document_hash": document.document_hash(),
                "remarks": [*map(str, checked.remarks), *checked.unchecked],
            }
        )
        return
    for remark in [*told_once(checked.remarks), *checked.unchecked]:
        typer.echo(f"Note: {remark}", err=True)
    conditions = Counter(clip.condition for clip in document.clips)
    parts = ", ".join(f"{n} {condition}" for condition, n in conditions.items())
    typer.echo(f"{file} is a valid study: {document.slug}, {len(document.clips)} clips ({parts}).")


@commands.command("create")
def create(
    file: File,
    owner: Annotated[
        str, typer.Option(metavar="EMAIL", help="Whose study it is; by default the only admin's.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Make a draft from a document, or the next version of the draft with the same slug.

    Its clips are filmed by the worker of a running server, or by: roadrater worker

    Example: [bold]roadrater study create my-study.yaml --owner ada@example.org[/bold]
    """
    text = _read(file)
    with open_parts(Settings()) as parts:
        # Found before, so that making the scenes keeps nobody from writing.
        with parts.database.read.begin() as db:
            user = whose(db, owner, "--owner")
        with progress_bar("Making scenes") as on_clip, parts.database.write.begin() as db:
            study = create_study(
                db, parts.storage, parts.jobs, text, file.parent, user, datetime.now(UTC), on_clip
            )
        _show(parts, study.slug, as_json)


@commands.command("list")
def list_all(as_json: AsJson = False) -> None:
    """List all studies, the newest first.

    Example: [bold]roadrater study list[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.read.begin() as db:
        studies = list_studies(db)
        totals = read_totals(db, studies)
        lines = [study_summary(study, totals[study.id]) for study in studies]
    if as_json:
        _print_json([line.model_dump(mode="json") for line in lines])
        return
    print_study_list(lines)


@commands.command("show")
def show(study: Slug, as_json: AsJson = False) -> None:
    """Show a study: its state, its clips and how far people are.

    Example: [bold]roadrater study show my-study[/bold]
    """
    with open_parts(Settings()) as parts:
        _show(parts, study, as_json)


@commands.command("film")
def film_clips(
    study: Slug,
    stop: Annotated[
        bool, typer.Option("--stop", help="Stop filming a draft's clips instead.")
    ] = False,
) -> None:
    """Watch a study's clips being filmed; those whose filming was stopped are queued again.

    Ctrl-C ends the watching, not the filming.

    Example: [bold]roadrater study film my-study[/bold]
    """
    with open_parts(Settings()) as parts:
        with parts.database.write.begin() as db:
            found = get_study(db, study)
            (stop_filming if stop else film_the_rest)(db, parts.jobs, found)
        if not stop and not is_somebody_filming(parts):
            typer.echo("No worker is running; start one with: roadrater worker", err=True)
        if not stop and (
            reason := why_failed(watch_filming(parts, found.id, Console(stderr=True)))
        ):
            raise Conflict(reason)
        typer.echo(filming_progress(read_now(parts, found.id)).words)


@commands.command("open")
def open_for_participants(study: Slug) -> None:
    """Let people take part; every clip must be filmed.

    Example: [bold]roadrater study open my-study[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        open_study(db, get_study(db, study), datetime.now(UTC))
    typer.echo(f"The study {study!r} is open: {_base_url(parts)}/study/{study}")


@commands.command("close")
def close_for_participants(study: Slug) -> None:
    """Take no more answers; a closed study can be opened again.

    Example: [bold]roadrater study close my-study[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        close_study(db, get_study(db, study), datetime.now(UTC))
    typer.echo(f"The study {study!r} is closed.")


@commands.command("links")
def make_links(
    study: Slug,
    n: Annotated[int, typer.Option("-n", min=1, max=10_000, help="How many links.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Make personal links, one for each participant, and print one per line.

    Example: [bold]roadrater study links my-study -n 30 > links.txt[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.write.begin() as db:
        found = get_study(db, study)
        sittings = create_links(db, found, get_current_version(db, found), n, datetime.now(UTC))
        links = [(row.pseudonym, f"{_base_url(parts)}/s/{row.token}") for row in sittings]
    if as_json:
        people = [{"participant": pseudonym, "url": url} for pseudonym, url in links]
        _print_json({"study": study, "links": people})
        return
    for _, url in links:
        typer.echo(url)
    if found.state != StudyState.open:
        typer.echo(f"The study is not open ({found.state}); the links wait until it is.", err=True)


@commands.command("export")
def export(
    study: Slug,
    folder: Annotated[
        Path, typer.Option("-o", metavar="DIR", help="Folder to write to; made if missing.")
    ],
) -> None:
    """Write a study's answers to a folder: responses.csv, agreement.json and study.yaml.

    Example: [bold]roadrater study export my-study -o results[/bold]
    """
    with open_parts(Settings()) as parts, parts.database.read.begin() as db:
        for name, pieces in _exported(db, study):
            typer.echo(_write(folder / name, pieces))


@commands.command("schema")
def print_schema(
    tables: Annotated[
        bool, typer.Option("--tables", help="Print the fields as Markdown tables instead.")
    ] = False,
) -> None:
    """Print the JSON Schema of study documents.

    Example: [bold]roadrater study schema > study.schema.json[/bold]
    """
    typer.echo(field_tables() if tables else schema_text(), nl=False)


def _read(file: Path) -> str:
    try:
        return decode_text(file.read_bytes())
    except FileNotFoundError:
        raise Invalid(f"There is no file {file}.") from None
    except OSError as error:
        raise Invalid(f"{file} cannot be read: {error.strerror}.") from None


def _show(parts: Parts, slug: str, as_json: bool) -> None:
    with parts.database.read.begin() as db:
        study = get_study(db, slug)
        version = get_current_version(db, study)
        answer = study_answer(study, version, read_study_now(db, study.id))
    if as_json:
        _print_json(answer.model_dump(mode="json"))
    else:
        print_study(answer, f"{_base_url(parts)}/study/{slug}")


def _exported(db: Session, slug: str) -> Iterator[tuple[str, Iterable[str]]]:
    study = get_study(db, slug)
    version = get_current_version(db, study)
    agreement = agreement_report(summarise_study(db, study, document_of(version)))
    yield "responses.csv", responses_csv(db, study)
    yield "agreement.json", [json.dumps(agreement, indent=2, ensure_ascii=False), "\n"]
    yield "study.yaml", [version.yaml]


def _write(path: Path, pieces: Iterable[str]) -> str:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
    except OSError as error:
        raise Invalid(f"{path} cannot be written: {error.strerror}.") from None
    return str(path)


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False))


def _base_url(parts: Parts) -> str:
    return parts.settings.base_url.rstrip("/")
