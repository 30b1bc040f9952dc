"""`roadrater demo`: a study of simulated traffic, filmed and served, with three links."""

from __future__ import annotations

import os
import shlex
import threading
import time
import webbrowser
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import httpx
import typer
from rich.console import Console
from sqlalchemy.orm import Session

from app.auth.accounts import add_user
from app.auth.models import Role, User
from app.auth.queries import find_user
from app.auth.signing_in import make_sign_in_link
from app.cli.context import Parts, open_parts
from app.cli.filming import watch_filming, why_failed
from app.cli.progress import progress_bar
from app.cli.serve import own_worker, require_free_port, run_server, tell_base_url
from app.config import Settings
from app.errors import Conflict
from app.studies.creation import create_study
from app.studies.demo_study import demo_yaml
from app.studies.filming import film_the_rest
from app.studies.lifecycle import open_study
from app.studies.models import Study, StudyState
from app.studies.queries import find_study

DEMO_EMAIL = "researcher@demo.example"
DEMO_SLUG = "demo"
HOST = "127.0.0.1"


def register(commands: typer.Typer) -> None:
    """Add the command."""

    @commands.command("demo")
    def show_demo(
        clips: Annotated[int, typer.Option(min=2, max=500, help="Clips of a new demo study.")] = 36,
        port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
        data: Annotated[
            Path,
            typer.Option(envvar="ROADRATER_DATA_DIR", help="Folder for everything that is kept."),
        ] = Path("data"),
        no_browser: Annotated[
            bool, typer.Option("--no-browser", help="Do not open a browser window.")
        ] = False,
    ) -> None:
        """Build a demo study from the simulators, film it, and serve it; Ctrl-C stops all.

        Example: [bold]roadrater demo --clips 6 --port 8001[/bold]
        """
        require_free_port(HOST, port)
        # For the web and worker processes, which read their settings themselves.
        os.environ["ROADRATER_DATA_DIR"] = str(data.absolute())
        tell_base_url(HOST, port)
        console = Console()
        with open_parts(Settings()) as parts, own_worker():
            study = build_study(parts, clips, console)
            film_clips(parts, study, console)
            links = make_links(parts)
            own_url = f"http://{HOST}:{port}"
            announcer = threading.Thread(
                target=announce, args=(console, own_url, links, not no_browser), daemon=True
            )
            announcer.start()
            run_server(HOST, port)


@dataclass(frozen=True, slots=True)
class DemoLinks:
    """The three doors of the product, and what other terminals need to be set."""

    participant: str
    researcher: str
    live: str
    variables: str


def build_study(parts: Parts, n_clips: int, console: Console) -> Study:
    """The demo study, made once; a second start finds it."""
    with parts.database.write.begin() as db:
        owner, study = demo_researcher(db), find_study(db, DEMO_SLUG)
    if study is not None:
        console.print(f"The demo study of an earlier start is kept: {study.title}")
        return study
    bar = progress_bar("Simulating traffic", console, kept=True)
    with bar as on_clip, parts.database.write.begin() as db:
        return create_study(
            db,
            parts.storage,
            parts.jobs,
            demo_yaml(n_clips),
            folder=None,
            owner=owner,
            now=datetime.now(UTC),
            on_clip=on_clip,
        )


def demo_researcher(db: Session) -> User:
    """Whoever sits at this computer; signs in by link, has no password."""
    known = find_user(db, DEMO_EMAIL)
    return known or add_user(db, DEMO_EMAIL, Role.admin, None, datetime.now(UTC))


def film_clips(parts: Parts, study: Study, console: Console) -> None:
    """Wait for the worker with a bar, then open the study; a failed clip ends the demo."""
    if study.state != StudyState.draft:
        return
    with parts.database.write.begin() as db:
        film_the_rest(db, parts.jobs, study)  # somebody may have stopped it on its page
    if reason := why_failed(watch_filming(parts, study.id, console)):
        raise Conflict(reason)
    with parts.database.write.begin() as db:
        open_study(db, db.get_one(Study, study.id), datetime.now(UTC))


def make_links(parts: Parts) -> DemoLinks:
    """Public start page, a fresh one-time sign-in, and the live page."""
    base_url, minutes = parts.settings.base_url, parts.settings.sign_in_link_minutes
    with parts.database.write.begin() as db:
        token = make_sign_in_link(db, demo_researcher(db), datetime.now(UTC), minutes)
    return DemoLinks(
        participant=f"{base_url}/study/{DEMO_SLUG}",
        researcher=f"{base_url}/admin/sign-in/{token}",
        live=f"{base_url}/admin/studies/{DEMO_SLUG}/live",
        variables=f"ROADRATER_DATA_DIR={shlex.quote(str(parts.settings.data_dir))} "
        f"ROADRATER_BASE_URL={shlex.quote(base_url)}",
    )


def announce(console: Console, own_url: str, links: DemoLinks, open_browser: bool) -> None:
    """Print the links when they work, not before."""
    while not answers(own_url):
        time.sleep(0.1)
    console.print("\n[bold]Roadrater is running.[/bold] Ctrl-C stops it; the data is kept.\n")
    console.print(f"  Participant   {links.participant}", soft_wrap=True)
    console.print(f"  Researcher    {links.researcher}   (signs in once)", soft_wrap=True)
    console.print(f"  Live          {links.live}   (after signing in)\n", soft_wrap=True)
    other = f"Other commands for this data: {links.variables} roadrater …\n"
    console.print(other, soft_wrap=True, markup=False, highlight=False)
    if open_browser:
        webbrowser.open(links.participant)


def answers(base_url: str) -> bool:
    """Whether the server is up."""
    try:
        return httpx.get(f"{base_url}/readyz", timeout=1.0).is_success
    except httpx.HTTPError:
        return False
