"""Downloads."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from app.db import Database
from app.exports.responses import responses_csv
from app.studies.access import ApiReadableStudy
from app.studies.models import Study

router = APIRouter(prefix="/api/v1", tags=["downloads"])


@router.get(
    "/studies/{slug}/responses.csv",
    summary="Every rating, one per line",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {}}}},
)
def download_responses(request: Request, study: ApiReadableStudy) -> StreamingResponse:
    """CSV by participant and position, with the clip's condition, the answer and its times."""
    headers = {"content-disposition": f'attachment; filename="{study.slug}-responses.csv"'}
    return StreamingResponse(
        _read_while_sent(request.app.state.database, study),
        media_type="text/csv; charset=utf-8; header=present",
        headers=headers,
    )


def _read_while_sent(database: Database, study: Study) -> Iterator[str]:
    """The request's own session ends before the first byte leaves; this one lives as long."""
    with database.read.begin() as db:
        yield from responses_csv(db, study)
