"""What may come in with the researcher's forms."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_LINKS = 500


class LinksForm(BaseModel):
    """How many personal links to make."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    n: Annotated[int, Field(ge=1, le=MOST_LINKS)]
