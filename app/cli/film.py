"""`roadrater film`: scenes to MP4 files, without a database."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated

import typer

from app.cli.progress import Update, progress_bar
from app.cli.scene_files import read_scene_files, write_file
from app.errors import Invalid
from app.rendering.film import Video, film
from app.rendering.overlay import preview_film
from app.rendering.style import FilmStyle, View, check_style
from app.scenes.formats.options import ReadOptions
from app.scenes.scene import Scene

# The encoder and the kernels run beside each other, one film per core.
N_THREADS = 2
ENDING = ".mp4"
USUAL = FilmStyle()

Filming = Callable[[Path, Path, Update], None]
"""From a scene's file to a film's, telling how many pictures are done."""


def register(commands: typer.Typer) -> None:
    """Add the command."""

    @commands.command("film")
    def film_scenes(
        scenes: Annotated[
            list[Path], typer.Argument(metavar="SCENE…", help="Files of any known format.")
        ],
        output: Annotated[
            Path,
            typer.Option("-o", metavar="OUT", help="A file.mp4, or a folder for several films."),
        ],
        view: Annotated[View, typer.Option(help="From where it is seen.")] = USUAL.view,
        size: Annotated[
            str, typer.Option(metavar="WIDTHxHEIGHT", help="Of the picture, in pixels.")
        ] = f"{USUAL.width_px}x{USUAL.height_px}",
        fps: Annotated[int, typer.Option(help="Pictures per second.")] = USUAL.fps,
        start_s: Annotated[
            float | None, typer.Option(help="When the film starts; with the ego unless told.")
        ] = None,
        duration_s: Annotated[
            float | None, typer.Option(help="How long it is; until the ego ends unless told.")
        ] = None,
        width_m: Annotated[float, typer.Option(help="Of ground in the picture.")] = USUAL.width_m,
        colours: Annotated[
            str, typer.Option(metavar="EGO,OTHERS", help="Two colours like #D55E00.")
        ] = f"{USUAL.ego_colour},{USUAL.other_colour}",
        ego: Annotated[
            str, typer.Option(help="Id of the road user in the centre; suggested unless told.")
        ] = "",
        map_file: Annotated[
            Path | None, typer.Option("--map", metavar="FILE", help="The road map of all scenes.")
        ] = None,
        overlay: Annotated[
            bool, typer.Option("--overlay", help="Write ids, speeds and gaps on it: no clip.")
        ] = False,
    ) -> None:
        """Film scenes.

        Example: [bold]roadrater film cross.json.gz roundabout.json.gz -o films[/bold]
        """
        width_px, height_px = _size(size)
        ego_colour, other_colour = _colours(colours)
        style = FilmStyle(
            width_px=width_px,
            height_px=height_px,
            fps=fps,
            start_s=start_s,
            duration_s=duration_s,
            view=view,
            width_m=width_m,
            ego_colour=ego_colour,
            other_colour=other_colour,
        )
        try:
            check_style(style)
        except ValueError as error:
            raise Invalid(str(error)) from error
        options = ReadOptions(ego_id=ego or None)
        maps = [map_file] if map_file else []

        def film_one(source: Path, target: Path, update: Update) -> None:
            scene = read_scene_files([source, *maps], options).scene
            write_file(target, _filmed(source, scene, style, overlay, update).data)

        targets = _targets(scenes, output)
        _film_all(scenes, targets, film_one)


def _filmed(source: Path, scene: Scene, style: FilmStyle, overlay: bool, update: Update) -> Video:
    try:
        if overlay:
            return preview_film(scene, style, on_frame=update)
        return film(scene, style, on_frame=update)
    except ValueError as error:
        raise Invalid(f"{source.name}: {error}") from error


def _film_all(sources: Sequence[Path], targets: Sequence[Path], film_one: Filming) -> None:
    if len(sources) == 1:
        with progress_bar("Filming") as update:
            film_one(sources[0], targets[0], update)
        typer.echo(f"Written: {targets[0]}")
        return
    n_failed = 0
    with progress_bar("Filming") as update, ThreadPoolExecutor(N_THREADS) as pool:
        update(0, len(sources))
        jobs = [
            pool.submit(film_one, source, target, lambda done, total: None)
            for source, target in zip(sources, targets, strict=True)
        ]
        for n_done, job in enumerate(as_completed(jobs), start=1):
            try:
                job.result()
            except Invalid as error:
                n_failed += 1
                typer.echo(f"roadrater: {error}", err=True)
            update(n_done, len(sources))
    typer.echo(f"Written: {len(sources) - n_failed} of {len(sources)} films in {targets[0].parent}")
    if n_failed:
        raise typer.Exit(2)


def _targets(sources: Sequence[Path], output: Path) -> list[Path]:
    """Where each film goes; a folder is made if it is missing."""
    if output.suffix.lower() == ENDING and not output.is_dir():
        if len(sources) > 1:
            raise Invalid(f"{len(sources)} scenes do not fit in {output}; give a folder instead")
        return [output]
    targets = [output / (_stem(source) + ENDING) for source in sources]
    for k, target in enumerate(targets):
        if target in targets[:k]:
            first = sources[targets.index(target)]
            raise Invalid(f"{first} and {sources[k]} would both become {target}")
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Invalid(f"the folder {output} cannot be made: {error.strerror}") from None
    return targets


def _stem(path: Path) -> str:
    """The name without what says its format, such as .json.gz or .fcd.xml."""
    return re.sub(r"(\.(json|csv|xml))?(\.gz)?$", "", path.name).removesuffix(".fcd")


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text)
    if not found:
        raise Invalid(f"--size {text}: expected WIDTHxHEIGHT in pixels, for example 1280x720")
    return int(found[1]), int(found[2])


def _colours(text: str) -> tuple[str, str]:
    ego_colour, comma, other_colour = text.partition(",")
    if not comma:
        raise Invalid(f"--colours {text}: expected two colours, for example #D55E00,#0072B2")
    return ego_colour.strip(), other_colour.strip()
