"""A finished film is brought in: its file into the storage, its row into the database."""

from __future__ import annotations

from datetime import datetime
from hashlib import file_digest
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clips.models import NAME_LENGTH, Footage, footage_key
from app.db import insert_unless_there
from app.rendering.footage import FootageFacts
from app.storage import Storage


def import_footage(
    db: Session, store: Storage, path: Path, facts: FootageFacts, now: datetime
) -> Footage:
    """Keep a film that was looked through; the same file is kept once, whatever brought it in."""
    with path.open("rb") as file:
        content_hash = file_digest(file, "sha256").hexdigest()
        # The file first: a row without its file would be a clip that cannot be filmed.
        if not store.exists(footage_key(content_hash)):
            file.seek(0)
            store.put_stream(footage_key(content_hash), file)
    values = {
        "content_hash": content_hash,
        "name": path.name[:NAME_LENGTH],
        "width_px": facts.width_px,
        "height_px": facts.height_px,
        "frames_per_s": facts.frames_per_s,
        "duration_s": facts.duration_s,
        "size_bytes": facts.size_bytes,
        "created_at": now,
    }
    insert_unless_there(db, Footage, values, ["content_hash"])
    return db.scalars(select(Footage).where(Footage.content_hash == content_hash)).one()
