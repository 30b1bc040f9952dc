"""What is asked, in which versions, about which clips."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.auth.models import User
from app.clips.models import Clip
from app.db import Base, Instant


class StudyState(StrEnum):
    """Only a draft can be changed; only an open study can be rated."""

    draft = "draft"
    open = "open"
    closed = "closed"


class Study(Base):
    """A study under its public name; its wording and settings are in its versions."""

    __tablename__ = "studies"

    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(60), unique=True)
    title: Mapped[str] = mapped_column(String(200))  # of the newest version, for lists
    state: Mapped[StudyState] = mapped_column(String(20))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(Instant)
    opened_at: Mapped[datetime | None] = mapped_column(Instant)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)
    owner: Mapped[User] = relationship(lazy="raise")


class StudyVersion(Base):
    """The study document as it was; never changed once stored."""

    __tablename__ = "study_versions"
    __table_args__ = (UniqueConstraint("study_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"))
    number: Mapped[int]
    yaml: Mapped[str] = mapped_column(Text)  # as the researcher wrote it
    document: Mapped[dict[str, Any]] = mapped_column(JSON)  # with defaults filled in
    document_hash: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(Instant)
    study: Mapped[Study] = relationship(lazy="raise")


class StudyClip(Base):
    """A clip's place in a study: its name and condition, which no rater ever sees."""

    __tablename__ = "study_clips"
    __table_args__ = (
        UniqueConstraint("study_id", "name"),
        UniqueConstraint("study_id", "position"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"))
    clip_id: Mapped[int] = mapped_column(ForeignKey("clips.id"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    condition: Mapped[str] = mapped_column(String(100))
    position: Mapped[int]  # in the document, from 1
    clip: Mapped[Clip] = relationship(lazy="raise")
