"""Scenes and finished films that were brought in, and the videos made of them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.auth.models import User
from app.db import Base, Instant

NAME_LENGTH = 200


def scene_key(content_hash: str) -> str:
    """Where the storage keeps the canonical file of a scene."""
    return f"scenes/{content_hash}.json.gz"


def footage_key(content_hash: str) -> str:
    """Where the storage keeps a finished film as it was brought in."""
    return f"footage/{content_hash}.mp4"


def video_key(content_key: str) -> str:
    """Where the storage keeps the video of a clip."""
    return f"clips/{content_key}.mp4"


def thumbnail_key(content_key: str) -> str:
    """Where the storage keeps a small moving picture of the video."""
    return f"clips/{content_key}.webp"


def still_key(content_key: str) -> str:
    """Where the storage keeps the thumbnail's first picture, which does not move."""
    return f"clips/{content_key}.png"


class SceneRecord(Base):
    """A scene whose canonical file is in the storage, named by its hash."""

    __tablename__ = "scenes"

    id: Mapped[int] = mapped_column(primary_key=True)
    content_hash: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    duration_s: Mapped[float]
    n_tracks: Mapped[int]
    source: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(Instant)

    @property
    def file_key(self) -> str:
        """Where the storage keeps the canonical file."""
        return scene_key(self.content_hash)


class Footage(Base):
    """A finished film, for example recorded in a driving simulator, named by its file's hash."""

    __tablename__ = "footage"

    id: Mapped[int] = mapped_column(primary_key=True)
    content_hash: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    width_px: Mapped[int]
    height_px: Mapped[int]
    frames_per_s: Mapped[float]
    duration_s: Mapped[float]
    size_bytes: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(Instant)

    @property
    def file_key(self) -> str:
        """Where the storage keeps the film, whatever its container."""
        return footage_key(self.content_hash)


class ClipState(StrEnum):
    """How far the film of a clip is."""

    queued = "queued"
    rendering = "rendering"
    ready = "ready"
    failed = "failed"
    cancelled = "cancelled"  # nobody waits for it; asking for it again queues it anew


# What a worker still has to do.
WAITING_STATES = (ClipState.queued, ClipState.rendering)


class Clip(Base):
    """A scene or footage filmed in one style; the row is the truth, the job brings it about."""

    __tablename__ = "clips"
    __table_args__ = (
        CheckConstraint("frames_done >= 0 AND frames_done <= frames_total", name="frames"),
        CheckConstraint("(scene_id IS NULL) <> (footage_id IS NULL)", name="one_source"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    content_key: Mapped[str] = mapped_column(String(64), unique=True)
    scene_id: Mapped[int | None] = mapped_column(ForeignKey("scenes.id"), index=True)
    footage_id: Mapped[int | None] = mapped_column(ForeignKey("footage.id"), index=True)
    style: Mapped[dict[str, Any]] = mapped_column(JSON)
    state: Mapped[ClipState] = mapped_column(String(20), index=True)
    frames_done: Mapped[int] = mapped_column(default=0)
    frames_total: Mapped[int] = mapped_column(default=0)
    attempt: Mapped[int] = mapped_column(default=1)
    reason: Mapped[str] = mapped_column(default="")  # why it failed, in a sentence
    # What came out, known when the film is ready; frames_total is then its number of pictures.
    width_px: Mapped[int | None]
    height_px: Mapped[int | None]
    fps: Mapped[int | None]
    duration_s: Mapped[float | None]
    size_bytes: Mapped[int | None]
    filming_s: Mapped[float | None]  # how long the camera ran; tells how long others will take
    created_at: Mapped[datetime] = mapped_column(Instant)
    ready_at: Mapped[datetime | None] = mapped_column(Instant)
    scene: Mapped[SceneRecord | None] = relationship(lazy="raise")
    footage: Mapped[Footage | None] = relationship(lazy="raise")

    @property
    def file_key(self) -> str:
        """Where the storage keeps the video."""
        return video_key(self.content_key)

    @property
    def url(self) -> str:
        """Address of the video: opaque, so that it tells a rater nothing."""
        return f"/{self.file_key}"


class Upload(Base):
    """Files that were brought in together, kept so that another scene can be cut from them.

    Trajectory files have a report and suggestions; a finished film is footage.
    """

    __tablename__ = "uploads"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(32), unique=True)  # random: its folder and its address
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    format: Mapped[str] = mapped_column(String(40))
    files: Mapped[list[dict[str, Any]]] = mapped_column(JSON)  # name, size_bytes, sha256
    options: Mapped[dict[str, Any]] = mapped_column(JSON)  # what was said about the files
    report: Mapped[dict[str, Any]] = mapped_column(JSON)
    suggestions: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    footage_id: Mapped[int | None] = mapped_column(ForeignKey("footage.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(Instant)
    owner: Mapped[User] = relationship(lazy="raise")
    footage: Mapped[Footage | None] = relationship(lazy="raise")


class UploadedScene(Base):
    """A scene that was cut from an upload, and how: its ego, window, roles, kind and name."""

    __tablename__ = "uploaded_scenes"

    upload_id: Mapped[int] = mapped_column(
        ForeignKey("uploads.id", ondelete="CASCADE"), primary_key=True
    )
    scene_id: Mapped[int] = mapped_column(ForeignKey("scenes.id"), primary_key=True, index=True)
    choices: Mapped[dict[str, Any]] = mapped_column(JSON)
    report: Mapped[dict[str, Any]] = mapped_column(JSON)
    still_problem: Mapped[str] = mapped_column(default="")  # why it cannot be drawn, if it cannot
    created_at: Mapped[datetime] = mapped_column(Instant)
    scene: Mapped[SceneRecord] = relationship(lazy="raise")
    upload: Mapped[Upload] = relationship(lazy="raise")
