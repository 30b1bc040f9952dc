"""Which page shows a step, filled with the study's own words."""

from __future__ import annotations

import re
import secrets

from app.participants.models import Sitting
from app.participants.pages import (
    Choice,
    ConsentPage,
    DeclinedPage,
    EndPage,
    NotOpenPage,
    RateClipPage,
    ResumePage,
    StartPage,
    StudyPage,
)
from app.participants.progress import (
    Begin,
    Declined,
    Finished,
    GiveConsent,
    RateClip,
    Step,
    Waiting,
)
from app.studies.document import StudyDocument
from app.studies.models import StudyState
from app.studies.queries import document_of


def start_page(document: StudyDocument, start_url: str) -> StartPage:
    """The start page, with a key of its own (see `enrol`)."""
    return StartPage(
        language=document.language,
        title=document.title,
        welcome=paragraphs(document.texts.welcome),
        minutes=document.estimated_minutes(),
        n_clips=len(document.clips),
        start_url=start_url,
        key=secrets.token_urlsafe(32),
    )


def resume_page(document: StudyDocument, sitting: Sitting, start_url: str) -> ResumePage:
    """The start page for a browser whose cookie names a sitting."""
    finished = sitting.finished_at is not None
    return ResumePage(
        language=document.language,
        title=document.title,
        message="You have already taken part on this device. Thank you!"
        if finished
        else "You have already begun on this device. Everything you answered is saved.",
        resume_url=f"/s/{sitting.token}",
        resume_label="Show my completion code" if finished else "Continue where you stopped",
        start_url=start_url,
        key=secrets.token_urlsafe(32),
    )


def not_open_page(document: StudyDocument, state: StudyState) -> NotOpenPage:
    """A kind word to people who come too early or too late."""
    if state == StudyState.draft:
        heading = "This study is not open yet"
        message = "Please come back later; the link will stay the same."
    else:
        heading = "This study is closed"
        message = (
            "It takes no more answers; everything that was answered before is kept. "
            "Thank you for your interest."
        )
    return NotOpenPage(document.language, document.title, heading, message)


def page_of(sitting: Sitting, step: Step, problem: str = "") -> StudyPage:
    """The page of this step; `problem` says what was wrong with what was sent last."""
    document, here = document_of(sitting.version), f"/s/{sitting.token}"
    language, title, texts = document.language, document.title, document.texts
    match step:
        case Begin(version):
            return start_page(document_of(version), f"{here}/start")
        case GiveConsent():
            return ConsentPage(
                language,
                title,
                consent=paragraphs(texts.consent),
                question=texts.consent_question,
                consent_url=f"{here}/consent",
                problem=problem,
            )
        case RateClip():
            return rate_clip_page(document, step, f"{here}/ratings", problem)
        case Finished(n_clips):
            code = sitting.completion_code
            return EndPage(language, title, paragraphs(texts.thanks), n_clips, code)
        case Declined():
            return DeclinedPage(language, title, paragraphs(texts.declined))
        case Waiting():
            return not_open_page(document, sitting.study.state)


def rate_clip_page(
    document: StudyDocument, step: RateClip, rating_url: str, problem: str
) -> RateClipPage:
    """The clip that is waited for; the introduction counts as the first section."""
    texts, assignment = document.texts, step.assignment
    section, sections = assignment.position + 1, step.n_clips + 1
    return RateClipPage(
        language=document.language,
        title=document.title,
        heading=fill(texts.heading, number=assignment.position),
        position=assignment.position,
        n_clips=step.n_clips,
        progress=fill(texts.progress, section=section, sections=sections),
        section=section,
        sections=sections,
        video_url=assignment.study_clip.clip.url,
        direct_link=texts.direct_link,
        instruction=paragraphs(texts.instruction),
        question=texts.question,
        definition=paragraphs(texts.definition),
        choices=tuple(Choice(value, label) for value, label in enumerate(document.scale, start=1)),
        assignment_id=assignment.id,
        rating_url=rating_url,
        problem=problem,
    )


def paragraphs(text: str) -> tuple[str, ...]:
    """Blank lines separate paragraphs.

    >>> paragraphs("One.\\n\\nTwo,\\nstill two.")
    ('One.', 'Two,\\nstill two.')
    """
    return tuple(part.strip() for part in re.split(r"\n\s*\n", text) if part.strip())


def fill(text: str, **numbers: int) -> str:
    """Numbers in their places; other braces stay, because a researcher may write any text.

    >>> fill("Section {section} of {sections} {sic}", section=2, sections=37)
    'Section 2 of 37 {sic}'
    """
    for name, number in numbers.items():
        text = text.replace(f"{{{name}}}", str(number))
    return text
