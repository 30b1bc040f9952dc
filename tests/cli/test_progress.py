"""Bars for people, nothing for pipes."""

import io

from rich.console import Console

from app.cli.progress import progress_bar


def shown(*, terminal: bool, kept: bool = False, countable: bool = True) -> str:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=80)
    with progress_bar("Reading", console, kept=kept, countable=countable) as update:
        update(3, 12)
    return screen.getvalue()


def test_a_person_sees_how_far_the_work_is():
    assert "3/12" in shown(terminal=True)


def test_bytes_are_a_percentage():
    assert "25%" in shown(terminal=True, countable=False)


def test_a_pipe_gets_nothing():
    assert shown(terminal=False) == ""


def test_a_bar_that_is_kept_leaves_its_line_in_a_log():
    assert "Reading" in shown(terminal=False, kept=True)
