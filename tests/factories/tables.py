"""Tables of trajectories, from files or from text, through one reader."""

from __future__ import annotations

from pathlib import Path

from app.scenes.formats.draft import SceneDraft
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.recognition import recognise
from app.scenes.formats.report import Notes

FILES = Path(__file__).parents[1] / "files"
SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def table(text: str, name: str = "tracks.csv") -> SourceFile:
    """A file in memory; in a text of several lines the indentation does not count."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return SourceFile.holding(name, ("\n".join(lines) + "\n").encode())


def read_with(reader, *files, kind: FileKind | None = None, **options) -> tuple[SceneDraft, list]:
    """What the reader makes of the files, and the sentences it notes with their counts."""
    by_kind: dict[FileKind, tuple[SourceFile, ...]] = {}
    for file in files:
        source = SourceFile.at(file) if isinstance(file, Path) else file
        key = kind or recognise(source)
        by_kind[key] = (*by_kind.get(key, ()), source)
    notes = Notes()
    draft = reader(FileSet(by_kind), ReadOptions(**options), notes)
    return draft, [(note.kind.value, note.sentence, note.n) for note in notes.listed()]


def track_of(draft: SceneDraft, track_id: str):
    """The track with this id."""
    return next(track for track in draft.tracks if track.id == track_id)
