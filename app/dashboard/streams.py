"""Server-sent events: what has changed, as parts of the page or as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeVar

from sse_starlette import EventSourceResponse, ServerSentEvent

from app.dashboard.answers import study_event
from app.dashboard.live_agreement import summarise_now
from app.dashboard.pages import LiveParts, StudyParts
from app.dashboard.study_now import StudyNow
from app.dashboard.study_views import StudyFacts, filmed_clip, study_view
from app.dashboard.views import live_view, rated_clip
from app.web import Page, render

PING_S = 15
RETRY_MS = 1000

Line = TypeVar("Line", bound=Hashable)


def send_events(
    states: AsyncGenerator[StudyNow], name: str, write: Callable[[StudyNow], str]
) -> EventSourceResponse:
    """A stream with one event for every new state, and a heartbeat for proxies."""
    return EventSourceResponse(_events(states, name, write), ping=PING_S, sep="\n")


@dataclass(slots=True)
class LivePartsWriter:
    """Parts of the live page for one reader: the head, and the clips that have changed."""

    seen: set[Hashable] = field(default_factory=set)

    def __call__(self, now: StudyNow) -> str:
        clips = only_new([rated_clip(clip) for clip in now.clips], self.seen)
        return draw(LiveParts(live_view(now, summarise_now(now)), clips))


@dataclass(slots=True)
class StudyPartsWriter:
    """Parts of the study page for one reader: the head, and the films that have changed."""

    facts: StudyFacts
    seen: set[Hashable] = field(default_factory=set)

    def __call__(self, now: StudyNow) -> str:
        clips = [filmed_clip(clip, now.slug, self.facts.may_write) for clip in now.clips]
        return draw(StudyParts(study_view(now, self.facts), only_new(clips, self.seen)))


def write_json(now: StudyNow) -> str:
    """The state for programs."""
    return study_event(now).model_dump_json()


def draw(page: Page) -> str:
    """A part of a page, from the template that the whole page uses."""
    return bytes(render(page).body).decode()


def only_new(lines: Sequence[Line], seen: set[Hashable]) -> list[Line]:
    """The lines that are not yet on the reader's page; `seen` becomes what is."""
    new = [line for line in lines if line not in seen]
    seen.clear()
    seen.update(lines)
    return new


async def _events(
    states: AsyncGenerator[StudyNow], name: str, write: Callable[[StudyNow], str]
) -> AsyncIterator[ServerSentEvent]:
    number = 0
    async with aclosing(states):  # so that the hub knows at once that nobody listens any more
        async for now in states:
            number += 1
            # In a thread: a thousand clips take a while to draw; other streams must not wait.
            text = await asyncio.to_thread(write, now)
            yield ServerSentEvent(text, event=name, id=str(number), retry=RETRY_MS)
