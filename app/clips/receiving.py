"""Files arrive and are read: no session is held meanwhile, and what fails leaves nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from threading import Event
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
from app.clips.reading_apart import Limits, Reading, ReadingGivenUp, read_apart
from app.clips.turns import ReadingTurns
from app.clips.uploads import (
    FOLDER,
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
from app.rendering.film_marks import HEAD_BYTES, is_film_head
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.options import ReadOptions
from app.storage import Storage
from app.web import look_up, write_down

MOST_FILES = 100
MOST_FIELDS = 40
MOST_FIELD_BYTES = 20_000
LOOK_EVERY_S = 0.2  # whether the sender is still there


class UnreadableFiles(Invalid):
    """The reader refused the files; the sentence is the reader's."""

    title = "The files could not be read"


class CannotBeCut(Invalid):
    """The files are fine, the choice is not; the sentence says why."""

    title = "This scene cannot be cut"


class BrokenOff(Invalid):
    """The sender went away before the last byte; nobody reads the answer."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What came in one request: the files, still in temporary files, and the fields."""

    files: Sequence[tuple[str, BinaryIO]]
    fields: Mapping[str, str]
    close: Callable[[], Awaitable[None]]  # lets go of the temporary files


async def receive_uploads(request: Request, owner: User, now: datetime) -> list[Upload]:
    """Take files from the request and keep them with what was found in them.

    Trajectory files and maps are one upload with a first scene; each film is an upload.
    All of them are kept, or none.
    """
    store: Storage = request.app.state.storage
    turns: ReadingTurns = request.app.state.reading_turns
    if not turns.sweeping.locked():
        async with turns.sweeping:
            await look_up(request, lambda db: remove_leftovers(db, store, now))
    async with _opened_parcel(request) as parcel:
        form = parse_form(UploadForm, parcel.fields)
        films = [is_film(stream) for _, stream in parcel.files]
        if any(films) and not all(films):
            raise Invalid("Please send films and scene files one after the other.")
        groups = [[file] for file in parcel.files] if any(films) else [list(parcel.files)]
        return await _bring_in(request, owner, parcel, groups, form, now)


async def receive_cut(
    request: Request, user: User, key: str, form: CutForm, now: datetime
) -> SceneRecord:
    """Read the kept files again and keep the scene that was asked for."""
    store: Storage = request.app.state.storage
    upload = await look_up(request, lambda db: get_upload(db, user, key))
    if upload.footage_id is not None:
        raise Invalid("A film is shown as it is; only from trajectories can a scene be cut.")
    names = [file["name"] for file in upload.files]
    try:
        async with request.app.state.reading_turns.turn(user.id):
            reading = await _read(request, key, names, form.applied_to(options_of(upload)))
    except UnreadableFiles as error:  # they were read before
        raise CannotBeCut(str(error)) from error

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
    return is_film_head(stream.read(HEAD_BYTES))


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
        yield Parcel(files, await text_fields(request), form.close)
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
    parcel: Parcel,
    groups: Sequence[Sequence[tuple[str, BinaryIO]]],
    form: UploadForm,
    now: datetime,
) -> list[Upload]:
    store: Storage = request.app.state.storage
    keys = [new_key() for _ in groups]
    options = form.file_options()
    try:
        # The turn first: who waits for it has their files on the disk once, not twice.
        async with request.app.state.reading_turns.turn(owner.id):
            films = [is_film(files[0][1]) for files in groups]
            kept = [
                await run_in_threadpool(keep_files, store, key, files)
                for key, files in zip(keys, groups, strict=True)
            ]
            await parcel.close()
            chosen = [None if film else form.applied_to(options) for film in films]
            brought = [
                await _read_kept(request, *one) for one in zip(keys, kept, chosen, strict=True)
            ]

        def record(db: Session) -> list[Upload]:
            return [_record(db, store, owner, one, options, now) for one in brought]

        return await write_down(request, record)
    except BaseException:  # also when the server is stopped: nothing half done stays
        for key in keys:
            store.remove_folder(folder_of(key))
        raise


async def _read_kept(
    request: Request, key: str, kept: Sequence[KeptFile], options: ReadOptions | None
) -> _Brought:
    return _Brought(key, kept, await _read(request, key, [file.name for file in kept], options))


async def _read(
    request: Request, key: str, names: Sequence[str], options: ReadOptions | None
) -> Reading:
    store: Storage = request.app.state.storage
    files, work = files_at(store, key, names), store.path(FOLDER)
    limits = Limits(wall_s=request.app.state.settings.reading_limit_s)
    async with _watched(request) as gone:
        try:
            reading = await run_in_threadpool(read_apart, files, options, limits, work, gone)
        except ReadingGivenUp as error:
            raise BrokenOff("The upload was broken off.") from error
        except SceneFormatError as error:
            raise UnreadableFiles(_as_sentence(str(error))) from error
    if await request.is_disconnected():
        raise BrokenOff("The upload was broken off.")
    return reading


@asynccontextmanager
async def _watched(request: Request) -> AsyncIterator[Event]:
    """Set as soon as the sender has gone away: nobody waits for what is read then."""
    gone = Event()

    async def watch() -> None:
        while not await request.is_disconnected():
            await asyncio.sleep(LOOK_EVERY_S)
        gone.set()

    watcher = asyncio.create_task(watch())
    try:
        yield gone
    finally:
        watcher.cancel()


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
