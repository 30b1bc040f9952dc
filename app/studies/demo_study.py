"""The demo study, as a document that a researcher can copy and change."""

from __future__ import annotations

MODELS = ("attentive", "aggressive")

HEAD = """\
# A study about simulated highway traffic. Copy it, give it a slug of your own, change what
# you like, and check it with: roadrater study validate FILE
# Every field is described in docs/study_document.md; what is left out has a default.
roadrater: 1

# The study's address is /study/demo.
slug: demo
title: How realistic does this traffic look?
language: en

# What participants read. Blank lines separate paragraphs.
texts:
  welcome: >
    Thank you for your interest. You will watch short videos of traffic, seen from above, and
    say how realistic each of them looks to you.
  consent: >
    Taking part is voluntary, and you can stop at any time by closing the page. Your answers
    are stored under a random code, without your name or address, and are used for research
    only.
  consent_question: I have read this and I agree to take part.
  heading: Video {number}
  progress: Section {section} of {sections}
  direct_link: "If the video is not shown, use the following link:"
  instruction: >
    The vehicle at the center is the ego vehicle; others are surrounding vehicles. Please watch
    the video and answer the question below.
  question: How realistic is the surrounding vehicle's trajectory in this video?
  definition: >
    (A trajectory is realistic if it could plausibly happen in the real world, even if it is
    uncommon.)
  thanks: Thank you. All your answers have been saved.

# The answers, from the lowest (stored as 1) to the highest.
scale:
  - Very unrealistic
  - Slightly unrealistic
  - Neutral
  - Slightly realistic
  - Very realistic

# Each participant sees the clips in an order of their own; "fixed" keeps the order below.
order: random

# All clips are filmed alike, so that only the driving differs.
video:
  duration_s: 10
  fps: 30
  width_m: 90 # of road, from the left edge of the picture to the right

# The clips. Participants never see names and conditions. Clips come in pairs: the same seed
# starts the same traffic, and the model decides how the surrounding vehicles drive.
clips:
"""

CLIP = """\
  - name: highway-{number:02}-{model}
    condition: {model}
    scene: {{simulate: highway, model: {model}, seed: {number}}}
"""


def demo_yaml(n_clips: int) -> str:
    """The document with this many clips; of an odd number, the last has no partner."""
    if n_clips < 1:
        raise ValueError(f"a study needs at least one clip, not {n_clips}")
    clips = (
        CLIP.format(number=index // len(MODELS) + 1, model=MODELS[index % len(MODELS)])
        for index in range(n_clips)
    )
    return HEAD + "".join(clips)
