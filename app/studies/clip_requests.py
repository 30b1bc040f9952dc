"""The clips of a study are asked for, whatever each of them is made of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from app.auth.models import User
from app.clips.footage import import_footage
from app.clips.importing import import_scene
from app.clips.models import Clip, Footage, SceneRecord
from app.clips.render_request import request_clip, request_footage_clip
from app.clips.uploaded import get_uploaded
from app.errors import AppError
from app.jobs import JobQueue
from app.rendering.footage import check_window
from app.rendering.style import FilmStyle
from app.scenes.formats.canonical import decode_scene
from app.scenes.scene import Scene
from app.storage import Storage
from app.studies.problems import Problem, StudyFormatError
from app.studies.scene_entries import SimulatedScene, UploadedScene
from app.studies.scene_sources import ClipSource, FilmBeside, check_covers, place_of
from app.studies.yaml_reader import StudySource


def request_clips(
    db: Session,
    store: Storage,
    jobs: JobQueue,
    source: StudySource,
    made_of: Sequence[ClipSource],
    owner: User,
    now: datetime,
) -> list[Clip]:
    """A clip for each entry of the document; what cannot be had is told all at once."""
    clips: list[Clip] = []
    problems: list[Problem] = []
    entries = zip(source.document.clips, made_of, strict=True)
    for index, (entry, origin) in enumerate(entries):
        start_s = None if isinstance(entry.scene, SimulatedScene) else entry.scene.start_s
        style = source.document.video.style(start_s)
        try:
            record = _record(db, store, origin, style, owner, now)
        except (ValueError, AppError) as error:
            problems.append(source.problem(place_of(index, entry), str(error)))
            continue
        clips.append(_request(db, jobs, record, style, now))
    if problems:
        raise StudyFormatError(problems)
    return clips


def uploaded_problems(
    db: Session, store: Storage, source: StudySource, owner: User
) -> list[Problem]:
    """What is wrong with the uploads that the document names: not there, not theirs, too short."""
    problems: list[Problem] = []
    for index, entry in enumerate(source.document.clips):
        if isinstance(entry.scene, UploadedScene):
            style = source.document.video.style(entry.scene.start_s)
            try:
                _uploaded(db, store, entry.scene, style, owner)
            except (ValueError, AppError) as error:
                problems.append(source.problem(place_of(index, entry), str(error)))
    return problems


def _record(
    db: Session, store: Storage, origin: ClipSource, style: FilmStyle, owner: User, now: datetime
) -> SceneRecord | Footage:
    match origin:
        case Scene():
            return import_scene(db, store, origin, now)
        case FilmBeside():
            return import_footage(db, store, origin.path, origin.facts, now)
    return _uploaded(db, store, origin, style, owner)


def _uploaded(
    db: Session, store: Storage, entry: UploadedScene, style: FilmStyle, owner: User
) -> SceneRecord | Footage:
    record = get_uploaded(db, entry.uploaded, owner)
    if isinstance(record, Footage):
        check_window(record.duration_s, style)
    else:
        check_covers(decode_scene(store.get(record.file_key)), style)
    return record


def _request(
    db: Session, jobs: JobQueue, record: SceneRecord | Footage, style: FilmStyle, now: datetime
) -> Clip:
    if isinstance(record, Footage):
        return request_footage_clip(db, jobs, record, style, now)
    return request_clip(db, jobs, record, style, now)
