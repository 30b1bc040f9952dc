"""What an importer did to a file besides reading it: nothing is repaired in silence."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from enum import StrEnum


class NoteKind(StrEnum):
    """What happened to the values that a note is about."""

    doubtful = "doubtful"  # values that contradict each other; they are kept as they are
    dropped = "dropped"  # in the file, not in the scene
    inferred = "inferred"  # computed from other values of the file
    defaulted = "defaulted"  # a usual value, because the file has none
    assumed = "assumed"  # the file can be read in more than one way


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that a researcher should know, in a sentence, and how often it happened."""

    kind: NoteKind
    sentence: str
    n: int = 1


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was found in the files, and what was done to it."""

    format: str  # a name from the registry of readers, such as "interaction"
    files: tuple[str, ...]
    n_tracks: int
    n_samples: int
    n_lanes: int
    start_s: float
    duration_s: float
    step_s: float
    kinds: dict[str, int]  # road users of each kind
    notes: tuple[Note, ...]

    def to_json(self) -> dict[str, object]:
        """As it is stored, and printed by `roadrater scene read --json`."""
        return asdict(self)


@dataclass(slots=True)
class Notes:
    """Collected while a file is read; the same sentence twice is one note that counts."""

    counts: Counter[tuple[NoteKind, str]] = field(default_factory=Counter)

    def doubtful(self, sentence: str, n: int = 1) -> None:
        """Not everything that the file says can be true."""
        self.add(NoteKind.doubtful, sentence, n)

    def dropped(self, sentence: str, n: int = 1) -> None:
        """Something of the file is not in the scene."""
        self.add(NoteKind.dropped, sentence, n)

    def inferred(self, sentence: str, n: int = 1) -> None:
        """Something was computed."""
        self.add(NoteKind.inferred, sentence, n)

    def defaulted(self, sentence: str, n: int = 1) -> None:
        """A usual value was filled in."""
        self.add(NoteKind.defaulted, sentence, n)

    def assumed(self, sentence: str, n: int = 1) -> None:
        """One of several meanings was taken."""
        self.add(NoteKind.assumed, sentence, n)

    def add(self, kind: NoteKind, sentence: str, n: int) -> None:
        """Nothing is noted about nothing."""
        if n > 0:
            self.counts[kind, sentence] += n

    def listed(self) -> tuple[Note, ...]:
        """By kind, in the order in which they came up."""
        order = list(NoteKind)
        notes = [Note(kind, sentence, n) for (kind, sentence), n in self.counts.items()]
        return tuple(sorted(notes, key=lambda note: order.index(note.kind)))
