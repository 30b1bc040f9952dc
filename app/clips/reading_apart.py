"""Untrusted files are read by a process of its own, under limits; its death is a sentence.

Both ends are here: `read_apart` starts the process and takes what it found, `main` is the process.
They talk in JSON and in files of a folder. The process loads no web framework and no database, and
is given none of the server's environment.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.options import ReadOptions
from app.scenes.scene import SceneKind

if TYPE_CHECKING:
    from app.clips.findings import Found

ROOT = Path(__file__).resolve().parents[2]
# What a process needs to start and to find its caches; nothing that opens anything.
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "NUMBA_CACHE_DIR")
# Each thread of these libraries would reserve memory of its own, out of what is allowed.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
LOOK_EVERY_S = 0.1  # whether anybody still waits
LAST_WORDS = 2000  # characters of a crash that are worth keeping
LONGEST_SENTENCE = 2000  # a reader may repeat what it found in a file

logger = logging.getLogger("roadrater")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a reading may take before it is ended."""

    wall_s: float = 120.0
    memory_bytes: int = 4 * 2**30


@dataclass(frozen=True, slots=True)
class FileAt:
    """A file under the name that its owner gave it, which is never a path."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found, a scene or a film; `findings` is JSON as `app.clips.findings` makes it."""

    findings: dict[str, Any]
    scene_file: bytes = b""  # canonical, in gzip
    still_png: bytes = b""  # empty if the scene cannot be drawn
    plan: bytes = b""  # JSON of the whole recording

    @property
    def is_film(self) -> bool:
        """Whether the file was a finished film."""
        return "footage" in self.findings


class ReadingEnded(SceneFormatError):
    """The process was ended, or ended itself, before it had read the files."""


class ReadingGivenUp(Exception):
    """Nobody waits for what is read any longer."""


def read_apart(
    files: Sequence[FileAt],
    options: ReadOptions | None,
    limits: Limits,
    work: Path | None = None,
    given_up: Event | None = None,
) -> Reading:
    """Read the files in another process; without options the one file is a finished film.

    What the process writes is in `work` meanwhile. The process is ended when `given_up` is set.
    Raises SceneFormatError with the reader's sentence, or with ours if the process died.
    """
    request = {
        "files": [asdict(file) for file in files],
        "options": None if options is None else options_to_json(options),
        "limits": asdict(limits),
    }
    with TemporaryDirectory(prefix="reading-", dir=work) as folder:
        _run(Path(folder).absolute(), json.dumps(request).encode(), limits, given_up or Event())
        return _take(Path(folder), files)


def _run(folder: Path, request: bytes, limits: Limits, given_up: Event) -> None:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    with subprocess.Popen(
        [sys.executable, "-m", "app.clips.reading_apart", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment | ONE_THREAD,
    ) as process:
        try:
            last_words = _wait(process, request, limits, given_up)
        finally:
            process.kill()  # has no effect on one that has ended
    if process.returncode != 0:
        logger.error("a reading ended with code %s: %s", process.returncode, last_words)


def _wait(process: subprocess.Popen[bytes], request: bytes, limits: Limits, given_up: Event) -> str:
    latest_s, words = monotonic() + limits.wall_s, request
    while not given_up.is_set():
        try:
            _, errors = process.communicate(words, timeout=LOOK_EVERY_S)
            return errors.decode(errors="replace")[-LAST_WORDS:]
        except subprocess.TimeoutExpired:
            words = b""  # what was said is said; the next call goes on waiting
        if monotonic() > latest_s:
            raise ReadingEnded(
                f"reading took longer than {limits.wall_s:g} s and was stopped; please send a "
                "part of the recording"
            )
    raise ReadingGivenUp


def _take(folder: Path, files: Sequence[FileAt]) -> Reading:
    names = ", ".join(file.name for file in files)
    try:
        findings = json.loads((folder / "findings.json").read_bytes())
    except FileNotFoundError as error:
        raise ReadingEnded(
            f"reading {names} needed more memory or time than is allowed, and was stopped; please "
            "send a part of the recording"
        ) from error
    if "problem" in findings:
        raise SceneFormatError(findings["problem"][:LONGEST_SENTENCE])
    if "footage" in findings:
        return Reading(findings)
    scene_file, still, plan = (
        folder / name for name in ("scene.json.gz", "still.png", "plan.json")
    )
    still_png = still.read_bytes() if still.exists() else b""
    return Reading(findings, scene_file.read_bytes(), still_png, plan.read_bytes())


def options_to_json(options: ReadOptions) -> dict[str, Any]:
    """What the researcher said, as it is stored and sent."""
    return asdict(options) | {"roles": dict(options.roles), "columns": dict(options.columns)}


def options_from_json(document: Mapping[str, Any]) -> ReadOptions:
    """The same again."""
    kind, origin, offset = (document[name] for name in ("kind", "origin_deg", "map_offset_m"))
    typed = {
        "kind": None if kind is None else SceneKind(kind),
        "origin_deg": None if origin is None else tuple(origin),
        "map_offset_m": None if offset is None else tuple(offset),
    }
    return ReadOptions(**{**document, **typed})


def main() -> None:
    """The process: reads the request, then the files, and writes what it found."""
    folder, request = Path(sys.argv[1]), json.load(sys.stdin)
    files = [(file["name"], Path(file["path"])) for file in request["files"]]
    # Here, and not above: the server's process has no use for what it takes to read and draw.
    from app.clips.findings import find, find_film

    # After the libraries are loaded, which reserve more than they use, and before any file is.
    _limit_this_process(Limits(**request["limits"]))
    try:
        if request["options"] is None:
            _write(folder, "findings.json", {"footage": find_film(*files[0])})
        else:
            _write_found(folder, find(files, options_from_json(request["options"])))
    except SceneFormatError as error:
        _write(folder, "findings.json", {"problem": str(error)})


def _limit_this_process(limits: Limits) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    cpu_s = int(limits.wall_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _write_found(folder: Path, found: Found) -> None:
    (folder / "scene.json.gz").write_bytes(found.scene_file)
    if found.still_png:
        (folder / "still.png").write_bytes(found.still_png)
    _write(folder, "plan.json", found.plan.to_json())
    _write(folder, "findings.json", found.to_json())  # last: it says that the others are whole


def _write(folder: Path, name: str, document: object) -> None:
    (folder / name).write_text(json.dumps(document), encoding="utf-8")


if __name__ == "__main__":
    main()
