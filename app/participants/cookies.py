"""The browser remembers its sitting, for the start page of that study and for nothing else."""

from __future__ import annotations

from fastapi.responses import Response

from app.config import Settings
from app.participants.models import Sitting

NAME = "sitting"
KEPT_S = 90 * 24 * 3600


def remember_sitting(answer: Response, settings: Settings, sitting: Sitting) -> None:
    """Let the start page offer to go on."""
    answer.set_cookie(
        NAME,
        sitting.token,
        max_age=KEPT_S,
        path=_path(sitting),
        secure=settings.secure_cookies,
        httponly=True,
        samesite="lax",
    )


def forget_sitting(answer: Response, settings: Settings, sitting: Sitting) -> None:
    """Leave nothing behind in the browser of a person who declined."""
    answer.delete_cookie(
        NAME, path=_path(sitting), secure=settings.secure_cookies, httponly=True, samesite="lax"
    )


def _path(sitting: Sitting) -> str:
    return f"/study/{sitting.study.slug}"
