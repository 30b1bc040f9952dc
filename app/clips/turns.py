"""Whose files are read when: a few at a time, and of each person one."""

from __future__ import annotations

from asyncio import Lock, Semaphore
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class ReadingTurns:
    """Turns to read; `sweeping` is held by who removes what was left over."""

    def __init__(self, at_once: int) -> None:
        self.sweeping = Lock()
        self._all = Semaphore(at_once)
        self._of: WeakValueDictionary[int, Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, user_id: int) -> AsyncIterator[None]:
        """Wait for one's own earlier readings first: whoever has sent many holds one turn."""
        mine = self._of.get(user_id) or Lock()
        self._of[user_id] = mine
        async with mine, self._all:
            yield
