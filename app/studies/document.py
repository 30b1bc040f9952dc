"""The study document: everything a study asks and shows, as a researcher writes it."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from app.rendering.style import CHASE_LIMITS, FilmStyle, View
from app.studies.fields import (
    Code,
    Colour,
    Language,
    Line,
    Name,
    Number,
    Part,
    Slug,
    Text,
    Title,
    Whole,
    fills_in,
)
from app.studies.scene_entries import SceneEntry


def _different(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Two options with one label could not be told apart by a participant."""
    for index, label in enumerate(labels):
        if label in labels[:index]:
            raise _twice(f"Two options are called {label!r}", (index,))
    return labels


def _named_apart(clips: tuple[ClipEntry, ...]) -> tuple[ClipEntry, ...]:
    """Two clips with one name could not be told apart in the results."""
    seen: set[str] = set()
    for index, clip in enumerate(clips):
        if clip.name in seen:
            raise _twice(f"Two clips are called {clip.name!r}", (index, "name"))
        seen.add(clip.name)
    return clips


def _twice(sentence: str, below: tuple[str | int, ...]) -> PydanticCustomError:
    """`below` leads from the list that is checked to the element that is wrong."""
    return PydanticCustomError("twice", "{sentence}", {"sentence": sentence, "below": below})


def _of_chase(name: str, usual: float, meaning: str) -> Any:
    least, most = CHASE_LIMITS[name]
    description = f"Of the `chase` view: {meaning}."
    return Field(default=usual, ge=least, le=most, description=description)


Scale = Annotated[tuple[Line, ...], Field(min_length=2, max_length=11), AfterValidator(_different)]


class Texts(Part):
    """Every sentence a participant reads; the defaults are the commissioning study's."""

    welcome: Text = Field(
        default="Thank you for your interest. You will watch short videos of traffic, seen from "
        "above, and say how realistic each of them looks to you.",
        description="On the start page; blank lines separate paragraphs.",
    )
    consent: Text = Field(
        default="Taking part is voluntary, and you can stop at any time by closing the page. "
        "Your answers are stored under a random code, without your name or address, and are used "
        "for research only.",
        description="On the consent page; blank lines separate paragraphs.",
    )
    consent_question: Line = Field(
        default="I have read this and I agree to take part.",
        description="What a participant ticks to take part.",
    )
    declined: Text = Field(
        default="You have chosen not to take part. None of your answers were stored. "
        "Thank you for your time.",
        description="On the page for those who do not agree.",
    )
    heading: Annotated[Line, AfterValidator(fills_in("{number}"))] = Field(
        default="Video {number}", description="Above each clip; {number} counts from 1."
    )
    progress: Annotated[Line, AfterValidator(fills_in("{section}", "{sections}"))] = Field(
        default="Section {section} of {sections}",
        description="How far one is: the introduction is section 1, the first clip section 2.",
    )
    direct_link: Line = Field(
        default="If the video is not shown, use the following link:",
        description="Under the video, before the link to its file.",
    )
    instruction: Text = Field(
        default="The vehicle at the center is the ego vehicle; others are surrounding vehicles. "
        "Please watch the video and answer the question below.",
        description="Between the video and the question.",
    )
    question: Line = Field(
        default="How realistic is the surrounding vehicle's trajectory in this video?",
        description="What is asked about every clip.",
    )
    definition: Text = Field(
        default="(A trajectory is realistic if it could plausibly happen in the real world, "
        "even if it is uncommon.)",
        description="Under the question: what its words mean.",
    )
    thanks: Text = Field(
        default="Thank you. All your answers have been saved.", description="On the last page."
    )


class Order(StrEnum):
    """In which order a participant sees the clips."""

    fixed = "fixed"
    random = "random"


