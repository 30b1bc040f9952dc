"""A study comes from its document: scenes are made, clips are asked for, a version is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.auth.models import Role, User
from app.clips.models import Clip
from app.errors import Conflict, Refused
from app.jobs import JobQueue
from app.storage import Storage
from app.studies.clip_requests import request_clips
from app.studies.document import StudyDocument
from app.studies.filming import cancel_unused
from app.studies.models import Study, StudyClip, StudyState, StudyVersion
from app.studies.permissions import may_write
from app.studies.queries import count_versions, find_study, get_current_version, list_study_clips
from app.studies.scene_sources import make_scenes
from app.studies.yaml_reader import parse_study


class NotADraft(Conflict):
    """What participants have seen is not changed."""


class SlugTaken(Conflict):
    """Somebody else's study has this name."""


def create_study(
    db: Session,
    store: Storage,
    jobs: JobQueue,
    text: str,
    folder: Path | None,
    owner: User,
    now: datetime,
    on_clip: Callable[[int, int], None] = lambda done, total: None,
) -> Study:
    """Make a study of a document, or the next version of a draft that has the same slug.

    Scene files are read from `folder`, where the document is. An unchanged draft stays as
    it is. `on_clip(done, total)` is told of every scene.
    """
    if owner.role == Role.viewer:
        raise Refused(f"{owner.email} is a viewer, who may look at studies, but not make them.")
    # The scenes first, the database after: simulating takes long, and a transaction that waits
    # for it would keep everybody else from writing.
    source = parse_study(text)
    scenes = make_scenes(source, folder, on_clip)
    study = _find_draft(db, source.document.slug, owner)
    clips = request_clips(db, store, jobs, source, scenes, owner, now)
    if study is None:
        study = _add_study(db, source.document, owner, now)
    elif _is_unchanged(db, study, source.document, clips):
        return study
    _add_version(db, study, text, source.document, now)
    superseded = [row.clip_id for row in list_study_clips(db, study)]
    _replace_clips(db, study, source.document, clips)
    cancel_unused(db, jobs, superseded)
    return study


def _find_draft(db: Session, slug: str, user: User) -> Study | None:
    study = find_study(db, slug, lock=True)
    if study is None:
        return None
    if not may_write(user, study):
        raise SlugTaken(f"The slug {slug!r} is taken; please choose another.")
    if study.state != StudyState.draft:
        raise NotADraft(
            f"The study {slug!r} is {study.state}, and only a draft can be changed; "
            "please give the new document another slug."
        )
    return study


def _add_study(db: Session, document: StudyDocument, owner: User, now: datetime) -> Study:
    study = Study(
        slug=document.slug,
        title=document.title,
        state=StudyState.draft,
        owner_id=owner.id,
        created_at=now,
    )
    db.add(study)
    try:
        db.flush()  # the version needs the id
    except IntegrityError as error:
        raise SlugTaken(f"The slug {document.slug!r} was taken just now.") from error
    return study


def _is_unchanged(
    db: Session, study: Study, document: StudyDocument, clips: Sequence[Clip]
) -> bool:
    """The same document gives other clips if a scene file was exchanged or the renderer is new."""
    if get_current_version(db, study).document_hash != document.document_hash():
        return False
    return [row.clip_id for row in list_study_clips(db, study)] == [clip.id for clip in clips]


def _add_version(
    db: Session, study: Study, text: str, document: StudyDocument, now: datetime
) -> None:
    study.title = document.title
    db.add(
        StudyVersion(
            study_id=study.id,
            number=count_versions(db, study) + 1,
            yaml=text,
            document=document.model_dump(mode="json"),
            document_hash=document.document_hash(),
            created_at=now,
        )
    )


def _replace_clips(
    db: Session, study: Study, document: StudyDocument, clips: Sequence[Clip]
) -> None:
    db.execute(delete(StudyClip).where(StudyClip.study_id == study.id))
    db.add_all(
        StudyClip(
            study_id=study.id,
            clip_id=clip.id,
            name=entry.name,
            condition=entry.condition,
            position=position,
        )
        for position, (entry, clip) in enumerate(zip(document.clips, clips, strict=True), start=1)
    )
    db.flush()  # callers list the clips
