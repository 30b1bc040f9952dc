"""Where files live: a folder in which a file is whole or absent, never half written."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

KEY = re.compile(r"[a-z0-9][a-z0-9/._-]{0,200}")


@dataclass(frozen=True, slots=True)
class Storage:
    """A folder of files named by their content; a key is a relative path such as clips/ab12.mp4."""

    folder: Path

    def put(self, key: str, content: bytes) -> None:
        """Write the file and make sure that it is on disk before its name exists."""
        self._write(key, lambda file: file.write(content))

    def put_stream(self, key: str, content: BinaryIO) -> None:
        """The same for what is too large for the memory."""
        self._write(key, lambda file: shutil.copyfileobj(content, file, 2**20))

    def put_again(self, key: str, other: str) -> None:
        """Another key's content under this one too, at once where files can be linked."""
        if self.exists(key):
            return
        target, source = self.path(key), self.path(other)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            target.hardlink_to(source)
        except FileExistsError:
            return  # named by its content: who was faster put the same
        except OSError:  # a file system without links
            with source.open("rb") as content:
                self.put_stream(key, content)
        _sync_folder(target.parent)

    def _write(self, key: str, write: Callable[[BinaryIO], object]) -> None:
        target = self.path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".writing-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)

    def get(self, key: str) -> bytes:
        """The file's content; FileNotFoundError if there is none."""
        return self.path(key).read_bytes()

    def exists(self, key: str) -> bool:
        """Whether the file is there, whole."""
        return self.path(key).is_file()

    def remove(self, key: str) -> None:
        """The file goes; none is as good as gone."""
        self.path(key).unlink(missing_ok=True)

    def remove_folder(self, key: str) -> None:
        """Everything whose key begins with this folder goes."""
        folder = self.path(key)
        if not folder.is_dir():
            return
        mine = folder.with_name(f"removing-{secrets.token_hex(8)}")
        try:
            folder.rename(mine)  # of two who remove it at once, one has it
        except FileNotFoundError:
            return
        shutil.rmtree(mine)

    def path(self, key: str) -> Path:
        """Where the file is or would be; a key that could leave the folder is refused."""
        if not KEY.fullmatch(key) or ".." in key:
            raise ValueError(f"{key!r} is not a key of the storage")
        return self.folder / key


def _sync_folder(folder: Path) -> None:
    """Make a rename last: the new name is in the folder, and the folder must be on disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
