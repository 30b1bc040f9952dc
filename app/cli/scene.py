"""`roadrater scene`: from files of any known format to a scene, without a database."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.progress import progress_bar
from app.cli.scene_files import read_scene_files, write_file
from app.errors import Invalid
from app.scenes.formats.canonical import encode_scene, scene_hash
from app.scenes.formats.canonical_csv import encode_csv
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.reader import FORMATS, SceneReading
from app.scenes.scene import Scene, SceneKind
from app.scenes.wording import seconds

commands = typer.Typer(
    help="Scenes: from files of any known format to one of our own.", no_args_is_help=True
)

ENCODERS: dict[str, Callable[[Scene], bytes]] = {
    ".json": encode_scene,
    ".json.gz": lambda scene: encode_scene(scene, compress=True),
    ".csv": encode_csv,
}

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE…", help="Tracks, and the map and tables that belong to them."),
]


@commands.command("read")
def read(
    files: Files,
    format_name: Annotated[
        str, typer.Option("--format", help=f"Found out unless told: {', '.join(FORMATS)}.")
    ] = "",
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="The road map.")
    ] = None,
    ego: Annotated[
        str, typer.Option(help="Id of the road user in the centre; suggested unless told.")
    ] = "",
    start_s: Annotated[float | None, typer.Option(help="Cut a window: where it starts.")] = None,
    duration_s: Annotated[
        float | None, typer.Option(min=0, help="Cut a window: how long it is.")
    ] = None,
    role: Annotated[
        list[str], typer.Option(metavar="ROLE=ID", help="Who is T, V1 … V4; may be repeated.")
    ] = [],  # noqa: B006 - typer wants a list and makes a new one each time
    kind: Annotated[SceneKind | None, typer.Option(help="The traffic situation.")] = None,
    name: Annotated[str, typer.Option(help="The scene's name; the file's unless told.")] = "",
    column: Annotated[
        list[str],
        typer.Option(
            metavar="MEANING=COLUMN",
            help="Plain CSV: which column is id, t, x, y …, with its unit, for example "
            r"'x=pos_x \[ft]'; may be repeated.",
        ),
    ] = [],  # noqa: B006
    case: Annotated[str, typer.Option(help="Case of an INTERACTION prediction set.")] = "",
    origin: Annotated[
        str, typer.Option(metavar="LAT,LON", help="Origin of a Lanelet2 map, in degrees.")
    ] = "",
    map_offset: Annotated[
        str, typer.Option(metavar="X,Y", help="Move the map by so many metres, for example -120,0.")
    ] = "",
    licence: Annotated[str, typer.Option(help="A note on the licence, kept with it.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", metavar="OUT", help="Write the scene: .json, .json.gz or .csv."),
    ] = None,
) -> None:
    """Read a scene, report what was done to get it, and write it as Roadrater's own file.

    Example: [bold]roadrater scene read cross.fcd.xml --map cross.net.xml -o cross.json.gz[/bold]
    """
    encode = None if output is None else _encoder(output)
    options = ReadOptions(
        format=format_name or None,
        name=name or None,
        kind=kind,
        ego_id=ego or None,
        start_s=start_s,
        end_s=_end_s(start_s, duration_s),
        roles=_pairs(role, "--role"),
        columns=_pairs(column, "--column"),
        case_id=case or None,
        origin_deg=_two_numbers(origin, "--origin", "LAT,LON in degrees"),
        map_offset_m=_two_numbers(map_offset, "--map-offset", "X,Y in metres"),
        licence=licence,
    )
    with progress_bar("Reading", countable=False) as update:
        paths = [*files, *([map_file] if map_file else [])]
        reading = read_scene_files(paths, options, update)
    if output is not None and encode is not None:
        write_file(output, encode(reading.scene))
    if as_json:
        typer.echo(json.dumps(_answer(reading), ensure_ascii=False))
    else:
        show_reading(reading, Console())
        if output is not None:
            typer.echo(f"Written: {output}")


def show_reading(reading: SceneReading, console: Console) -> None:
    """The report for a person: what is there, what was done, who could be the ego."""
    report, scene = reading.report, reading.scene
    kinds = ", ".join(f"{n} {kind}" for kind, n in report.kinds.items())
    facts = {
        "format": f"{report.format} ({', '.join(report.files)})",
        "road users": f"{report.n_tracks} ({kinds})",
        "time": f"{report.duration_s:g} s from {seconds(report.start_s)}, "
        f"every {report.step_s:g} s",
        "lanes": str(report.n_lanes),
        "ego": str(scene.ego_id),
        "roles": ", ".join(f"{role} {track_id}" for role, track_id in scene.roles.items()),
        "kind": scene.kind.value,
    }
    table = Table(box=SIMPLE, show_header=False)
    for fact, value in facts.items():
        table.add_row(fact, Text(value))
    console.print(Text(scene.name, style="bold"))
    console.print(table)
    for note in report.notes:
        times = f" (× {note.n:,})" if note.n > 1 else ""
        console.print(Text(f"• {note.kind}: {note.sentence}{times}"), soft_wrap=True)
    for suggestion in reading.egos:
        console.print(
            Text(
                f"• ego {suggestion.track_id}, {seconds(suggestion.start_s)} to "
                f"{seconds(suggestion.end_s)}: {suggestion.reason}"
            ),
            style="dim",
            soft_wrap=True,
        )


def _encoder(path: Path) -> Callable[[Scene], bytes]:
    for ending, encode in ENCODERS.items():
        if path.name.endswith(ending):
            return encode
    raise Invalid(f"{path.name} must end in {', '.join(ENCODERS)}")


def _end_s(start_s: float | None, duration_s: float | None) -> float | None:
    if duration_s is None:
        return None
    if start_s is None:
        raise Invalid("--duration-s needs --start-s")
    return start_s + duration_s


def _pairs(words: Sequence[str], option: str) -> dict[str, str]:
    pairs = dict(word.split("=", 1) for word in words if "=" in word)
    if len(pairs) < len(words):
        wrong = next((word for word in words if "=" not in word), words[-1])
        raise Invalid(f"{option} {wrong}: expected NAME=VALUE, each name once")
    return pairs


def _two_numbers(text: str, option: str, meaning: str) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError:
        raise Invalid(f"{option} {text}: expected two numbers, {meaning}") from None
    return first, second


def _answer(reading: SceneReading) -> dict[str, object]:
    scene = reading.scene
    return {
        "scene": {
            "name": scene.name,
            "kind": scene.kind,
            "hash": scene_hash(scene),
            "ego_id": scene.ego_id,
            "roles": dict(scene.roles),
            "n_tracks": len(scene.tracks),
            "start_s": scene.start_s,
            "duration_s": scene.duration_s,
            "step_s": scene.step_s,
        },
        "report": reading.report.to_json(),
        "egos": [asdict(ego) for ego in reading.egos],
    }
