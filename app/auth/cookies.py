"""The cookie that keeps a researcher signed in."""

from __future__ import annotations

from fastapi import Request, Response

from app.config import Settings


def read_session_cookie(request: Request, settings: Settings) -> str | None:
    """The secret in the request's cookie."""
    return request.cookies.get(cookie_name(settings))


def set_session_cookie(response: Response, settings: Settings, token: str) -> None:
    """Give the browser its secret: no script reads it, no other site's form sends it."""
    response.set_cookie(
        cookie_name(settings),
        token,
        max_age=int(settings.session_hours * 3600),
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


def clear_session_cookie(response: Response, settings: Settings) -> None:
    """Take the secret away."""
    response.delete_cookie(
        cookie_name(settings),
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


def cookie_name(settings: Settings) -> str:
    """With __Host- no other host can set it; browsers allow that over HTTPS only."""
    return "__Host-roadrater" if settings.secure_cookies else "roadrater"
