"""A person sits down, is given clips in an order, and rates each of them once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.db import Base, Instant
from app.studies.models import Study, StudyClip, StudyVersion


class Sitting(Base):
    """One person's way through one study; how far they are follows from the ratings."""

    __tablename__ = "sittings"
    __table_args__ = (UniqueConstraint("study_id", "pseudonym"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), index=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("study_versions.id"))
    token: Mapped[str] = mapped_column(String(64), unique=True)  # the link is the key
    pseudonym: Mapped[str] = mapped_column(String(20))  # stands for the person in every export
    seed: Mapped[int]  # of the clips' order
    completion_code: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column(Instant)
    started_at: Mapped[datetime | None] = mapped_column(Instant)
    consented_at: Mapped[datetime | None] = mapped_column(Instant)
    declined_at: Mapped[datetime | None] = mapped_column(Instant)
    finished_at: Mapped[datetime | None] = mapped_column(Instant)
    study: Mapped[Study] = relationship(lazy="raise")
    version: Mapped[StudyVersion] = relationship(lazy="raise")


class Assignment(Base):
    """A clip at a position in a sitting's order."""

    __tablename__ = "assignments"
    __table_args__ = (
        UniqueConstraint("sitting_id", "position"),
        UniqueConstraint("sitting_id", "study_clip_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sitting_id: Mapped[int] = mapped_column(ForeignKey("sittings.id", ondelete="CASCADE"))
    study_clip_id: Mapped[int] = mapped_column(ForeignKey("study_clips.id"), index=True)
    position: Mapped[int]  # from 1
    study_clip: Mapped[StudyClip] = relationship(lazy="raise")
    rating: Mapped[Rating | None] = relationship(lazy="raise", back_populates="assignment")


class Rating(Base):
    """The answer to a clip: one for each assignment, the first one given."""

    __tablename__ = "ratings"
    __table_args__ = (CheckConstraint("answer BETWEEN 1 AND 11", name="answer"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    assignment_id: Mapped[int] = mapped_column(
        ForeignKey("assignments.id", ondelete="CASCADE"), unique=True
    )
    answer: Mapped[int]
    answered_at: Mapped[datetime] = mapped_column(Instant)
    watched_s: Mapped[float | None]  # seconds of video really played, if the browser measured it
    on_page_s: Mapped[float | None]  # from the page's arrival to the answer, likewise
    assignment: Mapped[Assignment] = relationship(lazy="raise", back_populates="rating")


class ClipCount(Base):
    """How many raters gave a clip an answer; kept in the rating's own transaction."""

    __tablename__ = "clip_counts"

    study_clip_id: Mapped[int] = mapped_column(
        ForeignKey("study_clips.id", ondelete="CASCADE"), primary_key=True
    )
    answer: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int]
