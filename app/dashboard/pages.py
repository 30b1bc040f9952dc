"""What the researcher's pages show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.agreement.explanations import Explanation
from app.dashboard.api_reference import Endpoint
from app.dashboard.study_views import FilmedClip, SittingLine, StudyLine, StudyView
from app.dashboard.views import LiveView, RatedClip
from app.web import Page


@dataclass(frozen=True)
class StudyListPage(Page):
    """Every study this person may see."""

    template: ClassVar[str] = "dashboard/study_list.html"
    studies: Sequence[StudyLine]
    signed_in_as: str


@dataclass(frozen=True)
class StudyPage(Page):
    """One study: its state, films, people and files."""

    template: ClassVar[str] = "dashboard/study.html"
    study: StudyView
    filmed_clips: Sequence[FilmedClip]
    sittings: Sequence[SittingLine]
    sittings_note: str
    signed_in_as: str


@dataclass(frozen=True)
class StudyParts(Page):
    """The parts of the study page that have changed."""

    template: ClassVar[str] = "dashboard/_study_parts.html"
    study: StudyView
    filmed_clips: Sequence[FilmedClip]


@dataclass(frozen=True)
class LivePage(Page):
    """Agreement and ratings while they come in."""

    template: ClassVar[str] = "dashboard/live.html"
    slug: str
    title: str
    scale: Sequence[str]
    live: LiveView
    rated_clips: Sequence[RatedClip]
    signed_in_as: str


@dataclass(frozen=True)
class LiveParts(Page):
    """The parts of the live page that have changed."""

    template: ClassVar[str] = "dashboard/_live_parts.html"
    live: LiveView
    rated_clips: Sequence[RatedClip]


@dataclass(frozen=True)
class ApiReferencePage(Page):
    """What programs can ask, with an example each."""

    template: ClassVar[str] = "dashboard/api_reference.html"
    endpoints: Sequence[Endpoint]
    signed_in_as: str


@dataclass(frozen=True)
class StatisticsPage(Page):
    """Every statistic, with the question that it answers."""

    template: ClassVar[str] = "dashboard/statistics.html"
    explanations: Sequence[Explanation]
    signed_in_as: str


@dataclass(frozen=True)
class StatisticPage(Page):
    """One statistic in plain language."""

    template: ClassVar[str] = "dashboard/statistic.html"
    explanation: Explanation
    signed_in_as: str
