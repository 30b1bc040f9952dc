"""What the researcher's pages and streams are given."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from app.dashboard.events import Hub
from app.jobs import JobQueue


def get_hub(request: Request) -> Hub:
    """This process's hub."""
    hub: Hub = request.app.state.hub
    return hub


def get_jobs(request: Request) -> JobQueue:
    """Where films are asked for."""
    jobs: JobQueue = request.app.state.jobs
    return jobs


LiveHub = Annotated[Hub, Depends(get_hub)]
Jobs = Annotated[JobQueue, Depends(get_jobs)]
