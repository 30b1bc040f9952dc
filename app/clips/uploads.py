"""Files are brought in, scenes are cut from them, and all of it can go again."""

from __future__ import annotations

import gzip
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.auth.models import User
from app.clips.importing import SceneFile, import_scene_file
from app.clips.models import (
    NAME_LENGTH,
    Clip,
    Footage,
    SceneRecord,
    Upload,
    UploadedScene,
    footage_key,
    scene_key,
)
from app.clips.reading_apart import FileAt, Reading, options_from_json, options_to_json
from app.db import insert_unless_there
from app.errors import Conflict
from app.scenes.formats.options import ReadOptions
from app.storage import Storage

FOLDER = "uploads"
LEFT_OVER_AFTER = timedelta(days=1)
FOOTAGE_FACTS = ("width_px", "height_px", "frames_per_s", "duration_s", "size_bytes")
SHORT_HASH = 16  # hex digits by which a study document names a scene


class UploadInUse(Conflict):
    """A study shows what was cut from this upload."""

    title = "A study uses it"


@dataclass(frozen=True, slots=True)
class KeptFile:
    """An original file; where it lies is said by its place in the upload, never by its name."""

    name: str
    size_bytes: int
    sha256: str


def new_key() -> str:
    """An upload's address and folder, which nobody can guess."""
    return secrets.token_hex(16)


def folder_of(key: str) -> str:
    """Where the storage keeps what belongs to an upload."""
    return f"{FOLDER}/{key}"


def file_key(key: str, place: int) -> str:
    """Where the storage keeps an original file."""
    return f"{folder_of(key)}/{place}"


def plan_key(key: str) -> str:
    """Where the storage keeps the drawing of the whole recording."""
    return f"{folder_of(key)}/plan.json"


def still_key(key: str, content_hash: str) -> str:
    """Where the storage keeps the picture of a scene."""
    return f"{folder_of(key)}/{content_hash}.png"


def short_hash(scene: SceneRecord) -> str:
    """By which a study document names the scene."""
    return scene.content_hash[:SHORT_HASH]


def bare_name(name: str) -> str:
    """The last part of what a browser calls a file, without anything that cannot be printed."""
    last = PurePosixPath(name.replace("\\", "/")).name
    printable = "".join(letter for letter in last if letter.isprintable())
    return printable.strip(" .")[:NAME_LENGTH] or "file"


def keep_files(store: Storage, key: str, files: Sequence[tuple[str, BinaryIO]]) -> list[KeptFile]:
    """Copy the files into the upload's folder."""
    kept = []
    for place, (name, stream) in enumerate(files):
        stream.seek(0)
        store.put_stream(file_key(key, place), stream)
        path = store.path(file_key(key, place))
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        kept.append(KeptFile(bare_name(name), path.stat().st_size, digest))
    return kept


def files_at(store: Storage, key: str, names: Sequence[str]) -> list[FileAt]:
    """The kept files, for a reader."""
    return [
        FileAt(name, str(store.path(file_key(key, place)).absolute()))
        for place, name in enumerate(names)
    ]


def record_upload(
    db: Session,
    store: Storage,
    key: str,
    owner: User,
    kept: Sequence[KeptFile],
    options: ReadOptions,
    whole: Reading,
    now: datetime,
) -> Upload:
    """Keep what was found in the files as a whole; no scene is cut yet."""
    store.put(plan_key(key), whole.plan)
    upload = Upload(
        key=key,
        owner_id=owner.id,
        name=whole.findings["scene"]["name"][:NAME_LENGTH],
        format=whole.findings["report"]["format"],
        files=[asdict(file) for file in kept],
        options=options_to_json(options),
        report=whole.findings["report"],
        suggestions=whole.findings["suggestions"],
        created_at=now,
    )
    db.add(upload)
    db.flush()  # its id is needed by its scenes
    return upload


def record_footage(
    db: Session,
    store: Storage,
    key: str,
    owner: User,
    kept: Sequence[KeptFile],
    reading: Reading,
    now: datetime,
) -> Upload:
    """Keep a finished film; the same film is kept once, whoever brought it in."""
    (file,), facts = kept, reading.findings["footage"]
    values = {
        "content_hash": file.sha256,
        "name": file.name,
        "created_at": now,
        **{name: facts[name] for name in FOOTAGE_FACTS},
    }
    store.put_again(footage_key(file.sha256), file_key(key, 0))
    insert_unless_there(db, Footage, values, ["content_hash"])
    by_hash = select(Footage.id).where(Footage.content_hash == file.sha256)
    upload = Upload(
        key=key,
        owner_id=owner.id,
        name=file.name,
        format=facts["codec"],
        files=[asdict(file)],
        options={},
        report=facts,
        suggestions=[],
        footage_id=db.scalars(by_hash).one(),
        created_at=now,
    )
    db.add(upload)
    return upload


