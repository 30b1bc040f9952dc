"""What long work looks like in the terminal, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

Update = Callable[[int, int], None]


@contextmanager
def progress_bar(
    description: str,
    console: Console | None = None,
    *,
    countable: bool = True,
    kept: bool = False,
) -> Iterator[Update]:
    """A bar that is told `(done, total)`.

    `countable` things are shown as "3/36", others, such as bytes, as a percentage. A bar that is
    not `kept` is gone when the work is done, and never there in a pipe.
    """
    console = console or Console(stderr=True)
    amount: ProgressColumn = MofNCompleteColumn() if countable else TaskProgressColumn()
    with Progress(
        TextColumn("{task.description:<20}"),
        BarColumn(),
        amount,
        TimeElapsedColumn(),
        console=console,
        transient=not kept,
        disable=not kept and not console.is_terminal,
    ) as bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
