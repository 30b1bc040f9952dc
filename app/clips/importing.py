"""A scene is brought in: its canonical file into the storage, its row into the database."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clips.models import NAME_LENGTH, SceneRecord, scene_key
from app.db import insert_unless_there
from app.scenes.formats.canonical import encode_scene, scene_hash
from app.scenes.scene import Scene
from app.storage import Storage


@dataclass(frozen=True, slots=True)
class SceneFile:
    """A canonical file, packed, and what its row says of it."""

    content_hash: str
    name: str
    duration_s: float
    n_tracks: int
    source: dict[str, Any]
    content: bytes


def import_scene(db: Session, store: Storage, scene: Scene, now: datetime) -> SceneRecord:
    """Keep the scene; the same content is kept once, whatever brought it in."""
    file = SceneFile(
        content_hash=scene_hash(scene),
        name=scene.name,
        duration_s=scene.duration_s,
        n_tracks=len(scene.tracks),
        source=asdict(scene.source),
        content=encode_scene(scene, compress=True),
    )
    return import_scene_file(db, store, file, now)


def import_scene_file(db: Session, store: Storage, file: SceneFile, now: datetime) -> SceneRecord:
    """Keep a scene that is already in its file."""
    values = {
        "content_hash": file.content_hash,
        "name": file.name[:NAME_LENGTH],
        "duration_s": file.duration_s,
        "n_tracks": file.n_tracks,
        "source": file.source,
        "created_at": now,
    }
    # The file first: a row without its file would be a clip that cannot be filmed,
    # a file without its row is only a few kilobytes.
    if not store.exists(scene_key(file.content_hash)):
        store.put(scene_key(file.content_hash), file.content)
    insert_unless_there(db, SceneRecord, values, ["content_hash"])
    by_hash = select(SceneRecord).where(SceneRecord.content_hash == file.content_hash)
    return db.scalars(by_hash).one()
