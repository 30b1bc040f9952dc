"""How a request gets its database, how a page becomes HTML, how an error becomes an answer."""

from __future__ import annotations

import hashlib
import re
from asyncio import Semaphore
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any, ClassVar, TypeVar

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from app.config import ROOT, Settings
from app.db import Database
from app.errors import AppError
from app.storage import Storage

T = TypeVar("T")

DESK_PATH = re.compile(r"/(admin|statistics)(/|$)")


def attach_database(app: FastAPI, database: Database) -> None:
    """Give the routes their database, and no more requests at a time than it has connections."""
    app.state.database = database
    app.state.read_turns = Semaphore(database.readers)
    app.state.write_turns = Semaphore(database.writers)


async def wait_for_read_turn(request: Request) -> AsyncIterator[None]:
    """Waiting here costs no thread. Waiting for a connection would: a few dozen requests would
    fill the thread pool, and the one that has the connection could not go on."""
    async with request.app.state.read_turns:
        yield


ReadTurn = Annotated[None, Depends(wait_for_read_turn, scope="function")]


async def wait_for_write_turn(request: Request, _turn: ReadTurn) -> AsyncIterator[None]:
    """After the turn to read, always: two who waited for each other's would wait for ever."""
    async with request.app.state.write_turns:
        yield


WriteTurn = Annotated[None, Depends(wait_for_write_turn, scope="function")]


def open_db(request: Request, _turn: WriteTurn) -> Iterator[Session]:
    """A session that is committed when the route has returned, or rolled back if it raised."""
    database: Database = request.app.state.database
    with database.write.begin() as db:
        yield db


def open_read_db(request: Request, _turn: ReadTurn) -> Iterator[Session]:
    """A session that can only read."""
    database: Database = request.app.state.database
    with database.read.begin() as db:
        yield db


# "function": commit before the answer leaves; FastAPI's default commits after it.
Db = Annotated[Session, Depends(open_db, scope="function")]
ReadDb = Annotated[Session, Depends(open_read_db, scope="function")]


async def look_up(request: Request, look: Callable[[Session], T]) -> T:
    """A short look into the database by a route that must hold no session while it waits."""
    async with request.app.state.read_turns:
        return await run_in_threadpool(_in_one_transaction, request.app.state.database.read, look)


async def write_down(request: Request, act: Callable[[Session], T]) -> T:
    """A short transaction of such a route; committed when this returns."""
    async with request.app.state.read_turns, request.app.state.write_turns:
        return await run_in_threadpool(_in_one_transaction, request.app.state.database.write, act)


def _in_one_transaction(door: sessionmaker[Session], act: Callable[[Session], T]) -> T:
    with door.begin() as db:
        return act(db)


def get_database(request: Request) -> Database:
    """Both doors, for who must not hold a session while doing something slow."""
    database: Database = request.app.state.database
    return database


def get_settings(request: Request) -> Settings:
    """The settings that the application was made with."""
    settings: Settings = request.app.state.settings
    return settings


def get_storage(request: Request) -> Storage:
    """Where the clips are."""
    storage: Storage = request.app.state.storage
    return storage


def get_now() -> datetime:
    """The present moment; tests put another function in its place."""
    return datetime.now(UTC)


CurrentDatabase = Annotated[Database, Depends(get_database)]
CurrentSettings = Annotated[Settings, Depends(get_settings)]
Files = Annotated[Storage, Depends(get_storage)]
Now = Annotated[datetime, Depends(get_now)]


@dataclass(frozen=True)
class Page:
    """What a template is given: exactly the names that it mentions."""

    template: ClassVar[str]


@dataclass(frozen=True)
class ErrorPage(Page):
    """An error told to a person."""

    template: ClassVar[str] = "errors/error.html"
    title: str
    message: str


@dataclass(frozen=True)
class DeskErrorPage(Page):
    """An error told to a researcher, with a way back."""

    template: ClassVar[str] = "errors/desk_error.html"
    title: str
    message: str
    signed_in_as: str = ""  # an error may be that nobody could be asked


def render(page: Page, status_code: int = 200) -> HTMLResponse:
    """The page as HTML."""
    values = {field.name: getattr(page, field.name) for field in fields(page)}
    html = templates().get_template(page.template).render(values)
    return HTMLResponse(html, status_code=status_code)


@cache
def templates() -> Environment:
    """The template engine; a name that a page does not give is an error, not an empty string."""
    engine = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    engine.globals["static"] = static_url
    return engine


@cache
def static_url(path: str) -> str:
    """Address of a static file; it changes with the content, so it may be kept for ever."""
    digest = hashlib.sha256((ROOT / "static" / path).read_bytes()).hexdigest()
    return f"/static/{path}?v={digest[:12]}"


def answer_errors(app: FastAPI) -> None:
    """Every error of a caller becomes one clear sentence, as a page or as JSON."""

    @app.exception_handler(AppError)
    def app_error(request: Request, error: AppError) -> Response:
        return error_answer(request, error.status, error.title, str(error))

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        title = HTTPStatus(error.status_code).phrase
        sentence = "There is no page here." if error.status_code == 404 else str(error.detail)
        return error_answer(request, error.status_code, title, sentence, error.headers)

    @app.exception_handler(RequestValidationError)
    def validation_error(request: Request, error: RequestValidationError) -> Response:
        sentence = "; ".join(_where_and_what(part) for part in error.errors())
        return error_answer(request, 422, "That could not be read", sentence)

    @app.exception_handler(IntegrityError)
    def lost_race(request: Request, _error: IntegrityError) -> Response:
        sentence = "Somebody was faster: this has just been done. Please load the page again."
        return error_answer(request, 409, "Already done", sentence)


def error_answer(
    request: Request,
    status: int,
    title: str,
    sentence: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The error as JSON for programs and as a page for people."""
    if request.url.path.startswith("/api/"):
        content = {"error": {"status": status, "title": title, "message": sentence}}
        answer: Response = JSONResponse(content, status_code=status)
    else:
        page = DeskErrorPage if DESK_PATH.match(request.url.path) else ErrorPage
        answer = render(page(title, sentence), status)
    answer.headers.update(headers or {})
    return answer


def _where_and_what(part: Mapping[str, Any]) -> str:
    where = ".".join(str(name) for name in part["loc"][1:]) or part["loc"][0]
    return f"{where}: {part['msg']}"
