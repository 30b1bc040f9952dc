"""The videos' addresses: opaque, immutable, with range requests."""

from __future__ import annotations

import re

from fastapi import APIRouter
from fastapi.responses import FileResponse

from app.clips.models import video_key
from app.errors import NotFound
from app.web import Files

router = APIRouter()

CONTENT_KEY = re.compile(r"[0-9a-f]{64}")


# FastAPI's get() answers HEAD with 405, but players and link checkers ask it.
@router.api_route(
    "/clips/{content_key}.mp4",
    methods=["GET", "HEAD"],
    response_class=FileResponse,
    include_in_schema=False,
)
def send_clip(content_key: str, store: Files) -> FileResponse:
    """A whole file or none: the storage shows a file only when it is complete."""
    key = video_key(content_key)
    if not CONTENT_KEY.fullmatch(content_key) or not store.exists(key):
        raise NotFound("There is no such clip.")
    headers = {
        "cache-control": "public, max-age=31536000, immutable",
        # Not the file's own times: films made one after the other would tell their order.
        "etag": f'"{content_key}"',
        "last-modified": "Thu, 01 Jan 1970 00:00:00 GMT",
    }
    return FileResponse(store.path(key), media_type="video/mp4", headers=headers)
