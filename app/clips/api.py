"""What programs can ask about scenes that were brought in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, Response
from sqlalchemy.orm import Session

from app.auth.access import ApiUser
from app.clips.access import ApiUpload, ApiUploader, claim_upload, get_upload
from app.clips.answers import UploadAnswer, upload_answer
from app.clips.forms import CutForm, UploadForm, parse_form
from app.clips.queries import get_visible_scene, list_scenes, list_uploads
from app.clips.receiving import receive_cut, receive_uploads
from app.clips.uploads import remove_files, remove_upload
from app.errors import Invalid
from app.scenes.formats.canonical import decode_scene
from app.scenes.formats.canonical_csv import encode_csv
from app.web import Files, Now, ReadDb, look_up, write_down

router = APIRouter(prefix="/api/v1", tags=["scenes"])

SceneId = Annotated[
    str, Path(description="A scene's id, or the key of an upload for its newest scene.")
]
UploadKey = Annotated[str, Path(description="The key of an upload.")]


def cut_body() -> dict[str, Any]:
    """The description of a cut: parsed by us, so that what is wrong is told in our words."""
    schema = CutForm.model_json_schema()
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def upload_body() -> dict[str, Any]:
    """The description of a form that FastAPI does not see: it is read only for who may send it."""
    fields = UploadForm.model_json_schema()["properties"]
    files = {
        "type": "array",
        "items": {"type": "string", "format": "binary"},
        "description": "Tracks, maps and tables about them together; a zip; or finished films.",
    }
    schema = {"type": "object", "required": ["files"], "properties": {"files": files, **fields}}
    return {"required": True, "content": {"multipart/form-data": {"schema": schema}}}


@router.post(
    "/scenes",
    summary="Bring in files",
    status_code=201,
    openapi_extra={"requestBody": upload_body()},
)
async def bring_in(request: Request, user: ApiUploader, now: Now) -> list[UploadAnswer]:
    """Trajectory files and maps together are one upload, with the scene that is suggested or asked
    for; each film is an upload of its own. Files that cannot be read get a 422 with the reason."""
    uploads = await receive_uploads(request, user, now)

    def answer(db: Session) -> list[UploadAnswer]:
        return [upload_answer(upload, list_scenes(db, upload)) for upload in uploads]

    return await look_up(request, answer)


@router.get("/scenes", summary="What was brought in")
def list_upload_answers(db: ReadDb, user: ApiUser) -> list[UploadAnswer]:
    """Uploads of the token's user, the newest first, each with its report, suggestions and scenes;
    an admin sees those of all."""
    return [upload_answer(upload, list_scenes(db, upload)) for upload in list_uploads(db, user)]


@router.get(
    "/scenes/{scene}.json.gz",
    summary="A scene as a file",
    response_class=Response,
    responses={200: {"content": {"application/gzip": {}}}},
)
def download_scene(db: ReadDb, user: ApiUser, scene: SceneId, store: Files) -> FileResponse:
    """The canonical file: JSON in gzip, read and written without loss."""
    record = get_visible_scene(db, user, scene)
    path, name = store.path(record.file_key), f"scene-{record.content_hash[:16]}.json.gz"
    return FileResponse(path, media_type="application/gzip", filename=name)


@router.get(
    "/scenes/{scene}.csv",
    summary="A scene as a table",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}}},
)
def download_table(db: ReadDb, user: ApiUser, scene: SceneId, store: Files) -> Response:
    """The same without loss as CSV, for programs that read tables."""
    record = get_visible_scene(db, user, scene)
    name = f"scene-{record.content_hash[:16]}.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    table = encode_csv(decode_scene(store.get(record.file_key)))
    return Response(table, media_type="text/csv; charset=utf-8", headers=headers)


@router.post(
    "/scenes/{key}/cuts",
    summary="Cut another scene",
    status_code=201,
    openapi_extra={"requestBody": cut_body()},
)
async def cut_scene(request: Request, key: UploadKey, user: ApiUploader, now: Now) -> UploadAnswer:
    """Another scene of kept files; what is left out is suggested. It is the first of the scenes."""
    form = parse_form(CutForm, await _json_object(request))
    await receive_cut(request, user, key, form, now)

    def answer(db: Session) -> UploadAnswer:
        upload = get_upload(db, user, key)
        return upload_answer(upload, list_scenes(db, upload))

    return await look_up(request, answer)


@router.delete("/scenes/{key}", summary="Remove an upload", status_code=204)
async def remove(request: Request, key: UploadKey, user: ApiUploader, store: Files) -> None:
    """Its files and all that was cut from them go for good; a 409 if a study shows any of it."""
    gone = await write_down(request, lambda db: remove_upload(db, claim_upload(db, user, key)))
    # Only after the commit: a removal that was rolled back must find its files.
    await write_down(request, lambda db: remove_files(db, store, key, gone))


@router.get("/scenes/{key}", summary="One upload")
def read_upload(db: ReadDb, upload: ApiUpload) -> UploadAnswer:
    """Its files, report, suggestions and scenes."""
    return upload_answer(upload, list_scenes(db, upload))


async def _json_object(request: Request) -> dict[str, Any]:
    try:
        document = await request.json()
    except ValueError as error:
        raise Invalid("The body is not JSON.") from error
    if not isinstance(document, dict):
        raise Invalid("The body is not a JSON object.")
    return document
