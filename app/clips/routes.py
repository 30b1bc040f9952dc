"""The addresses of videos and their thumbnails: opaque, immutable, with range requests."""

from __future__ import annotations

import re
from collections.abc import Callable

from fastapi import APIRouter
from fastapi.responses import FileResponse

from app.clips.models import still_key, thumbnail_key, video_key
from app.errors import NotFound
from app.storage import Storage
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
    """The video."""
    return _send(store, content_key, video_key, "video/mp4")


@router.api_route(
    "/clips/{content_key}.webp",
    methods=["GET", "HEAD"],
    response_class=FileResponse,
    include_in_schema=False,
)
def send_thumbnail(content_key: str, store: Files) -> FileResponse:
    """A small moving picture; films made before there were thumbnails have none."""
    return _send(store, content_key, thumbnail_key, "image/webp")


@router.api_route(
    "/clips/{content_key}.png",
    methods=["GET", "HEAD"],
    response_class=FileResponse,
    include_in_schema=False,
)
def send_still(content_key: str, store: Files) -> FileResponse:
    """The thumbnail for who wants no motion."""
    return _send(store, content_key, still_key, "image/png")


def _send(
    store: Storage, content_key: str, key_of: Callable[[str], str], media_type: str
) -> FileResponse:
    """A whole file or none: the storage shows a file only when it is complete."""
    # The name is checked first: the storage refuses others with an error of ours.
    if not CONTENT_KEY.fullmatch(content_key) or not store.exists(key_of(content_key)):
        raise NotFound("There is no such clip.")
    headers = {
        "cache-control": "public, max-age=31536000, immutable",
        # Not the file's own times: films made one after the other would tell their order.
        "etag": f'"{content_key}"',
        "last-modified": "Thu, 01 Jan 1970 00:00:00 GMT",
    }
    return FileResponse(store.path(key_of(content_key)), media_type=media_type, headers=headers)
