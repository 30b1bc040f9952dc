"""Users, clips, studies and sittings, as small as they can be."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from app.auth.models import Role, User
from app.clips.models import Clip, ClipState, Footage, SceneRecord, Upload
from app.studies.document import StudyDocument
from app.studies.models import Study, StudyClip, StudyState, StudyVersion

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
numbers = itertools.count(1)


def make_user(db: Session, email: str = "", role: Role = Role.researcher) -> User:
    """A user without a password."""
    user = User(
        email=email or f"person{next(numbers)}@example.org",
        role=role,
        password_hash=None,
        created_at=NOW,
    )
    db.add(user)
    db.flush()
    return user


def make_clip(db: Session, state: ClipState = ClipState.ready) -> Clip:
    """A clip's row; there is no file behind it."""
    number = next(numbers)
    scene = SceneRecord(
        content_hash=f"{number:064x}",
        name=f"scene {number}",
        duration_s=10.0,
        n_tracks=3,
        source={"generator": "factory"},
        created_at=NOW,
    )
    clip = Clip(
        content_key=f"{number:064x}",
        scene=scene,
        style={},
        state=state,
        created_at=NOW,
        duration_s=10.0,
    )
    db.add(clip)
    db.flush()
    return clip


def make_upload(db: Session, owner: User, key: str = "") -> Upload:
    """An upload's row; there are no files behind it."""
    upload = Upload(
        key=key or f"{next(numbers):032x}",
        owner_id=owner.id,
        name="recording",
        format="csv",
        files=[],
        options={},
        report={},
        suggestions=[],
        created_at=NOW,
    )
    db.add(upload)
    db.flush()
    return upload


def make_footage(db: Session, content_hash: str = "") -> Footage:
    """A finished film's row; there is no file behind it."""
    number = next(numbers)
    footage = Footage(
        content_hash=content_hash or f"{number:064x}",
        name=f"film {number}",
        width_px=1280,
        height_px=720,
        frames_per_s=30.0,
        duration_s=12.0,
        size_bytes=1000,
        created_at=NOW,
    )
    db.add(footage)
    db.flush()
    return footage


def make_document(n_clips: int = 3, slug: str = "test-study", **changes: object) -> StudyDocument:
    """A valid study document; conditions alternate between a and b."""
    return StudyDocument.model_validate(
        {
            "slug": slug,
            "title": "A test study",
            "order": "fixed",
            "clips": [
                {
                    "name": f"clip-{number}",
                    "condition": "ab"[number % 2],
                    "scene": {"simulate": "highway", "model": "attentive", "seed": number},
                }
                for number in range(1, n_clips + 1)
            ],
        }
        | changes
    )


def make_study(
    db: Session,
    owner: User | None = None,
    n_clips: int = 3,
    slug: str = "test-study",
    state: StudyState = StudyState.open,
    clips: Sequence[Clip] | None = None,
    **changes: object,
) -> Study:
    """A study with its version and clips, whose clips count as ready."""
    document = make_document(n_clips, slug, **changes)
    study = Study(
        slug=slug,
        title=document.title,
        state=state,
        owner=owner or make_user(db),
        created_at=NOW,
    )
    db.add(study)
    db.add(
        StudyVersion(
            study=study,
            number=1,
            yaml="",
            document=document.model_dump(mode="json"),
            document_hash=document.document_hash(),
            created_at=NOW,
        )
    )
    db.flush()
    films = clips or [make_clip(db) for _ in document.clips]
    for position, (entry, clip) in enumerate(zip(document.clips, films, strict=True), start=1):
        db.add(
            StudyClip(
                study_id=study.id,
                clip_id=clip.id,
                name=entry.name,
                condition=entry.condition,
                position=position,
            )
        )
    db.flush()
    return study
