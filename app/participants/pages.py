"""What a participant sees: one dataclass for each page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.web import Page


@dataclass(frozen=True)
class StudyPage(Page):
    """What every page of a study says about it."""

    language: str
    title: str


@dataclass(frozen=True)
class StartPage(StudyPage):
    """What the study is about; nothing begins before the button is pressed."""

    template: ClassVar[str] = "participants/start.html"
    welcome: tuple[str, ...]
    minutes: int
    n_clips: int
    start_url: str
    key: str


@dataclass(frozen=True)
class ResumePage(StudyPage):
    """The start page of a browser that has been here before."""

    template: ClassVar[str] = "participants/resume.html"
    message: str
    resume_url: str
    resume_label: str
    start_url: str
    key: str


@dataclass(frozen=True)
class ConsentPage(StudyPage):
    """What taking part means; the person agrees or declines."""

    template: ClassVar[str] = "participants/consent.html"
    consent: tuple[str, ...]
    question: str
    consent_url: str
    problem: str


@dataclass(frozen=True)
class Choice:
    """One option of the scale."""

    value: int
    label: str


@dataclass(frozen=True)
class RateClipPage(StudyPage):
    """One clip and its question."""

    template: ClassVar[str] = "participants/rate_clip.html"
    heading: str
    position: int
    n_clips: int
    progress: str
    section: int
    sections: int
    video_url: str
    direct_link: str
    instruction: tuple[str, ...]
    question: str
    definition: tuple[str, ...]
    choices: tuple[Choice, ...]
    assignment_id: int
    rating_url: str
    problem: str


@dataclass(frozen=True)
class EndPage(StudyPage):
    """Everything is saved; here is the code that proves it."""

    template: ClassVar[str] = "participants/end.html"
    thanks: tuple[str, ...]
    n_clips: int
    completion_code: str


@dataclass(frozen=True)
class DeclinedPage(StudyPage):
    """Goodbye to a person who does not take part."""

    template: ClassVar[str] = "participants/declined.html"
    declined: tuple[str, ...]


@dataclass(frozen=True)
class NotOpenPage(StudyPage):
    """The study takes no answers, not yet or no more."""

    template: ClassVar[str] = "participants/not_open.html"
    heading: str
    message: str
