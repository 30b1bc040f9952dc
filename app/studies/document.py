"""The study document: everything a study asks and shows, as a researcher writes it."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.rendering.style import FilmStyle, View

Text = Annotated[str, Field(min_length=1, max_length=10_000)]
Line = Annotated[str, Field(min_length=1, max_length=300)]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$", max_length=100)]
Colour = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]


class Part(BaseModel):
    """A part of the document: a misspelt field is an error, not a silent default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
    consent_question: Line = "I have read this and I agree to take part."
    declined: Text = (
        "You have chosen not to take part. Nothing was stored. Thank you for your time."
    )
    heading: Line = Field(
        default="Video {number}", description="Above each clip; {number} counts from 1."
    )
    progress: Line = Field(
        default="Section {section} of {sections}",
        description="The introduction is section 1, the first clip section 2.",
    )
    direct_link: Line = "If the video is not shown, use the following link:"
    instruction: Text = (
        "The vehicle at the center is the ego vehicle; others are surrounding vehicles. "
        "Please watch the video and answer the question below."
    )
    question: Line = "How realistic is the surrounding vehicle's trajectory in this video?"
    definition: Text = (
        "(A trajectory is realistic if it could plausibly happen in the real world, "
        "even if it is uncommon.)"
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

    view: View = View.top
    width_px: int = Field(default=1280, ge=160, le=1920, multiple_of=2)
    height_px: int = Field(default=720, ge=90, le=1080, multiple_of=2)
    fps: int = Field(default=30, ge=10, le=60)
    duration_s: float = Field(default=10.0, gt=0, le=60, description="Length of every clip.")
    ego_colour: Colour = "#D55E00"
    other_colour: Colour = "#0072B2"

    def style(self, start_s: float | None = None) -> FilmStyle:
        """The renderer's style for a clip that starts here."""
        return FilmStyle(start_s=start_s, **self.model_dump())


class SimulatedScene(Part):
    """A scene made by a built-in simulator."""

    simulate: Line = Field(description="A scenario, for example highway.")
    model: Line = Field(description="Who drives: for example attentive or aggressive.")
    seed: int = Field(ge=0, le=2**31 - 1, description="The same seed gives the same scene.")


class SceneFile(Part):
    """A scene in a file beside the study document."""

    file: Line = Field(description="Path relative to the document, for example scenes/a.json.")
    start_s: float | None = Field(default=None, description="Where the clip starts in the scene.")


class ClipEntry(Part):
    """One clip to rate; its name and condition are never shown to participants."""

    name: Name
    condition: Name = "all"
    scene: SimulatedScene | SceneFile


class StudyDocument(Part):
    """A study, complete."""

    roadrater: Literal[1] = Field(default=1, description="Version of this document format.")
    slug: Slug = Field(description="The study's name in its address: /study/<slug>.")
    title: Annotated[str, Field(min_length=1, max_length=200)]
    minutes: int | None = Field(
        default=None, ge=1, le=240, description="Stated duration; by default estimated."
    )
    language: Annotated[str, Field(pattern=r"^[a-z]{2}(-[A-Z]{2})?$")] = "en"
    texts: Texts = Texts()
    scale: Annotated[tuple[Line, ...], Field(min_length=2, max_length=11)] = (
        "Very unrealistic",
        "Slightly unrealistic",
        "Neutral",
        "Slightly realistic",
        "Very realistic",
    )
    order: Order = Order.random
    completion_code: Line | None = Field(
        default=None, description="Shown on the last page; by default a random code per person."
    )
    video: VideoSettings = VideoSettings()
    clips: Annotated[tuple[ClipEntry, ...], Field(min_length=1, max_length=10_000)]

    @model_validator(mode="after")
    def names_are_unique(self) -> Self:
        """Two clips with one name could not be told apart in the results."""
        names = [clip.name for clip in self.clips]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two clips are called {twice!r}")
        return self

    def canonical_json(self) -> str:
        """The document with every default filled in, always in the same bytes."""
        return self.model_dump_json()

    def document_hash(self) -> str:
        """Names this wording and these settings; stored with every sitting's version."""
        return hashlib.sha256(self.canonical_json().encode()).hexdigest()

    def estimated_minutes(self) -> int:
        """Stated, or 21 s a clip (the commissioning study's median) and two minutes around it."""
        return self.minutes or max(1, round((120 + 21 * len(self.clips)) / 60))
