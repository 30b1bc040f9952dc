"""Scene files on disk: read with a sentence for what is wrong, and written."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from app.cli.progress import Update
from app.errors import Invalid
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.options import ReadOptions
from app.scenes.formats.reader import SceneReading, read_scene, with_companions


def read_scene_files(
    paths: Sequence[Path], options: ReadOptions, update: Update = lambda done, total: None
) -> SceneReading:
    """The scene in files and in those that belong to them; `update` is told bytes."""
    found = list(dict.fromkeys(file for path in paths for file in with_companions(path)))
    try:
        total = sum(path.stat().st_size for path in found)
        return read_scene(_watched(found, total, update), options)
    except FileNotFoundError as error:
        raise Invalid(f"there is no file {error.filename}") from None
    except OSError as error:
        raise Invalid(f"{error.filename} cannot be read: {error.strerror}") from None
    except SceneFormatError as error:
        raise Invalid(str(error)) from error


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole, or say why not."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Invalid(f"{path} cannot be written: {error.strerror}") from None


def _watched(paths: Sequence[Path], total: int, update: Update) -> list[SourceFile]:
    """The files, telling how far they are read; a second look at one starts over."""
    places = dict.fromkeys(paths, 0)

    def watch(path: Path) -> SourceFile:
        def note(place: int) -> None:
            places[path] = place
            update(sum(places.values()), total)

        return SourceFile(path.name, lambda: _Watched(path, note))

    return [watch(path) for path in paths]


class _Watched(io.BufferedReader):
    """A file that tells how far it has been read."""

    def __init__(self, path: Path, note: Callable[[int], None]) -> None:
        super().__init__(io.FileIO(path))
        self.note = note

    def read(self, size: int | None = -1, /) -> bytes:
        """As always, and told."""
        piece = super().read(size)
        self.note(self.tell())
        return piece
