"""create_app(settings): routers, static files, error pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy import text
from starlette.responses import Response
from starlette.types import Scope

from app.auth.attempts import SignInAttempts
from app.auth.routes import router as auth
from app.clips.api import router as scenes_api
from app.clips.routes import router as clips
from app.clips.turns import ReadingTurns
from app.clips.upload_routes import router as uploads
from app.config import ROOT, Settings
from app.dashboard.api import router as dashboard_api
from app.dashboard.events import Hub
from app.dashboard.routes import router as dashboard
from app.db import open_database
from app.exports.routes import router as exports
from app.guards import BodyLimit, CrossSiteCheck, FailureAnswer, SecurityHeaders
from app.jobs import JobQueue
from app.participants.routes import router as participants
from app.storage import Storage
from app.web import ReadDb, answer_errors, attach_database


class KeptStaticFiles(StaticFiles):
    """Static files whose address changes with their content, so browsers may keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Add how long."""
        answer = await super().get_response(path, scope)
        if b"v=" in scope["query_string"]:
            answer.headers["cache-control"] = "public, max-age=31536000, immutable"
        return answer


def create_app(settings: Settings | None = None) -> FastAPI:
    """The web application for a database that is already migrated."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await app.state.hub.close()
        app.state.database.close()

    app = FastAPI(
        title="Roadrater",
        docs_url=None,  # Swagger's page loads from other hosts; /api/docs is our own
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.settings = settings
    attach_database(app, open_database(settings.database))
    app.state.storage = Storage(settings.files_dir)
    app.state.jobs = JobQueue(app.state.database)
    app.state.hub = Hub(app.state.database, settings.live_interval_s)
    app.state.sign_in_attempts = SignInAttempts()
    app.state.reading_turns = ReadingTurns(settings.readings_at_once)
    app.add_middleware(CrossSiteCheck)
    uploading = dict.fromkeys(("/admin/uploads", "/api/v1/scenes"), settings.max_upload_bytes)
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes, larger=uploading)
    app.add_middleware(FailureAnswer)
    app.add_middleware(SecurityHeaders)  # added last, so it is passed first: every answer has them
    app.mount("/static", KeptStaticFiles(directory=ROOT / "static"), name="static")
    for router in (
        participants,
        clips,
        uploads,
        auth,
        dashboard,
        dashboard_api,
        scenes_api,
        exports,
    ):
        app.include_router(router)
    add_probes(app)
    answer_errors(app)
    return app


def add_probes(app: FastAPI) -> None:
    """What a load balancer asks, and where the bare address leads."""

    # Needs no thread and no database: it answers as long as the process does anything.
    @app.get("/healthz", include_in_schema=False)
    async def say_alive() -> dict[str, str]:
        return {"status": "alive"}

    @app.get("/readyz", include_in_schema=False)
    def say_ready(request: Request, db: ReadDb) -> JSONResponse:
        db.execute(text("SELECT count(*) FROM worker_beats"))
        request.app.state.storage.folder.mkdir(parents=True, exist_ok=True)
        return JSONResponse({"status": "ready"})

    @app.get("/", include_in_schema=False)
    def lead_to_the_desk() -> RedirectResponse:
        return RedirectResponse("/admin", status_code=303)
