"""The researcher's pages, and the buttons on them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.agreement.explanations import EXPLANATIONS, find_explanation
from app.auth.access import CurrentUser, VisitingUser
from app.clips.render_request import film_first, retry_clip
from app.dashboard.access import Jobs, LiveHub
from app.dashboard.api_reference import list_endpoints
from app.dashboard.composing import (
    compose_live_page,
    compose_study_list,
    compose_study_page,
    read_facts,
)
from app.dashboard.forms import LinksForm
from app.dashboard.pages import ApiReferencePage, StatisticPage, StatisticsPage
from app.dashboard.queries import get_clip_of_study
from app.dashboard.streams import LivePartsWriter, StudyPartsWriter, send_events
from app.errors import NotFound
from app.participants.enrolment import create_links
from app.studies.access import ReadableStudy, WritableStudy
from app.studies.filming import film_the_rest, stop_filming
from app.studies.lifecycle import close_study, open_study
from app.studies.models import Study
from app.studies.queries import get_current_version
from app.web import CurrentSettings, Db, Now, ReadDb, render

router = APIRouter(include_in_schema=False)

RowId = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("/admin")
def show_studies(db: ReadDb, user: CurrentUser) -> HTMLResponse:
    """Every study this person may see."""
    return render(compose_study_list(db, user))


@router.get("/admin/studies/{slug}")
def show_study(
    db: ReadDb, study: ReadableStudy, user: CurrentUser, settings: CurrentSettings
) -> HTMLResponse:
    """One study."""
    return render(compose_study_page(db, study, user, settings))


@router.get("/admin/studies/{slug}/live")
def show_live(db: ReadDb, study: ReadableStudy, user: CurrentUser) -> HTMLResponse:
    """Agreement while the ratings come in."""
    return render(compose_live_page(db, study, user))


@router.get("/admin/studies/{slug}/events")
def send_study_parts(
    db: ReadDb, study: ReadableStudy, user: CurrentUser, settings: CurrentSettings, hub: LiveHub
) -> Response:
    """What changes on the study page."""
    facts = read_facts(db, study, user, settings)
    return send_events(hub.listen(study.id), "parts", StudyPartsWriter(facts))


@router.get("/admin/studies/{slug}/live/events")
def send_live_parts(study: ReadableStudy, hub: LiveHub) -> Response:
    """What changes on the live page."""
    return send_events(hub.listen(study.id), "parts", LivePartsWriter())


@router.get("/admin/studies/{slug}/document.yaml")
def send_document(db: ReadDb, study: ReadableStudy) -> Response:
    """The newest version of the study document, as it was written."""
    version = get_current_version(db, study)
    name = f"{study.slug}-v{version.number}.yaml"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(version.yaml, media_type="application/yaml", headers=headers)


@router.post("/admin/studies/{slug}/open")
def submit_open(db: Db, study: WritableStudy, now: Now) -> RedirectResponse:
    """Let people take part."""
    open_study(db, study, now)
    return _back_to(study)


@router.post("/admin/studies/{slug}/close")
def submit_close(db: Db, study: WritableStudy, now: Now) -> RedirectResponse:
    """Take no more answers."""
    close_study(db, study, now)
    return _back_to(study)


@router.post("/admin/studies/{slug}/links")
def submit_links(
    db: Db, study: WritableStudy, form: Annotated[LinksForm, Form()], now: Now
) -> RedirectResponse:
    """Make personal links."""
    create_links(db, study, get_current_version(db, study), form.n, now)
    return _back_to(study, "people")


@router.post("/admin/studies/{slug}/clips/{study_clip_id}/retry")
def submit_retry(
    db: Db, study: WritableStudy, study_clip_id: RowId, jobs: Jobs
) -> RedirectResponse:
    """Film a failed clip again."""
    retry_clip(db, jobs, get_clip_of_study(db, study, study_clip_id))
    return _back_to(study, "clips")


@router.post("/admin/studies/{slug}/clips/{study_clip_id}/first")
def submit_film_first(
    db: Db, study: WritableStudy, study_clip_id: RowId, jobs: Jobs
) -> RedirectResponse:
    """Film a clip before all that wait, to look at it."""
    film_first(db, jobs, get_clip_of_study(db, study, study_clip_id))
    return _back_to(study, "clips")


@router.post("/admin/studies/{slug}/filming/stop")
def submit_stop_filming(db: Db, study: WritableStudy, jobs: Jobs) -> RedirectResponse:
    """Do not film what is left of a draft."""
    stop_filming(db, jobs, study)
    return _back_to(study)


@router.post("/admin/studies/{slug}/filming/rest")
def submit_film_the_rest(db: Db, study: WritableStudy, jobs: Jobs) -> RedirectResponse:
    """Film what was stopped."""
    film_the_rest(db, jobs, study)
    return _back_to(study)


@router.get("/api/docs")
def show_api_reference(
    request: Request, user: VisitingUser, settings: CurrentSettings
) -> HTMLResponse:
    """What programs can ask; open to all, because it tells nothing about any study."""
    endpoints = list_endpoints(request.app.openapi(), settings.base_url)
    return render(ApiReferencePage(endpoints, signed_in_as=user.email if user else ""))


@router.get("/statistics")
def show_statistics(user: VisitingUser) -> HTMLResponse:
    """What the numbers mean; open to all, like the reference."""
    return render(StatisticsPage(EXPLANATIONS, signed_in_as=user.email if user else ""))


@router.get("/statistics/{name}")
def show_statistic(name: str, user: VisitingUser) -> HTMLResponse:
    """One statistic: what it means, what it does not, formula and source."""
    explanation = find_explanation(name)
    if explanation is None:
        raise NotFound(f"No statistic is called {name!r} here.")
    return render(StatisticPage(explanation, signed_in_as=user.email if user else ""))


def _back_to(study: Study, part: str = "") -> RedirectResponse:
    place = f"#{part}" if part else ""
    return RedirectResponse(f"/admin/studies/{study.slug}{place}", status_code=303)
