"""What a file can be, and the files of one upload sorted by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile


class FileKind(StrEnum):
    """Every kind of file that is known by its content."""

    canonical = "canonical"
    canonical_csv = "canonical-csv"
    plain_csv = "csv"
    interaction = "interaction"
    levelx_tracks = "levelx"
    levelx_tracks_meta = "levelx-tracks-meta"
    levelx_recording_meta = "levelx-recording-meta"
    highd_tracks = "highd"
    highd_tracks_meta = "highd-tracks-meta"
    highd_recording_meta = "highd-recording-meta"
    commonroad = "commonroad"
    sumo_fcd = "sumo-fcd"
    sumo_net = "sumo-net"
    sumo_routes = "sumo-routes"
    lanelet2 = "lanelet2"
    opendrive = "opendrive"


@dataclass(frozen=True, slots=True)
class FileSet:
    """The files that were given together."""

    by_kind: Mapping[FileKind, tuple[SourceFile, ...]]

    def all(self, kind: FileKind) -> tuple[SourceFile, ...]:
        """Every file of a kind, in the order given."""
        return self.by_kind.get(kind, ())

    def get(self, kind: FileKind) -> SourceFile:
        """The file of a kind; none and two are refused."""
        file = self.find(kind)
        if file is None:
            raise SceneFormatError(f"there is no file of the kind {kind}")
        return file

    def find(self, kind: FileKind) -> SourceFile | None:
        """The file of a kind, if there is one; two are refused."""
        files = self.all(kind)
        if len(files) > 1:
            names = " and ".join(file.name for file in files)
            raise SceneFormatError(f"{names} are both of the kind {kind}; please give one of them")
        return files[0] if files else None
