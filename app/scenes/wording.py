"""How names and times are put in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_NAME = 40


def quoted(names: Sequence[str], most: int) -> str:
    """The first names in quotes, and how many more there are.

    >>> quoted(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(repr(name[:LONGEST_NAME]) for name in names[:most]) + more


def seconds(time_s: float) -> str:
    """A time without the noise of sums, in full even where it counts from 1970.

    >>> seconds(0.1 + 0.2), seconds(1.6e9 + 0.5)
    ('0.3 s', '1600000000.5 s')
    """
    return f"{time_s:.12g} s"
