"""How often somebody may try to sign in: a sliding window with bounded memory."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from threading import Lock
from typing import ClassVar

from app.errors import AppError


class TooManyAttempts(AppError):
    """Sign-in was tried too often; the sentence says when to try again."""

    status: ClassVar[int] = 429
    title: ClassVar[str] = "Too many attempts"

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"Too many attempts to sign in. Please try again in {_in_words(wait_s)}.")
        self.wait_s = wait_s


@dataclass(slots=True)
class SlidingWindow:
    """At most `limit` events of a key within `window_s`; the oldest keys are forgotten first."""

    limit: int
    window_s: float
    max_keys: int = 10_000
    _events: dict[str, deque[datetime]] = field(default_factory=dict)

    def wait_s(self, key: str, now: datetime) -> float:
        """Seconds until the key may try again; 0 if now."""
        events = self._events.get(key)
        if events is None or len(events) < self.limit:
            return 0.0
        return max(0.0, (events[0] + timedelta(seconds=self.window_s) - now).total_seconds())

    def add(self, key: str, now: datetime) -> None:
        """Remember an event."""
        events = self._events.pop(key, None) or deque(maxlen=self.limit)
        events.append(now)
        self._events[key] = events  # the newest key is the last, so the first is the oldest
        if len(self._events) > self.max_keys:
            del self._events[next(iter(self._events))]

    def forget(self, key: str) -> None:
        """Start again with this key."""
        self._events.pop(key, None)


@dataclass(slots=True)
class SignInAttempts:
    """Attempts to sign in, counted for the account and for the address they come from.

    Counted in this process: with several, an attacker has that many times the attempts,
    which is still too few to guess a password.
    """

    per_email: SlidingWindow = field(default_factory=lambda: SlidingWindow(10, 300))
    # More than for an account: a laboratory may share one address.
    per_address: SlidingWindow = field(default_factory=lambda: SlidingWindow(50, 300))
    _lock: Lock = field(default_factory=Lock)

    def take(self, email: str, address: str, now: datetime) -> None:
        """Count an attempt before it is made, or refuse it."""
        with self._lock:
            account = email.strip().lower()
            wait_s = max(self.per_email.wait_s(account, now), self.per_address.wait_s(address, now))
            if wait_s > 0:
                raise TooManyAttempts(ceil(wait_s))
            self.per_email.add(account, now)
            self.per_address.add(address, now)

    def succeed(self, email: str) -> None:
        """The person is who they say; their earlier slips do not count."""
        with self._lock:
            self.per_email.forget(email.strip().lower())


def _in_words(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"
