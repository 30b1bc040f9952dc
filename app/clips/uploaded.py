"""What was uploaded is found by the beginning of its key, among what a person may see."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.auth.models import Role, User
from app.clips.models import Footage, SceneRecord, Upload, UploadedScene
from app.errors import Conflict, NotFound


class Ambiguous(Conflict):
    """More than one scene or film has a key that begins like this."""


def get_uploaded(db: Session, key: str, user: User) -> SceneRecord | Footage:
    """The one scene or film of this person's uploads, or of all for an admin."""
    uploads = select(Upload.id)
    if user.role != Role.admin:
        uploads = uploads.where(Upload.owner_id == user.id)
    scene_ids = select(UploadedScene.scene_id).where(UploadedScene.upload_id.in_(uploads))
    footage_ids = select(Upload.footage_id).where(
        Upload.id.in_(uploads), Upload.footage_id.is_not(None)
    )
    found: list[SceneRecord | Footage] = [
        *db.scalars(
            select(SceneRecord).where(
                SceneRecord.content_hash.startswith(key, autoescape=True),
                SceneRecord.id.in_(scene_ids),
            )
        ),
        *db.scalars(
            select(Footage).where(
                Footage.content_hash.startswith(key, autoescape=True), Footage.id.in_(footage_ids)
            )
        ),
    ]
    if not found:
        raise NotFound(f"none of {user.email}'s uploads has a scene or film with the key {key}")
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} scenes or films have a key that begins with {key}")
    return found[0]
