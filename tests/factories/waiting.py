"""Waiting for what another process or thread brings about, but not for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def wait_until(condition: Callable[[], object], timeout_s: float = 30.0) -> None:
    """Return as soon as the condition holds; fail when the time is over."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"not within {timeout_s:g} s"
        time.sleep(0.02)


def run_async(coroutine: Coroutine[object, object, Result]) -> Result:
    """Run it in a thread of its own: browser tests leave a loop running in the tests' thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
