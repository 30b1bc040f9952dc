"""The study page and the live page are put together from what the database says now."""

from __future__ import annotations

from sqlalchemy.orm import Session

from app.auth.models import User
from app.config import Settings
from app.dashboard.live_agreement import summarise_now
from app.dashboard.pages import LivePage, StudyListPage, StudyPage
from app.dashboard.queries import (
    count_ratings_by_sitting,
    list_newest_sittings,
    read_study_now,
    read_totals,
)
from app.dashboard.study_now import StudyNow
from app.dashboard.study_views import (
    SittingLine,
    StudyFacts,
    filmed_clip,
    sitting_line,
    study_line,
    study_view,
)
from app.dashboard.views import counted, live_view, rated_clip
from app.studies.models import Study
from app.studies.permissions import may_write
from app.studies.queries import get_current_version, list_studies

MOST_SITTINGS_LISTED = 200


def compose_study_list(db: Session, user: User) -> StudyListPage:
    """The studies this user may see."""
    studies = list_studies(db, user)
    totals = read_totals(db, studies)
    lines = [study_line(study, totals[study.id]) for study in studies]
    return StudyListPage(lines, signed_in_as=user.email)


def compose_study_page(db: Session, study: Study, user: User, settings: Settings) -> StudyPage:
    """The study as this user may see it."""
    now = read_study_now(db, study.id)
    facts = read_facts(db, study, user, settings)
    sittings = _sitting_lines(db, study, now, facts, settings)
    return StudyPage(
        study=study_view(now, facts),
        filmed_clips=[filmed_clip(clip, now.slug, facts.may_write) for clip in now.clips],
        sittings=sittings,
        sittings_note=_sittings_note(now, len(sittings)),
        signed_in_as=user.email,
    )


def compose_live_page(db: Session, study: Study, user: User) -> LivePage:
    """Agreement at this moment; events bring what changes."""
    now = read_study_now(db, study.id)
    return LivePage(
        slug=now.slug,
        title=now.title,
        scale=now.scale,
        live=live_view(now, summarise_now(now)),
        rated_clips=[rated_clip(clip) for clip in now.clips],
        signed_in_as=user.email,
    )


def read_facts(db: Session, study: Study, user: User, settings: Settings) -> StudyFacts:
    """What does not change while the study page is open."""
    version = get_current_version(db, study)
    return StudyFacts(
        may_write=may_write(user, study),
        public_link=f"{settings.base_url.rstrip('/')}/study/{study.slug}",
        version=version.number,
        document_hash=version.document_hash,
        owner=db.get_one(User, study.owner_id).email,
    )


def _sitting_lines(
    db: Session, study: Study, now: StudyNow, facts: StudyFacts, settings: Settings
) -> list[SittingLine]:
    """The newest first; a link lets its holder rate, so who may only look does not get it."""
    n_rated = count_ratings_by_sitting(db, study)
    address = f"{settings.base_url.rstrip('/')}/s/"
    return [
        sitting_line(
            sitting,
            n_rated[sitting.id],
            len(now.clips),
            link=address + sitting.token if facts.may_write else "",
        )
        for sitting in list_newest_sittings(db, study, MOST_SITTINGS_LISTED)
    ]


def _sittings_note(now: StudyNow, n_listed: int) -> str:
    if now.sittings.total == n_listed:
        return ""
    return f"The newest {n_listed:,} of {counted(now.sittings.total, 'sitting', 'sittings')}."
