"""The researcher's pages of uploads, and the buttons on them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from sqlalchemy.orm import Session

from app.auth.access import CurrentUser
from app.clips.access import PageUpload, Uploader, claim_upload, get_upload
from app.clips.composing import Attempt, compose_upload_list, compose_upload_page
from app.clips.forms import CutForm, parse_form
from app.clips.pages import FootagePage, UploadPage
from app.clips.queries import get_footage
from app.clips.receiving import BrokenOff, receive_cut, receive_uploads, text_fields
from app.clips.uploads import remove_files, remove_upload, short_hash, still_key
from app.errors import Invalid, NotFound
from app.web import CurrentSettings, Files, Now, ReadDb, look_up, render, write_down

router = APIRouter(prefix="/admin", include_in_schema=False)

ContentHash = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]


@router.get("/scenes")
def show_uploads(db: ReadDb, user: CurrentUser, settings: CurrentSettings) -> HTMLResponse:
    """Where files are brought in, and what was brought in so far."""
    return render(compose_upload_list(db, user, settings))


@router.post("/uploads")
async def submit_upload(
    request: Request, user: Uploader, settings: CurrentSettings, now: Now
) -> Response:
    """Take files; one upload is shown, of several films the list; what is refused, with why."""
    try:
        uploads = await receive_uploads(request, user, now)
    except BrokenOff:
        raise
    except Invalid as error:
        refused = Attempt(await text_fields(request), str(error))
        page = await look_up(request, lambda db: compose_upload_list(db, user, settings, refused))
        return render(page, error.status)
    where = f"/admin/uploads/{uploads[0].key}" if len(uploads) == 1 else "/admin/scenes"
    return RedirectResponse(where, status_code=303)


@router.get("/uploads/{key}")
def show_upload(
    db: ReadDb, upload: PageUpload, user: CurrentUser, store: Files, scene: str = ""
) -> HTMLResponse:
    """What was found in the files, and the scenes cut from them."""
    return render(compose_upload_page(db, store, upload, user, scene))


@router.post("/uploads/{key}/scenes")
async def submit_cut(
    request: Request, key: str, user: Uploader, store: Files, now: Now
) -> Response:
    """Cut another scene from the kept files; what cannot be cut is shown again with the reason."""
    fields = await text_fields(request)
    shown = fields.pop("shown", "")
    try:
        scene = await receive_cut(request, user, key, parse_form(CutForm, fields), now)
    except Invalid as error:
        refused = Attempt(fields, str(error))

        def compose(db: Session) -> UploadPage | FootagePage:
            upload = get_upload(db, user, key)
            return compose_upload_page(db, store, upload, user, shown, refused)

        page = await look_up(request, compose)
        if isinstance(page, FootagePage):
            raise  # it has no such form
        return render(page, error.status)
    where = f"/admin/uploads/{key}?scene={short_hash(scene)}#scene"
    return RedirectResponse(where, status_code=303)


@router.post("/uploads/{key}/remove")
async def submit_removal(
    request: Request, key: str, user: Uploader, store: Files
) -> RedirectResponse:
    """Let go of the files and of what nobody else needs."""
    gone = await write_down(request, lambda db: remove_upload(db, claim_upload(db, user, key)))
    # Only after the commit: a removal that was rolled back must find its files.
    await write_down(request, lambda db: remove_files(db, store, key, gone))
    return RedirectResponse("/admin/scenes", status_code=303)


@router.get("/uploads/{key}/{content_hash}.png")
def send_still(upload: PageUpload, content_hash: ContentHash, store: Files) -> FileResponse:
    """A picture of a scene, as raters see it."""
    path = store.path(still_key(upload.key, content_hash))
    if not path.is_file():
        raise NotFound("There is no such picture.")
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return FileResponse(path, media_type="image/png", headers=headers)


@router.get("/uploads/{key}/film")
def send_film(db: ReadDb, upload: PageUpload, store: Files) -> Response:
    """A finished film as it came."""
    path = store.path(get_footage(db, upload).file_key)
    return FileResponse(path, media_type="video/mp4")
