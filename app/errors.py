"""Errors that a person caused or can mend; each carries its HTTP status and one clear sentence."""

from __future__ import annotations

from typing import ClassVar


class AppError(Exception):
    """Something the caller should be told in one sentence."""

    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong"


class NotFound(AppError):
    """There is no such thing, or none that this person may know of."""

    status = 404
    title = "Not found"


class Refused(AppError):
    """The person is known (or needs to be), and may not do this."""

    status = 403
    title = "Not allowed"


class Conflict(AppError):
    """It was possible once, or will be, but not in the present state."""

    status = 409
    title = "Not possible right now"


class Invalid(AppError):
    """What was sent is not what was asked for; the sentence names what and where."""

    status = 422
    title = "That could not be read"
