"""The files that a scene is read from: named streams of bytes, unpacked under a limit."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from app.scenes.formats.errors import SceneFormatError

# A levelXData recording has 30 to 150 MB; a file that unpacks to more than this is none.
MAX_UNPACKED_BYTES = 2**30
GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it came: its bare name, and how its bytes are opened, as often as needed."""

    name: str
    open_packed: Callable[[], BinaryIO]

    @classmethod
    def at(cls, path: Path) -> SourceFile:
        """A file on disk."""
        return cls(path.name, lambda: path.open("rb"))

    @classmethod
    def holding(cls, name: str, content: bytes) -> SourceFile:
        """A file in memory."""
        return cls(PurePosixPath(name).name, lambda: io.BytesIO(content))

    @property
    def stem(self) -> str:
        """The name up to its first dot: what a scene without a name is called."""
        return self.name.split(".")[0]

    def open(self, max_bytes: int = MAX_UNPACKED_BYTES) -> BinaryIO:
        """The content, unpacked if it is in gzip; SceneFormatError where it passes the limit."""
        packed = self.open_packed()
        magic = packed.read(len(GZIP_MAGIC))
        packed.seek(0)
        raw = gzip.GzipFile(fileobj=packed) if magic == GZIP_MAGIC else packed
        return io.BufferedReader(_Limited(self.name, raw, packed, max_bytes), 2**18)

    def read(self, max_bytes: int) -> bytes:
        """The whole content, unpacked."""
        with self.open(max_bytes) as stream:
            return stream.read()

    def head(self, n_bytes: int = 4096) -> bytes:
        """The first bytes, unpacked: what a file says of itself."""
        with self.open() as stream:
            return stream.read(n_bytes)

    def wrong(self, what: str) -> SceneFormatError:
        """The error that names this file."""
        return SceneFormatError(f"{self.name}: {what}")


class _Limited(io.RawIOBase):
    """Reads through until the limit; what is wrong with the packing becomes a sentence."""

    def __init__(self, name: str, raw: BinaryIO | gzip.GzipFile, packed: BinaryIO, most: int):
        self.name_of_file = name
        self.raw = raw
        self.packed = packed
        self.most = most
        self.so_far = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            piece = self.raw.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise SceneFormatError(f"{self.name_of_file}: broken gzip: {error}") from error
        self.so_far += len(piece)
        if self.so_far > self.most:
            raise SceneFormatError(
                f"{self.name_of_file}: the file has more than {self.most:,} bytes"
            )
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self.raw.close()
        self.packed.close()
        super().close()
