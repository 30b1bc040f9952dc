"""A study document is checked against all that it names, and nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from app.cli.context import whose
from app.config import Settings
from app.db import open_database
from app.storage import Storage
from app.studies.clip_requests import uploaded_problems
from app.studies.problems import Problem, Remark, StudyFormatError
from app.studies.scene_entries import UploadedScene
from app.studies.scene_sources import check_sources
from app.studies.yaml_reader import StudySource


@dataclass(frozen=True, slots=True)
class Checked:
    """A document that can be used: what is good to know, and what could not be looked at."""

    remarks: list[Remark]
    unchecked: list[str]


def check_all(source: StudySource, folder: Path, settings: Settings, email: str) -> Checked:
    """Files and uploads; StudyFormatError with the problems of both."""
    problems: list[Problem] = []
    remarks: list[Remark] = []
    try:
        remarks = check_sources(source, folder)
    except StudyFormatError as error:
        problems += error.problems
    n_uploaded = sum(isinstance(clip.scene, UploadedScene) for clip in source.document.clips)
    unchecked: list[str] = []
    if n_uploaded and not _is_there(settings):
        unchecked.append(_not_looked_up(n_uploaded, "there is no database yet"))
    elif n_uploaded:
        try:
            problems += _problems_of_uploads(source, settings, email)
        except DBAPIError as error:
            unchecked.append(_not_looked_up(n_uploaded, f"the database says {_first_line(error)}"))
    if problems:
        raise StudyFormatError(problems)
    return Checked(remarks, unchecked)


def _is_there(settings: Settings) -> bool:
    """Opening an embedded database would make it, and nothing is to be stored."""
    url = make_url(settings.database)
    return url.get_backend_name() != "sqlite" or Path(url.database or "").is_file()


def _problems_of_uploads(source: StudySource, settings: Settings, email: str) -> list[Problem]:
    database = open_database(settings.database)
    try:
        with database.read.begin() as db:
            owner = whose(db, email, "--owner")
            return uploaded_problems(db, Storage(settings.files_dir), source, owner)
    finally:
        database.close()


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).partition("\n")[0].rstrip(".")


def _not_looked_up(n: int, reason: str) -> str:
    what = "1 uploaded scene or film was" if n == 1 else f"{n} uploaded scenes and films were"
    return f"{what} not looked up: {reason}."
