"""A participant's addresses: a public start page, and one link that always shows the next step."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import RedirectResponse, Response
from sqlalchemy.orm import Session

from app.errors import AppError, Conflict, Invalid
from app.participants.access import (
    ChangingSitting,
    CurrentSitting,
    SittingCookie,
    find_known_sitting,
)
from app.participants.consent import agree, decline
from app.participants.cookies import forget_sitting, remember_sitting
from app.participants.enrolment import StudyNotOpen, enrol, start_sitting
from app.participants.forms import ConsentForm, RatingForm, StartForm
from app.participants.models import Sitting
from app.participants.presentation import not_open_page, page_of, resume_page, start_page
from app.participants.progress import Waiting, next_step
from app.participants.rating import record_rating
from app.studies.models import Study, StudyState
from app.studies.queries import document_of, get_current_version, get_study
from app.web import CurrentSettings, Db, Now, ReadDb, render

router = APIRouter(include_in_schema=False)


@router.get("/study/{slug}")
def show_start(slug: str, db: ReadDb, cookie: SittingCookie = "") -> Response:
    """The public start page; it offers to go on where this browser has been before."""
    study = get_study(db, slug)
    document, start_url = document_of(get_current_version(db, study)), f"/study/{slug}/start"
    if sitting := find_known_sitting(db, study, cookie):
        return render(resume_page(document, sitting, start_url))
    if study.state != StudyState.open:
        return render(not_open_page(document, study.state), _not_open_status(study))
    return render(start_page(document, start_url))


@router.post("/study/{slug}/start")
def start_study(
    slug: str,
    form: Annotated[StartForm, Form()],
    db: Db,
    settings: CurrentSettings,
    now: Now,
    cookie: SittingCookie = "",
) -> Response:
    """Enrol this browser, unless it is already."""
    study = get_study(db, slug)
    version = get_current_version(db, study)
    known = None if form.another else find_known_sitting(db, study, cookie)
    try:
        sitting = known or enrol(db, study, version, now, form.key)
    except StudyNotOpen as problem:
        return render(not_open_page(document_of(version), study.state), problem.status)
    return _go_on(sitting, settings)


@router.get("/study/{slug}/start")
def return_to_start(slug: str) -> Response:
    """Somebody loaded the address of the form."""
    return RedirectResponse(f"/study/{slug}", status_code=303)


@router.get("/s/{token}")
def show_step(sitting: CurrentSitting, db: ReadDb) -> Response:
    """Always the page of the next step."""
    step = next_step(db, sitting)
    status = _not_open_status(sitting.study) if isinstance(step, Waiting) else 200
    return render(page_of(sitting, step), status)


@router.get("/s/{token}/{form}")
def return_to_step(sitting: CurrentSitting) -> Response:
    """Somebody loaded the address of a form."""
    return _to_step(sitting)


@router.post("/s/{token}/start")
def start_personal_link(
    sitting: ChangingSitting, db: Db, settings: CurrentSettings, now: Now
) -> Response:
    """Start was pressed on a personal link."""
    try:
        start_sitting(db, sitting, now)
    except StudyNotOpen as problem:
        return _step_with_problem(db, sitting, problem)
    return _go_on(sitting, settings)


@router.post("/s/{token}/consent")
def submit_consent(
    sitting: ChangingSitting,
    form: Annotated[ConsentForm, Form()],
    db: Db,
    settings: CurrentSettings,
    now: Now,
) -> Response:
    """The person agrees or declines."""
    answer = _to_step(sitting)
    if form.decision == "decline":
        decline(db, sitting, now)
        forget_sitting(answer, settings, sitting)
        return answer
    try:
        agree(db, sitting, form.agree, now)
    except (Invalid, Conflict) as problem:
        return _step_with_problem(db, sitting, problem)
    return answer


@router.post("/s/{token}/ratings")
def submit_rating(
    sitting: ChangingSitting, form: Annotated[RatingForm, Form()], db: Db, now: Now
) -> Response:
    """Save an answer and go on."""
    try:
        record_rating(
            db, sitting, form.assignment_id, form.answer, now, form.watched_s, form.on_page_s
        )
    except (Invalid, Conflict) as problem:
        return _step_with_problem(db, sitting, problem)
    return _to_step(sitting)


def _to_step(sitting: Sitting) -> Response:
    return RedirectResponse(f"/s/{sitting.token}", status_code=303)


def _go_on(sitting: Sitting, settings: CurrentSettings) -> Response:
    answer = _to_step(sitting)
    remember_sitting(answer, settings, sitting)
    return answer


def _step_with_problem(db: Session, sitting: Sitting, problem: AppError) -> Response:
    """The page the person should be on, and what was wrong; acts refuse before they write."""
    return render(page_of(sitting, next_step(db, sitting), str(problem)), problem.status)


def _not_open_status(study: Study) -> int:
    return 404 if study.state == StudyState.draft else 410
