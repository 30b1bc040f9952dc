"""Files arrive and are read: no session is held meanwhile, and what fails leaves nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from fastapi import Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect

from app.auth.models import User
from app.clips.access import claim_upload, get_upload
from app.clips.forms import CutForm, UploadForm, parse_form
from app.clips.models import SceneRecord, Upload
from app.clips.reading_apart import Limits, Reading, read_apart
from app.clips.uploads import (
    KeptFile,
    bare_name,
    files_at,
    folder_of,
    keep_files,
    new_key,
    options_of,
    record_footage,
    record_scene,
    record_upload,
    remove_leftovers,
)
from app.errors import Invalid
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.options import ReadOptions
from app.storage import Storage
from app.web import look_up, write_down

MOST_FILES = 100
MOST_FIELDS = 40
MOST_FIELD_BYTES = 20_000
# What films begin with: MP4 and its kin say ftyp, WebM and Matroska the magic of EBML.
FILM_MARKS = ((4, b"ftyp"), (0, b"\x1aE\xdf\xa3"))


class UnreadableFiles(Invalid):
    """The reader refused the files; the sentence is the reader's."""

    title = "The files could not be read"


class BrokenOff(Invalid):
    """The sender went away before the last byte; nobody reads the answer."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What came in one request: the files, still in temporary files, and the fields."""

    files: Sequence[tuple[str, BinaryIO]]
    fields: Mapping[str, str]


async def receive_uploads(request: Request, owner: User, now: datetime) -> list[Upload]:
    """Take files from the request and keep them with what was found in them.

    Trajectory files and maps are one upload with a first scene; each film is an upload.
    All of them are kept, or none.
    """
    store: Storage = request.app.state.storage
    await look_up(request, lambda db: remove_leftovers(db, store, now))
    async with _opened_parcel(request) as parcel:
        form = parse_form(UploadForm, parcel.fields)
        films = [is_film(stream) for _, stream in parcel.files]
        if any(films) and not all(films):
            raise Invalid("Please send films and scene files one after the other.")
        groups = [[file] for file in parcel.files] if any(films) else [list(parcel.files)]
        return await _bring_in(request, owner, groups, form, now)


async def receive_cut(
    request: Request, user: User, key: str, form: CutForm, now: datetime
) -> SceneRecord:
    """Read the kept files again and keep the scene that was asked for."""
    store: Storage = request.app.state.storage
    upload = await look_up(request, lambda db: get_upload(db, user, key))
    if upload.footage_id is not None:
        raise Invalid("A film is shown as it is; only from trajectories can a scene be cut.")
    names = [file["name"] for file in upload.files]
    reading = await _read(request, key, names, form.applied_to(options_of(upload)))

    def record(db: Session) -> SceneRecord:
        # Looked up again: it may be gone by now, and its id may be that of somebody else's.
        return record_scene(db, store, claim_upload(db, user, key), reading, now)

    return await write_down(request, record)


async def text_fields(request: Request) -> dict[str, str]:
    """The fields of a form without its files."""
    form = await request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS)
    return {name: item for name, item in form.multi_items() if isinstance(item, str)}


def is_film(stream: BinaryIO) -> bool:
    """Whether these are the first bytes of a video file."""
    stream.seek(0)
    head = stream.read(12)
    return any(head[place:].startswith(mark) for place, mark in FILM_MARKS)


@asynccontextmanager
async def _opened_parcel(request: Request) -> AsyncIterator[Parcel]:
    try:
        form = await request.form(
            max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=MOST_FIELD_BYTES
        )
    except ClientDisconnect as error:
        raise BrokenOff("The upload was broken off.") from error
    try:
        items = form.multi_items()
        sent = [item for _, item in items if isinstance(item, UploadFile)]
        # A form without a chosen file sends one without a name.
        files = [(bare_name(item.filename), item.file) for item in sent if item.filename]
        if not files:
            raise Invalid("Please choose at least one file.")
        yield Parcel(files, await text_fields(request))
    finally:
        await form.close()


@dataclass(frozen=True, slots=True)
class _Brought:
    """One upload, read and ready to be recorded."""

    key: str
    kept: Sequence[KeptFile]
    reading: Reading


async def _bring_in(
    request: Request,
    owner: User,
    groups: Sequence[Sequence[tuple[str, BinaryIO]]],
    form: UploadForm,
    now: datetime,
) -> list[Upload]:
    store: Storage = request.app.state.storage
    keys = [new_key() for _ in groups]
    options = form.file_options()
    try:
        brought = [
            await _keep_and_read(request, key, files, form.applied_to(options))
            for key, files in zip(keys, groups, strict=True)
        ]

        def record(db: Session) -> list[Upload]:
            return [_record(db, store, owner, one, options, now) for one in brought]

        return await write_down(request, record)
    except BaseException:  # also when the server is stopped: nothing half done stays
        for key in keys:
            store.remove_folder(folder_of(key))
        raise


async def _keep_and_read(
    request: Request,
    key: str,
    files: Sequence[tuple[str, BinaryIO]],
    options: ReadOptions,
) -> _Brought:
    kept = await run_in_threadpool(keep_files, request.app.state.storage, key, files)
    names = [file.name for file in kept]
    reading = await _read(request, key, names, None if is_film(files[0][1]) else options)
    return _Brought(key, kept, reading)


async def _read(
    request: Request, key: str, names: Sequence[str], options: ReadOptions | None
) -> Reading:
    files = files_at(request.app.state.storage, key, names)
    limits = Limits(wall_s=request.app.state.settings.reading_limit_s)
    try:
        async with request.app.state.reading_turns:
            return await run_in_threadpool(read_apart, files, options, limits)
    except SceneFormatError as error:
        raise UnreadableFiles(_as_sentence(str(error))) from error


def _record(
    db: Session, store: Storage, owner: User, one: _Brought, options: ReadOptions, now: datetime
) -> Upload:
    if one.reading.is_film:
        return record_footage(db, store, one.key, owner, one.kept, one.reading, now)
    upload = record_upload(db, store, one.key, owner, one.kept, options, one.reading, now)
    record_scene(db, store, upload, one.reading, now)
    return upload


def _as_sentence(words: str) -> str:
    return words if words.endswith((".", "?", "!")) else f"{words}."