def record_scene(
    db: Session, store: Storage, upload: Upload, reading: Reading, now: datetime
) -> SceneRecord:
    """Keep a scene cut from the upload; the same cut twice is one."""
    file = _scene_file(reading)
    if reading.still_png:
        store.put(still_key(upload.key, file.content_hash), reading.still_png)
    scene = import_scene_file(db, store, file, now)
    cut = {
        "upload_id": upload.id,
        "scene_id": scene.id,
        "choices": _choices(reading.findings["scene"]),
        "report": reading.findings["report"],
        "still_problem": reading.findings["still_problem"],
        "created_at": now,
    }
    insert_unless_there(db, UploadedScene, cut, ["upload_id", "scene_id"])
    return scene


def _scene_file(reading: Reading) -> SceneFile:
    """What the reading process wrote, under the hash that it really has."""
    scene = reading.findings["scene"]
    return SceneFile(
        content_hash=sha256(gzip.decompress(reading.scene_file)).hexdigest(),
        name=scene["name"],
        duration_s=scene["end_s"] - scene["start_s"],
        n_tracks=scene["n_tracks"],
        source=scene["source"],
        content=reading.scene_file,
    )


def _choices(scene: dict[str, Any]) -> dict[str, Any]:
    return {name: scene[name] for name in ("name", "kind", "ego_id", "start_s", "end_s", "roles")}


def options_of(upload: Upload) -> ReadOptions:
    """What was said about the files when they came."""
    return options_from_json(upload.options)


def remove_upload(db: Session, upload: Upload) -> list[str]:
    """The rows go, with what only this upload has; returns the hashes of that.

    What another upload has too stays, and so does every clip of it: whose they are is not told.
    What belongs to the upload in the storage is removed after the commit, by `remove_files`.
    """
    gone: list[SceneRecord | Footage] = [
        *_scenes_only_in(db, upload),
        *_film_only_in(db, upload),
    ]
    if _is_filmed(db, gone):
        raise UploadInUse(
            f"A study uses a clip of {upload.name!r}, so its files stay as long as the study does."
        )
    db.execute(delete(UploadedScene).where(UploadedScene.upload_id == upload.id))
    db.execute(delete(Upload).where(Upload.id == upload.id))
    for row in gone:
        db.delete(row)
    return [row.content_hash for row in gone]


def _scenes_only_in(db: Session, upload: Upload) -> list[SceneRecord]:
    mine = select(UploadedScene.scene_id).where(UploadedScene.upload_id == upload.id)
    others = select(UploadedScene.scene_id).where(UploadedScene.upload_id != upload.id)
    only_mine = (SceneRecord.id.in_(mine), SceneRecord.id.not_in(others))
    return list(db.scalars(select(SceneRecord).where(*only_mine)))


def _film_only_in(db: Session, upload: Upload) -> list[Footage]:
    others = select(Upload.footage_id).where(
        Upload.footage_id == upload.footage_id, Upload.id != upload.id
    )
    only_mine = (Footage.id == upload.footage_id, Footage.id.not_in(others))
    return list(db.scalars(select(Footage).where(*only_mine)))


def _is_filmed(db: Session, rows: Sequence[SceneRecord | Footage]) -> bool:
    scene_ids = [row.id for row in rows if isinstance(row, SceneRecord)]
    film_ids = [row.id for row in rows if isinstance(row, Footage)]
    filmed = Clip.scene_id.in_(scene_ids) | Clip.footage_id.in_(film_ids)
    return db.scalar(select(Clip.id).where(filmed).limit(1)) is not None


def remove_files(db: Session, store: Storage, key: str, content_hashes: Sequence[str]) -> None:
    """What the storage has of a removed upload; what came again meanwhile stays."""
    store.remove_folder(folder_of(key))
    for table, key_of in ((SceneRecord, scene_key), (Footage, footage_key)):
        came_again = select(table.content_hash).where(table.content_hash.in_(content_hashes))
        for content_hash in set(content_hashes) - set(db.scalars(came_again)):
            store.remove(key_of(content_hash))


def remove_leftovers(db: Session, store: Storage, now: datetime) -> None:
    """Folders of uploads that were never finished: the server was stopped in between."""
    folder = store.path(FOLDER)
    if not folder.is_dir():
        return
    oldest = (now - LEFT_OVER_AFTER).timestamp()
    old = {path.name for path in folder.iterdir() if _is_older(path, oldest)}
    known = set(db.scalars(select(Upload.key).where(Upload.key.in_(old))))
    for key in old - known:
        store.remove_folder(folder_of(key))


def _is_older(path: Path, moment: float) -> bool:
    try:
        return path.stat().st_mtime < moment
    except FileNotFoundError:  # whoever made it has removed it
        return False
