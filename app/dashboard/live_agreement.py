"""Agreement of a study or of a table: the same functions for the page, the API and commands."""

from __future__ import annotations

import io

from sqlalchemy.orm import Session

from app.agreement.ratings import RatingsFormatError, RatingTable, read_ratings_csv
from app.agreement.summary import AgreementSummary, summarise, summarise_table
from app.dashboard.queries import read_rating_table
from app.dashboard.study_now import StudyNow
from app.errors import Invalid
from app.studies.document import StudyDocument
from app.studies.models import Study

# ICC solves for raters and clips at once; a thousand of each took 1.7 s on two busy cores.
MOST_PAIRS = 1_000_000


def summarise_now(now: StudyNow) -> AgreementSummary:
    """From the counts per clip, in less than a millisecond for any number of ratings."""
    return summarise(now.counts(), now.n_raters)


def summarise_study(db: Session, study: Study, document: StudyDocument) -> AgreementSummary:
    """From every rating, so that ICC, which needs the raters, is included."""
    return summarise_table(read_rating_table(db, study, document.scale))


def summarise_csv(content: bytes, categories: int) -> AgreementSummary:
    """From somebody's own table of clip, rater and rating."""
    table = _read(content, categories)
    n_pairs = len(table.clips) * len(table.raters)
    if n_pairs > MOST_PAIRS:
        raise Invalid(
            f"{len(table.clips):,} clips and {len(table.raters):,} raters are {n_pairs:,} pairs; "
            f"at most {MOST_PAIRS:,} are computed here, any number by: roadrater agree FILE"
        )
    return summarise_table(table)


def _read(content: bytes, categories: int) -> RatingTable:
    try:
        return read_ratings_csv(io.StringIO(content.decode("utf-8-sig"), newline=""), categories)
    except UnicodeDecodeError:
        raise Invalid("The table is not text in UTF-8.") from None
    except RatingsFormatError as error:
        raise Invalid(f"The table could not be read: {error}.") from error
