"""By which first bytes a film is known, whatever its name."""

from __future__ import annotations

HEAD_BYTES = 8
QUICKTIME_BOXES = frozenset({b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})
MATROSKA = b"\x1a\x45\xdf\xa3"
# A box begins with its size; above this it would have 512 MB, or is text such as "the free …".
FIRST_PRINTABLE = 0x20


def is_quicktime(head: bytes) -> bool:
    """MP4, MOV and their kin, which begin with a box."""
    return head[4:8] in QUICKTIME_BOXES and head[0] < FIRST_PRINTABLE


def is_matroska(head: bytes) -> bool:
    """WebM and Matroska."""
    return head.startswith(MATROSKA)


def is_film_head(head: bytes) -> bool:
    """Whether a video file that can be shown begins like this."""
    return is_quicktime(head) or is_matroska(head)
