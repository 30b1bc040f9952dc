"""Finding clips."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlalchemy.orm.interfaces import ORMOption

from app.clips.models import Clip
from app.errors import NotFound


def get_clip(db: Session, clip_id: int, *options: ORMOption) -> Clip:
    """The clip with this id."""
    clip = db.scalar(select(Clip).where(Clip.id == clip_id).options(*options))
    if clip is None:
        raise NotFound(f"There is no clip {clip_id}.")
    return clip
