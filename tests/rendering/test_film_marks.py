"""A film is known by its first bytes, a text is not taken for one."""

import pytest

from app.rendering.film_marks import is_film_head, is_matroska, is_quicktime


@pytest.mark.parametrize("box", [b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"])
def test_every_box_that_the_decoder_knows_begins_a_film(box):
    assert is_quicktime(b"\0\0\0\x08" + box + b"rest")
    assert is_film_head(b"\0\0\0\x08" + box)


def test_webm_and_matroska_have_a_mark_of_their_own():
    assert is_matroska(b"\x1aE\xdf\xa3rest")
    assert is_film_head(b"\x1aE\xdf\xa3")


@pytest.mark.parametrize("head", [b"", b"\0", b"\0\0\0\x08", b"the free lane,t,x\n", b"id,t,x,y\n"])
def test_texts_and_nothing_are_no_films(head):
    assert not is_film_head(head)
