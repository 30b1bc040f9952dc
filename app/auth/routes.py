"""Sign in, by password or link, and sign out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from app.auth.access import HOME, VisitingUser, same_site_path
from app.auth.attempts import SignInAttempts, TooManyAttempts
from app.auth.cookies import clear_session_cookie, read_session_cookie, set_session_cookie
from app.auth.forms import SignInForm
from app.auth.models import User
from app.auth.pages import LoginPage, UseLinkPage
from app.auth.queries import find_usable_link
from app.auth.signing_in import (
    LINK_NOT_USABLE,
    LinkNotUsable,
    WrongSignIn,
    end_session,
    sign_in,
    start_session,
    use_sign_in_link,
)
from app.web import CurrentDatabase, CurrentSettings, Db, Now, ReadDb, render

router = APIRouter(prefix="/admin", include_in_schema=False)


def get_attempts(request: Request) -> SignInAttempts:
    """This process's count of attempts."""
    attempts: SignInAttempts = request.app.state.sign_in_attempts
    return attempts


@router.get("/login")
def show_login(user: VisitingUser, next: str = HOME) -> Response:  # noqa: A002  # the address's word
    """The sign-in form; who is signed in already goes on."""
    if user is not None:
        return RedirectResponse(same_site_path(next), status_code=303)
    return render(LoginPage(email="", next_path=same_site_path(next), problem=""))


@router.post("/login")
def submit_login(
    request: Request,
    form: Annotated[SignInForm, Form()],
    database: CurrentDatabase,
    db: Db,
    settings: CurrentSettings,
    now: Now,
    attempts: Annotated[SignInAttempts, Depends(get_attempts)],
) -> Response:
    """Check the password and start a session, or say what was wrong."""
    next_path = same_site_path(form.next)
    try:
        attempts.take(form.email, request.client.host if request.client else "", now)
        user = sign_in(database, form.email, form.password)
    except (WrongSignIn, TooManyAttempts) as error:
        answer = render(LoginPage(form.email, next_path, str(error)), error.status)
        if isinstance(error, TooManyAttempts):
            answer.headers["Retry-After"] = str(error.wait_s)
        return answer
    attempts.succeed(form.email)
    token = start_session(db, user, now, settings.session_hours)
    return _signed_in(settings, token, next_path)


@router.get("/sign-in/{token}")
def show_sign_in_link(token: str, db: ReadDb, now: Now) -> Response:
    """A page with one button; looking at it uses nothing up."""
    if find_usable_link(db, token, now) is None:
        raise LinkNotUsable(LINK_NOT_USABLE)
    return render(UseLinkPage(action=f"/admin/sign-in/{token}"))


@router.post("/sign-in/{token}")
def submit_sign_in_link(token: str, db: Db, settings: CurrentSettings, now: Now) -> Response:
    """Use the link, once."""
    user: User = use_sign_in_link(db, token, now)
    return _signed_in(settings, start_session(db, user, now, settings.session_hours), HOME)


@router.post("/sign-out")
def submit_sign_out(request: Request, db: Db, settings: CurrentSettings) -> Response:
    """Forget this browser."""
    if cookie := read_session_cookie(request, settings):
        end_session(db, cookie)
    answer = RedirectResponse("/admin/login", status_code=303)
    clear_session_cookie(answer, settings)
    return answer


def _signed_in(settings: CurrentSettings, token: str, next_path: str) -> Response:
    answer = RedirectResponse(next_path, status_code=303)
    set_session_cookie(answer, settings, token)
    return answer