class VideoSettings(Part):
    """How all clips of the study are filmed: the same for each, so that only driving differs."""

    view: View = Field(
        default=View.top,
        description="From where scenes are seen: `top` from above, north up, the ego in the "
        "middle; `heading_up` from above, the ego in the middle and driving up the picture; "
        "`overview` from above, north up, standing still, with all that happens in sight; "
        "`chase` from behind and above the ego, in perspective. A finished film keeps its own.",
    )
    width_px: Whole = Field(
        default=1280, ge=160, le=1920, multiple_of=2, description="Width of the picture."
    )
    height_px: Whole = Field(
        default=720, ge=90, le=1080, multiple_of=2, description="Height of the picture."
    )
    fps: Whole = Field(default=30, ge=10, le=60, description="Pictures per second.")
    duration_s: Number = Field(
        default=10.0,
        ge=0.1,
        le=60,
        description="How long every clip moves; before that come fade and lead-in.",
    )
    lead_in_s: Number = Field(
        default=0.5,
        ge=0,
        le=5,
        description="How long the first picture, wholly faded in, stands still before it moves.",
    )
    fade_s: Number = Field(
        default=0.25,
        ge=0,
        le=2,
        description="How long the first picture takes to come out of the ground's colour, still "
        "and before the lead-in; the clip's last pictures go back into it for as long, moving.",
    )
    width_m: Number = Field(
        default=120.0,
        ge=20,
        le=1000,
        description="Ground from the left edge to the right, seen from above; an overview shows "
        "more where it has to.",
    )
    chase_back_m: Number = _of_chase(
        "chase_back_m", 10.0, "how far the camera is behind the ego's centre"
    )
    chase_up_m: Number = _of_chase("chase_up_m", 5.0, "how far it is above the road")
    chase_down_deg: Number = _of_chase("chase_down_deg", 20.0, "how far it looks down")
    chase_fov_deg: Number = _of_chase(
        "chase_fov_deg", 75.0, "what it sees from the left edge to the right"
    )
    ego_colour: Colour = Field(default="#D55E00", description="Of the vehicle at the centre.")
    other_colour: Colour = Field(default="#0072B2", description="Of all other vehicles.")

    def style(self, start_s: float | None = None) -> FilmStyle:
        """The renderer's style for a clip that starts here."""
        return FilmStyle(start_s=start_s, **self.model_dump())


class ClipEntry(Part):
    """One clip to rate; its name and condition are never shown to participants."""

    name: Name = Field(description="The clip's name in all results; each name once.")
    condition: Name = Field(default="all", description="What is compared: the clip's group.")
    scene: SceneEntry = Field(
        description="What the clip shows: simulated, from a file, a film, or uploaded."
    )


Clips = Annotated[
    tuple[ClipEntry, ...], Field(min_length=1, max_length=10_000), AfterValidator(_named_apart)
]


class StudyDocument(Part):
    """A study, complete."""

    roadrater: Literal[1] = Field(default=1, description="Version of this document format.")
    slug: Slug = Field(description="The study's name in its address: /study/SLUG.")
    title: Title = Field(description="The study's title, on the start page and in lists.")
    minutes: Annotated[Whole, Field(ge=1, le=240)] | None = Field(
        default=None,
        description="Stated duration; by default estimated from the number of clips.",
    )
    language: Language = Field(default="en", description="Language of the texts.")
    texts: Texts = Field(default=Texts(), description="Every sentence a participant reads.")
    scale: Scale = Field(
        default=(
            "Very unrealistic",
            "Slightly unrealistic",
            "Neutral",
            "Slightly realistic",
            "Very realistic",
        ),
        description="The options from the lowest, which is stored as 1, to the highest.",
    )
    order: Order = Field(
        default=Order.random,
        description="Of the clips: `fixed` as written here, or `random` for each participant.",
    )
    completion_code: Code | None = Field(
        default=None, description="Shown on the last page; by default a random code per person."
    )
    video: VideoSettings = Field(default=VideoSettings(), description="How all clips are filmed.")
    clips: Clips = Field(description="The clips to rate.")

    def canonical_json(self) -> str:
        """The document with every default filled in, always in the same bytes."""
        return self.model_dump_json()

    def document_hash(self) -> str:
        """Names this wording and these settings; stored with every sitting's version."""
        return hashlib.sha256(self.canonical_json().encode()).hexdigest()

    def estimated_minutes(self) -> int:
        """Stated, or 21 s a clip (the commissioning study's median) and two minutes around it."""
        return self.minutes or max(1, round((120 + 21 * len(self.clips)) / 60))
