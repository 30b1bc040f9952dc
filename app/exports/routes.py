"""Downloads."""

from __future__ import annotations

from collections.abc import Mapping
from tempfile import SpooledTemporaryFile

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from sqlalchemy.orm import Session
from starlette.types import Receive, Scope, Send

from app.exports.responses import responses_csv
from app.studies.access import ApiReadableStudy
from app.studies.models import Study
from app.web import ReadDb

PIECE_BYTES = 64_000
LARGEST_IN_MEMORY_BYTES = 1_000_000

router = APIRouter(prefix="/api/v1", tags=["downloads"])


class SpooledResponse(StreamingResponse):
    """Sends a temporary file and closes it, also when the reader goes away."""

    def __init__(
        self, file: SpooledTemporaryFile[bytes], *, media_type: str, headers: Mapping[str, str]
    ) -> None:
        super().__init__(iter(lambda: file.read(PIECE_BYTES), b""), 200, headers, media_type)
        self.file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Whatever happens while sending, the file does not stay open."""
        with self.file:
            await super().__call__(scope, receive, send)


@router.get(
    "/studies/{slug}/responses.csv",
    summary="Every rating, one per line",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {}}}},
)
def download_responses(db: ReadDb, study: ApiReadableStudy) -> StreamingResponse:
    """CSV by participant and position, with the clip's condition, the answer and its times."""
    headers = {"content-disposition": f'attachment; filename="{study.slug}-responses.csv"'}
    media_type = "text/csv; charset=utf-8; header=present"
    return SpooledResponse(write_responses(db, study), media_type=media_type, headers=headers)


def write_responses(db: Session, study: Study) -> SpooledTemporaryFile[bytes]:
    """A nameless file with the whole table, at its beginning.

    Written before the first byte leaves: it is one picture of the study, and a reader who
    stalls holds a file, not a database connection, of which there are few.
    """
    file = SpooledTemporaryFile(LARGEST_IN_MEMORY_BYTES)  # noqa: SIM115  # closed when sent
    for piece in responses_csv(db, study):
        file.write(piece.encode())
    file.seek(0)
    return file
