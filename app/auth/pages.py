"""What the sign-in pages show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.web import Page


@dataclass(frozen=True)
class LoginPage(Page):
    """Address and password."""

    template: ClassVar[str] = "auth/login.html"
    email: str
    next_path: str
    problem: str  # empty, or why the last attempt failed
    signed_in_as: str = ""


@dataclass(frozen=True)
class UseLinkPage(Page):
    """One button, because mail programs open links to preview them and must not use them up."""

    template: ClassVar[str] = "auth/use_link.html"
    action: str
    signed_in_as: str = ""
