"""The hub: who watches a study hears of every change within a fraction of a second.

Each web process looks at each watched study a few times a second and compares. That
needs no broker, works the same on SQLite and PostgreSQL, and for any number of web
processes and of commands that write beside them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from app.dashboard.queries import read_study_now
from app.dashboard.study_now import StudyNow
from app.db import Database

# A stream ends after a while; the browser opens it again at once and is asked again who it is.
STREAM_S = 60.0
# A large study on a slow disk is looked at less often, so that looking stays cheap.
LARGEST_SHARE = 0.2


@dataclass(slots=True)
class Watch:
    """One watched study: the latest state, and the bells of those who wait for the next."""

    latest: StudyNow | None = None
    bells: set[asyncio.Event] = field(default_factory=set)
    task: asyncio.Task[None] | None = None

    def ring(self) -> None:
        for bell in self.bells:
            bell.set()


class Hub:
    """Watches a study while somebody listens."""

    def __init__(self, database: Database, interval_s: float) -> None:
        self._database = database
        self._interval_s = interval_s
        self._watches: dict[int, Watch] = {}

    async def listen(self, study_id: int, stream_s: float = STREAM_S) -> AsyncGenerator[StudyNow]:
        """The state now, then every new one; who is slow misses states, never the last."""
        watch = self._watches.get(study_id) or self._start(study_id)
        bell = asyncio.Event()
        watch.bells.add(bell)
        ends_s = time.monotonic() + stream_s
        seen: StudyNow | None = None
        try:
            while watch.task and not watch.task.done() and time.monotonic() < ends_s:
                if watch.latest is not None and watch.latest is not seen:
                    seen = watch.latest
                    yield seen
                    continue
                bell.clear()
                await asyncio.wait_for(bell.wait(), ends_s - time.monotonic())
        except TimeoutError:
            return
        finally:
            watch.bells.discard(bell)
            if not watch.bells:
                self._stop(study_id, watch)

    @property
    def watched(self) -> frozenset[int]:
        """Ids of the studies that are looked at."""
        return frozenset(self._watches)

    async def close(self) -> None:
        """End all streams and wait until nobody looks any more."""
        tasks = [watch.task for watch in self._watches.values() if watch.task is not None]
        for study_id, watch in list(self._watches.items()):
            self._stop(study_id, watch)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, study_id: int) -> Watch:
        watch = self._watches[study_id] = Watch()
        watch.task = asyncio.get_running_loop().create_task(self._look_again_and_again(study_id))
        # Also when looking has failed: the streams end, and browsers come back by themselves.
        watch.task.add_done_callback(lambda _task: watch.ring())
        return watch

    def _stop(self, study_id: int, watch: Watch) -> None:
        if watch.task is not None:
            watch.task.cancel()
        if self._watches.get(study_id) is watch:
            del self._watches[study_id]

    async def _look_again_and_again(self, study_id: int) -> None:
        watch = self._watches[study_id]
        while True:
            started_s = time.monotonic()
            now = await asyncio.to_thread(self._look, study_id, watch.latest)
            if now is not watch.latest:
                watch.latest = now
                watch.ring()
            took_s = time.monotonic() - started_s
            await asyncio.sleep(max(self._interval_s - took_s, took_s / LARGEST_SHARE))

    def _look(self, study_id: int, before: StudyNow | None) -> StudyNow:
        with self._database.read.begin() as db:
            return read_study_now(db, study_id, before)
