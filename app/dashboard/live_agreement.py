"""Agreement of a study: the same functions for the page, the API and the command line."""

from __future__ import annotations

from sqlalchemy.orm import Session

from app.agreement.summary import AgreementSummary, summarise, summarise_table
from app.dashboard.queries import read_rating_table
from app.dashboard.study_now import StudyNow
from app.studies.document import StudyDocument
from app.studies.models import Study


def summarise_now(now: StudyNow) -> AgreementSummary:
    """From the counts per clip, in less than a millisecond for any number of ratings."""
    return summarise(now.counts(), now.n_raters)


def summarise_study(db: Session, study: Study, document: StudyDocument) -> AgreementSummary:
    """From every rating, so that ICC, which needs the raters, is included."""
    return summarise_table(read_rating_table(db, study, document.scale))
