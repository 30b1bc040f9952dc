"""Finding clips, uploads and what was cut from them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload
from sqlalchemy.orm.interfaces import ORMOption

from app.auth.models import Role, User
from app.clips.models import Clip, Footage, SceneRecord, Upload, UploadedScene
from app.errors import NotFound

UPLOAD_KEY = re.compile(r"[0-9a-f]{32}")
SCENE_NAME = re.compile(r"[0-9a-f]{16}|[0-9a-f]{32}")


def get_clip(db: Session, clip_id: int, *options: ORMOption) -> Clip:
    """The clip with this id."""
    clip = db.scalar(select(Clip).where(Clip.id == clip_id).options(*options))
    if clip is None:
        raise NotFound(f"There is no clip {clip_id}.")
    return clip


def find_upload(db: Session, key: str, *options: ORMOption) -> Upload | None:
    """The upload at this address."""
    if not UPLOAD_KEY.fullmatch(key):
        return None  # an address can hold anything, also what a database refuses to compare
    return db.scalar(select(Upload).where(Upload.key == key).options(*options))


def list_uploads(db: Session, user: User) -> list[Upload]:
    """The newest first; admins see all, others their own."""
    query = select(Upload).options(joinedload(Upload.owner)).order_by(Upload.id.desc())
    if user.role != Role.admin:
        query = query.where(Upload.owner_id == user.id)
    return list(db.scalars(query))


def count_scenes(db: Session, uploads: Sequence[Upload]) -> dict[int, int]:
    """How many scenes were cut from each upload, by its id."""
    query = (
        select(UploadedScene.upload_id, func.count())
        .where(UploadedScene.upload_id.in_([upload.id for upload in uploads]))
        .group_by(UploadedScene.upload_id)
    )
    return dict(db.execute(query).all())


def list_scenes(db: Session, upload: Upload) -> list[UploadedScene]:
    """The scenes cut from an upload, the newest first."""
    query = (
        select(UploadedScene)
        .join(Upload, Upload.id == UploadedScene.upload_id)
        # By the key: the id of an upload that was removed may be somebody else's by now.
        .where(Upload.key == upload.key)
        .options(joinedload(UploadedScene.scene, innerjoin=True))
        .order_by(UploadedScene.created_at.desc(), UploadedScene.scene_id.desc())
    )
    return list(db.scalars(query))


def get_footage(db: Session, upload: Upload) -> Footage:
    """The film of an upload."""
    footage = None if upload.footage_id is None else db.get(Footage, upload.footage_id)
    if footage is None:
        raise NotFound("There is no film in this upload.")
    return footage


def get_visible_scene(db: Session, user: User, name: str) -> SceneRecord:
    """A scene of an upload that exists for this user, by its id or by the upload's key."""
    if not SCENE_NAME.fullmatch(name):
        raise NotFound("There is no such scene.")
    query = (
        select(SceneRecord)
        .join(UploadedScene, UploadedScene.scene_id == SceneRecord.id)
        .join(Upload, Upload.id == UploadedScene.upload_id)
        .where((Upload.key == name) | SceneRecord.content_hash.startswith(name))
        .order_by(UploadedScene.created_at.desc(), SceneRecord.id.desc())
        .limit(1)
    )
    if user.role != Role.admin:
        query = query.where(Upload.owner_id == user.id)
    scene = db.scalar(query)
    if scene is None:
        raise NotFound("There is no such scene.")
    return scene
