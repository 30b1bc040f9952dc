"""A scene is brought in: its canonical file into the storage, its row into the database."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clips.models import NAME_LENGTH, SceneRecord, scene_key
from app.db import insert_unless_there
from app.scenes.formats.canonical import encode_scene, scene_hash
from app.scenes.scene import Scene
from app.storage import Storage


def import_scene(db: Session, store: Storage, scene: Scene, now: datetime) -> SceneRecord:
    """Keep the scene; the same content is kept once, whatever brought it in."""
    content_hash = scene_hash(scene)
    values = {
        "content_hash": content_hash,
        "name": scene.name[:NAME_LENGTH],
        "duration_s": scene.duration_s,
        "n_tracks": len(scene.tracks),
        "source": asdict(scene.source),
        "created_at": now,
    }
    # The file first: a row without its file would be a clip that cannot be filmed,
    # a file without its row is only a few kilobytes.
    if not store.exists(scene_key(content_hash)):
        store.put(scene_key(content_hash), encode_scene(scene, compress=True))
    insert_unless_there(db, SceneRecord, values, ["content_hash"])
    return db.scalars(select(SceneRecord).where(SceneRecord.content_hash == content_hash)).one()
