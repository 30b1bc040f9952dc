"""What programs can ask about studies."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query
from fastapi.responses import JSONResponse, Response

from app.agreement.counts import FEWEST_CATEGORIES, MOST_CATEGORIES
from app.auth.access import ApiUser, get_api_reader
from app.dashboard.access import LiveHub
from app.dashboard.answers import (
    Agreement,
    StudyAnswer,
    StudySummary,
    agreement_answer,
    study_answer,
    study_summary,
)
from app.dashboard.live_agreement import summarise_csv, summarise_study
from app.dashboard.queries import read_study_now, read_totals
from app.dashboard.streams import send_events, write_json
from app.studies.access import ApiReadableStudy
from app.studies.queries import document_of, get_current_version, list_studies
from app.studies.schema import study_schema
from app.web import ReadDb


class SchemaResponse(JSONResponse):
    """JSON that describes JSON."""

    media_type = "application/schema+json"


router = APIRouter(prefix="/api/v1", tags=["studies"])


@router.get("/studies", summary="Studies that the token's user may see")
def list_study_summaries(db: ReadDb, user: ApiUser) -> list[StudySummary]:
    """The newest first."""
    studies = list_studies(db, user)
    totals = read_totals(db, studies)
    return [study_summary(study, totals[study.id]) for study in studies]


@router.get("/studies/{slug}", summary="One study with its clips")
def read_study(db: ReadDb, study: ApiReadableStudy) -> StudyAnswer:
    """State, version, clips with the state of their films and how they were rated."""
    version = get_current_version(db, study)
    return study_answer(study, version, read_study_now(db, study.id))


@router.get("/studies/{slug}/agreement", summary="How far the raters agree")
def read_agreement(db: ReadDb, study: ApiReadableStudy) -> Agreement:
    """Both kappas and the other statistics, in full precision, as roadrater agree prints them."""
    document = document_of(get_current_version(db, study))
    return agreement_answer(summarise_study(db, study, document))


@router.post(
    "/agreement",
    summary="How far the raters of your own table agree",
    dependencies=[Depends(get_api_reader)],
)
def compute_agreement(
    categories: Annotated[
        int,
        Query(
            ge=FEWEST_CATEGORIES,
            le=MOST_CATEGORIES,
            description="Options on the rating scale; 5 unless told.",
        ),
    ] = 5,
    table: Annotated[bytes, Body(media_type="text/csv")] = b"",
) -> Agreement:
    """CSV with the columns clip, rater and rating; nothing is stored, so a read token is enough."""
    return agreement_answer(summarise_csv(table, categories))


@router.get(
    "/studies/{slug}/events",
    summary="Changes while they happen",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}}},
)
def stream_study(study: ApiReadableStudy, hub: LiveHub) -> Response:
    """Server-sent events named study: the state now, then after every change, as JSON."""
    return send_events(hub.listen(study.id), "study", write_json)


@router.get(
    "/study.schema.json",
    summary="JSON Schema of the study document",
    response_class=SchemaResponse,
)
def read_study_schema() -> SchemaResponse:
    """For editors that complete and check YAML; needs no token."""
    return SchemaResponse(study_schema())
