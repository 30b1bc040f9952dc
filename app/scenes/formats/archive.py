"""Files that came together in a zip archive, opened one by one under limits."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import BinaryIO

from app.scenes.formats.files import MAX_UNPACKED_BYTES, SourceFile

ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")  # the second starts an archive of nothing
SPREADSHEETS = (".xlsx", ".xlsm", ".ods")  # archives, too, of which no member is a table
MAX_MEMBERS = 100
# Tables and XML of traffic shrink to a fifth or a thirtieth; what shrinks more was made to.
MAX_RATIO = 200
FREE_BYTES = 2**20  # too little to do harm, whatever the ratio
# ValueError and OSError: names in no encoding, and places before the start of the file.
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError)


def is_archive(file: SourceFile) -> bool:
    """Whether the file is a zip archive, by its first bytes."""
    with file.open_packed() as stream:
        return stream.read(len(ZIP_MAGICS[0])) in ZIP_MAGICS


def unpack(file: SourceFile) -> list[SourceFile]:
    """The files in a zip archive under their bare names; any other file is alone.

    Nothing is unpacked yet: a member is unpacked while it is read, and what it says of its own
    size is not believed. All members together may have `MAX_UNPACKED_BYTES`.
    """
    if not is_archive(file):
        return [file]
    if file.name.lower().endswith(SPREADSHEETS):
        raise file.wrong("this is a spreadsheet; please save it as CSV UTF-8")
    with _opened(file) as archive:
        members = [member for member in archive.infolist() if not _is_furniture(member)]
    if not members:
        raise file.wrong("there is no file in the archive")
    if len(members) > MAX_MEMBERS:
        raise file.wrong(f"the archive has {len(members):,} files; at most {MAX_MEMBERS} are read")
    _check_places(file, members)
    so_far: Counter[int] = Counter()
    for member in members:
        _check_member(file, member)
    files = [_member_file(file, member, so_far) for member in members]
    for inner in files:
        if is_archive(inner):
            raise file.wrong(f"{inner.name} is an archive inside the archive; please unpack it")
    return files


@contextmanager
def _opened(file: SourceFile) -> Iterator[zipfile.ZipFile]:
    with file.open_packed() as stream:
        try:
            archive = zipfile.ZipFile(stream)
        except BROKEN as error:
            raise file.wrong(f"broken zip archive: {error}") from error
        with archive:
            yield archive


def _is_furniture(member: zipfile.ZipInfo) -> bool:
    """Folders, and what file managers leave beside the files."""
    parts = PurePosixPath(member.filename).parts
    return member.is_dir() or "__MACOSX" in parts or _bare_name(member).startswith(".")


def _bare_name(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename.replace("\\", "/")).name


def _check_places(file: SourceFile, members: Sequence[zipfile.ZipInfo]) -> None:
    """No two are one: what is unpacked is counted by its place."""
    at: dict[int, str] = {}
    for member in members:
        name = _bare_name(member)
        if member.header_offset in at:
            other = at[member.header_offset]
            raise file.wrong(f"{other} and {name} are at the same place of the archive")
        at[member.header_offset] = name


def _check_member(file: SourceFile, member: zipfile.ZipInfo) -> None:
    name = _bare_name(member)
    if member.flag_bits & 0x1:
        raise file.wrong(f"{name} is encrypted; please pack it without a password")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise file.wrong(f"{name} is a link to another file; please pack the file itself")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise file.wrong(f"{name} is packed by a method other than deflate, which is not read")


def _member_file(file: SourceFile, member: zipfile.ZipInfo, so_far: Counter[int]) -> SourceFile:
    def open_member() -> BinaryIO:
        # An archive of its own for each reader: two may read two members at the same time.
        return io.BufferedReader(_Member(file, member, so_far), 2**16)

    return SourceFile(_bare_name(member), open_member)


class _Member(io.RawIOBase):
    """The content of a member; `so_far` counts how far each was ever read, by its place."""

    def __init__(self, file: SourceFile, member: zipfile.ZipInfo, so_far: Counter[int]) -> None:
        self.file = file
        self.member = member
        self.so_far = so_far
        self.packed = file.open_packed()
        self.start()

    def start(self) -> None:
        """At the first byte."""
        self.position = 0
        with self.broken_is_told():
            # Both end with the file that they read from.
            self.stream = zipfile.ZipFile(self.packed).open(self.member)  # noqa: SIM115

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Back to the start, which is all that a reader needs."""
        if whence != io.SEEK_SET or offset > self.position:
            raise io.UnsupportedOperation("only back to what was read")
        self.start()
        while self.position < offset:
            self.position += len(self.stream.read(offset - self.position))
        return self.position

    def tell(self) -> int:
        return self.position

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        with self.broken_is_told():
            piece = self.stream.read(len(buffer))
        self.position += len(piece)
        place = self.member.header_offset
        self.so_far[place] = max(self.so_far[place], self.position)
        self.check_size()
        buffer[: len(piece)] = piece
        return len(piece)

    def check_size(self) -> None:
        """Refuse what grows without measure."""
        if self.so_far.total() > MAX_UNPACKED_BYTES:
            raise self.file.wrong(f"the archive unpacks to more than {MAX_UNPACKED_BYTES:,} bytes")
        if self.position > FREE_BYTES + MAX_RATIO * self.member.compress_size:
            raise self.file.wrong(
                f"{_bare_name(self.member)} unpacks to more than {MAX_RATIO} times its size"
            )

    @contextmanager
    def broken_is_told(self) -> Iterator[None]:
        """What is wrong with the packing becomes a sentence."""
        try:
            yield
        except BROKEN as error:
            self.close()
            raise self.file.wrong(f"broken zip archive: {error}") from error

    def close(self) -> None:
        """Give the archive's file back."""
        if not self.closed:
            self.packed.close()
        super().close()
