"""What may come in with a sign-in form."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.auth.passwords import MOST_CHARACTERS


class SignInForm(BaseModel):
    """Who somebody says they are; a form too long to be true is refused unread."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    email: Annotated[str, Field(max_length=254)] = ""
    password: Annotated[str, Field(max_length=MOST_CHARACTERS)] = ""
    next: Annotated[str, Field(max_length=2000)] = "/admin"
