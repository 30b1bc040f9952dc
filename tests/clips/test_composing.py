"""Numbers become words."""

import pytest

from app.clips.composing import (
    FORMAT_NAMES,
    MOST_OF_A_FILM_BYTES,
    counted,
    seconds,
    size,
)
from app.rendering.footage_file import MAX_BYTES
from app.scenes.formats.reader import FORMATS


@pytest.mark.parametrize(
    ("n_bytes", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (512_000_000, "512 MB"), (2e9, "2 GB")],
)
def test_a_size_is_said_as_people_say_it(n_bytes, words):
    assert size(int(n_bytes)) == words


def test_a_time_has_no_more_decimals_than_it_needs():
    assert seconds(0.1 + 0.2) == "0.3"
    assert seconds(10.0) == "10"
    assert seconds(123456.75) == "123456.75"


def test_one_is_not_many():
    assert counted(1, "road user", "road users") == "1 road user"
    assert counted(1200, "road user", "road users") == "1,200 road users"


def test_the_page_says_how_large_a_film_may_be():
    assert MOST_OF_A_FILM_BYTES == MAX_BYTES


def test_every_format_that_is_read_has_a_name_that_people_know():
    assert set(FORMAT_NAMES) == {str(name) for name in FORMATS}
