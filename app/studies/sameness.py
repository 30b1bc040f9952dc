"""All films of a study have one length, size, frame rate, scale and palette."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from app.clips.models import Clip
from app.studies.models import StudyClip

# Where a clip's window begins in its scene; no rater can see it.
OF_ITS_OWN = {"start_s"}


def odd_clips(study_clips: Sequence[StudyClip]) -> dict[str, str]:
    """Names of ready clips that differ from most of the study's, and in what."""
    looks = {row.name: _looks(row.clip) for row in study_clips}
    usual = {part: _most_common(looks, part) for part in _parts(looks)}
    return {
        name: ", ".join(differences)
        for name, look in looks.items()
        if (differences := _differences(look, usual))
    }


def _looks(clip: Clip) -> dict[str, Hashable]:
    """What can be seen of how the clip was filmed: what came out, and what was asked for."""
    asked: Mapping[str, Any] = clip.style
    return {
        **{part: value for part, value in asked.items() if part not in OF_ITS_OWN},
        "width_px": clip.width_px,
        "height_px": clip.height_px,
        "fps": clip.fps,
        "duration_s": clip.duration_s,
        "n_frames": clip.frames_total,
    }


def _parts(looks: Mapping[str, Mapping[str, Hashable]]) -> list[str]:
    return sorted({part for look in looks.values() for part in look})


def _most_common(looks: Mapping[str, Mapping[str, Hashable]], part: str) -> Hashable:
    return Counter(look.get(part) for look in looks.values()).most_common(1)[0][0]


def _differences(look: Mapping[str, Hashable], usual: Mapping[str, Hashable]) -> list[str]:
    return [
        f"{part} is {look.get(part)}, not {value}"
        for part, value in usual.items()
        if look.get(part) != value
    ]
