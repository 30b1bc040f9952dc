"""How far the films of a study are, and how long the rest takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from app.clips.models import WAITING_STATES, ClipState
from app.dashboard.study_now import ClipNow, StudyNow

LAST_CLIPS = 10  # whose speed tells how fast the next ones will be


@dataclass(frozen=True, slots=True)
class FilmingProgress:
    """Pictures count, not clips, so that a bar moves while a long clip is filmed."""

    n_ready: int
    n_clips: int
    frames_done: int
    frames_total: int
    left_s: float | None  # None: nothing is being filmed, or nothing was measured yet

    @property
    def words(self) -> str:
        """Such as "12 of 36 clips, about 40 s left"."""
        clips = f"{self.n_ready:,} of {self.n_clips:,} clips"
        return clips if self.left_s is None else f"{clips}, about {rounded(self.left_s)} left"


def filming_progress(now: StudyNow) -> FilmingProgress:
    """From what is known of the clips: pictures done, and seconds per picture of the last ones."""
    usual = _usual_frames(now)
    return FilmingProgress(
        n_ready=now.count_clips(ClipState.ready),
        n_clips=len(now.clips),
        frames_done=sum(_done(clip, usual) for clip in now.clips),
        frames_total=sum(clip.frames_total or usual for clip in now.clips),
        left_s=_left_s(now, usual),
    )


def rounded(time_s: float) -> str:
    """A time as roughly as it is known."""
    if time_s < 60:
        return f"{max(5, ceil(time_s / 5) * 5)} s"
    if time_s < 3600:
        return f"{ceil(time_s / 60)} min"
    return f"{time_s / 3600:.1f} h"


def _usual_frames(now: StudyNow) -> int:
    """Clips that nobody has begun count as long as those that are known."""
    known = [clip.frames_total for clip in now.clips if clip.frames_total]
    return round(sum(known) / len(known)) if known else 1


def _done(clip: ClipNow, usual: int) -> int:
    return (clip.frames_total or usual) if clip.state == ClipState.ready else clip.frames_done


def _left_s(now: StudyNow, usual: int) -> float | None:
    waiting = [clip for clip in now.clips if clip.state in WAITING_STATES]
    at_once = now.count_clips(ClipState.rendering)
    s_per_frame = _s_per_frame(now)
    if not at_once or s_per_frame is None:
        return None
    left = sum((clip.frames_total or usual) - clip.frames_done for clip in waiting)
    return left * s_per_frame / at_once


def _s_per_frame(now: StudyNow) -> float | None:
    measured = [
        clip for clip in now.clips if clip.filming_s and clip.ready_at and clip.frames_total
    ]
    last = sorted(measured, key=lambda clip: str(clip.ready_at))[-LAST_CLIPS:]
    if not last:
        return None
    return sum(clip.filming_s or 0.0 for clip in last) / sum(clip.frames_total for clip in last)
