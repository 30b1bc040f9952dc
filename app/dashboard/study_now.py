"""What a study looks like at this moment: everything the live pages show, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from app.agreement.counts import Counts
from app.clips.models import ClipState
from app.participants.queries import SittingCounts
from app.studies.models import StudyState


@dataclass(frozen=True, slots=True)
class ClipNow:
    """A clip of the study: how far its film is, and how it was rated so far."""

    id: int  # of the study's clip
    position: int
    name: str
    condition: str
    url: str
    state: ClipState
    frames_done: int
    frames_total: int
    reason: str
    duration_s: float | None
    counts: tuple[int, ...]  # raters for each answer, from 1
    filming_s: float | None = None  # how long the camera ran for it
    ready_at: datetime | None = None
    shows: str = ""  # the scene's or film's name and which seconds of it

    @property
    def n_ratings(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float | None:
        """Mean answer; None if nobody has rated the clip."""
        if self.n_ratings == 0:
            return None
        return sum(answer * n for answer, n in enumerate(self.counts, start=1)) / self.n_ratings


@dataclass(frozen=True, slots=True)
class StudyNow:
    """Two of these are equal exactly when nothing has happened in between."""

    slug: str
    title: str
    state: StudyState
    version_id: int
    scale: tuple[str, ...] = field(compare=False)  # follows from the version
    sittings: SittingCounts
    clips: tuple[ClipNow, ...]
    n_raters: int = field(compare=False)  # cannot change without the counts

    @property
    def n_ratings(self) -> int:
        return sum(clip.n_ratings for clip in self.clips)

    @property
    def n_started(self) -> int:
        return self.sittings.total - self.sittings.created

    @property
    def n_in_progress(self) -> int:
        return self.sittings.started + self.sittings.consented

    def count_clips(self, state: ClipState) -> int:
        """How many films are in this state."""
        return sum(clip.state == state for clip in self.clips)

    def counts(self) -> Counts:
        """(n_clips, n_categories) array: raters per clip and answer."""
        rows = [clip.counts for clip in self.clips]
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(self.scale))
