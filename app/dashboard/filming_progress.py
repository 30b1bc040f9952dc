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
    left_s: float | None  # None: nothing is left to film, or nothing was measured yet

    @property
    def words(self) -> str:
        """Such as "12 of 36 clips, about 40 s left"."""
        clips = f"{self.n_ready:,} of {self.n_clips:,} clips"
        return clips if self.left_s is None else f"{clips}, about {rounded(self.left_s)} left"


def filming_progress(now: StudyNow) -> FilmingProgress:
    """From what is known of the clips: pictures done, and how fast the last were."""
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
    s_per_frame = _s_per_frame(now)
    if not waiting or s_per_frame is None:
        return None
    return s_per_frame * sum((clip.frames_total or usual) - clip.frames_done for clip in waiting)


def _s_per_frame(now: StudyNow) -> float | None:
    """What the last films took together, so that it counts if several are filmed at once."""
    spans = sorted(
        (clip.ready_at.timestamp(), clip.filming_s, clip.frames_total)
        for clip in now.clips
        if clip.ready_at and clip.filming_s and clip.frames_total
    )[-LAST_CLIPS:]
    if not spans:
        return None
    together_s = spans[-1][0] - min(ready_s - filming_s for ready_s, filming_s, _ in spans)
    # Not longer than one after the other: a night in between is no filming.
    one_by_one_s = sum(filming_s for _, filming_s, _ in spans)
    return min(together_s, one_by_one_s) / sum(frames for _, _, frames in spans)
