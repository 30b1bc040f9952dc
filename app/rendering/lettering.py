"""Letters made of strokes, for figures that researchers read in a preview.

A character is drawn on a grid: 0 to 4 across, and up from the lowest descender at 0 by way of
the baseline at 2 and the top of small letters at 6 to the top of capitals at 8.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from app.rendering.canvas import Atlas, Canvas
from app.rendering.raster import paint_sprites
from app.rendering.sprites import Layer, pack
from app.rendering.strokes import stroke
from app.scenes.road_map import Points

INK, HALO = "#FFFFFF", "#14191D"
HALO_OPACITY = 0.78
BASELINE, CAPITAL_TOP = 2, 8
LINE, HALO_LINE = 0.95, 2.9  # widths on the grid
END = 0.35  # of its width by which a stroke is longer at each end
DOT = 0.15  # half the length of a dot before its ends are added
SPACING, SPACE = 2.2, 3.2

# Pairs of digits are places, spaces join them to lines, semicolons lift the pen, and a place by
# itself is a dot.
STROKES = {
    "A": "02 06 18 38 46 42; 04 44", "B": "02 08 38 47 46 35 05; 35 44 43 32 02",
    "C": "47 38 18 07 03 12 32 43", "D": "02 08 28 46 44 22 02", "E": "48 08 02 42; 05 35",
    "F": "48 08 02; 05 35", "G": "47 38 18 07 03 12 32 43 45 25", "H": "02 08; 42 48; 05 45",
    "I": "12 18; 02 22; 08 28", "J": "48 43 32 12 03", "K": "02 08; 48 05 42", "L": "08 02 42",
    "M": "02 08 25 48 42", "N": "02 08 42 48", "O": "12 03 07 18 38 47 43 32 12",
    "P": "02 08 38 47 46 35 05", "Q": "12 03 07 18 38 47 43 32 12; 24 41",
    "R": "02 08 38 47 46 35 05; 25 42", "S": "47 38 18 07 06 15 35 44 43 32 12 03",
    "T": "22 28; 08 48", "U": "08 03 12 32 43 48", "V": "08 22 48", "W": "08 12 26 32 48",
    "X": "02 48; 08 42", "Y": "08 25 48; 25 22", "Z": "08 48 02 42",
    "a": "36 32; 35 26 16 05 03 12 22 33", "b": "08 02; 05 16 26 35 33 22 12 03",
    "c": "35 26 16 05 03 12 22 33", "d": "38 32; 35 26 16 05 03 12 22 33",
    "e": "04 34 35 26 16 05 03 12 32", "f": "38 28 17 12; 06 36",
    "g": "36 31 20 10 01; 35 26 16 05 03 12 22 33", "h": "08 02; 05 16 26 35 32", "i": "02 06; 08",
    "j": "16 11 00; 18", "k": "08 02; 36 04 32", "l": "08 03 12",
    "m": "02 06; 05 16 25 22; 25 36 45 42",
    "n": "02 06; 05 16 26 35 32", "o": "12 03 05 16 26 35 33 22 12",
    "p": "00 06; 05 16 26 35 33 22 12 03", "q": "30 36; 35 26 16 05 03 12 22 33",
    "r": "02 06; 05 16 26", "s": "36 16 05 14 24 33 22 02", "t": "18 13 22 32; 06 36",
    "u": "06 03 12 22 33; 36 32", "v": "06 22 46", "w": "06 12 25 32 46", "x": "02 36; 06 32",
    "y": "06 22; 46 10", "z": "06 36 02 32",
    "0": "12 03 07 18 38 47 43 32 12; 25", "1": "06 28 22; 02 42", "2": "07 18 38 47 46 02 42",
    "3": "07 18 38 47 46 35 15; 35 44 43 32 12 03", "4": "32 38 04 44",
    "5": "48 08 05 35 44 43 32 12 03", "6": "47 38 18 07 03 12 32 43 44 35 15 04", "7": "08 48 12",
    "8": "15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35",
    "9": "03 12 32 43 47 38 18 07 06 15 35 46",
    ".": "02", ",": "12 01", ":": "02; 06", ";": "12 01; 16", "-": "05 35", "–": "05 45",
    "+": "05 45; 23 27", "/": "01 49", "(": "19 07 03 11", ")": "09 17 13 01", "%": "02 48; 07; 43",
    "=": "04 44; 06 46", "_": "01 41", "#": "12 18; 32 38; 04 44; 06 46", "'": "08 06",
    "?": "07 18 38 47 46 25 24; 22", "!": "08 05; 02", "<": "47 05 43", ">": "07 45 03",
    "|": "00 09", "×": "03 47; 07 43", "·": "05", "[": "19 09 01 11", "]": "09 19 11 01",
    "*": "23 27; 04 46; 06 44",
}  # fmt: skip
# What has no letter of its own is an empty box: it is seen that something is there.
UNKNOWN = "02 08 48 42 02"
CHARACTERS = (*STROKES, "")


def write(
    canvas: Canvas, texts: list[tuple[str, float, float]], height_px: float, *, middle: bool = False
) -> None:
    """Paint lines of text, white in a dark halo.

    Each is a text, the column of its left end (or of its `middle`) and the row of its baseline.
    """
    atlas, letters, affines = _atlas(), [], []
    unit_px = height_px / (CAPITAL_TOP - BASELINE)
    for text, column, row in texts:
        start = column - text_width_px(text, height_px) / 2 if middle else column
        for character, place in _placed(text):
            letters.append(_index(character))
            affines.append((unit_px, 0.0, start + place * unit_px, 0.0, -unit_px, row))
    if letters:
        # All halos first, so that none lies over the letter before.
        sprites = np.array([2 * k for k in letters] + [2 * k + 1 for k in letters], np.int32)
        paint_sprites(canvas, atlas, sprites, np.array(affines * 2))


def text_width_px(text: str, height_px: float) -> float:
    """From the left end of a text to its right end."""
    return (_advance(text) - SPACING) * height_px / (CAPITAL_TOP - BASELINE) if text else 0.0


def glyph(character: str) -> list[Points]:
    """The lines of a character, (n, 2) each, from its left end and the baseline."""
    lines = STROKES.get(character, UNKNOWN).split(";")
    return [
        np.array([(int(place[0]), int(place[1]) - BASELINE) for place in line.split()], float)
        for line in lines
    ]


def _placed(text: str) -> list[tuple[str, float]]:
    return [(c, _advance(text[:k])) for k, c in enumerate(text) if c != " "]


def _advance(text: str) -> float:
    return sum(SPACE if character == " " else _width(character) + SPACING for character in text)


@cache
def _width(character: str) -> float:
    return float(max(line[:, 0].max() for line in glyph(character)))


def _index(character: str) -> int:
    known = character if character in STROKES else ""
    return CHARACTERS.index(known)


@cache
def _atlas() -> Atlas:
    """Of each character its halo and its ink."""
    sprites = []
    for character in CHARACTERS:
        lines = glyph(character)
        sprites.append([Layer(_strokes(lines, HALO_LINE), HALO, HALO_OPACITY)])
        sprites.append([Layer(_strokes(lines, LINE), INK)])
    return pack(sprites)


def _strokes(lines: list[Points], width: float) -> list[Points]:
    """Each piece by itself, a little longer: at sharp corners they then meet in full width."""
    pieces = [piece for line in lines for piece in _pieces(line)]
    return [ring for piece in pieces for ring in stroke(_longer(piece, END * width), width)]


def _pieces(line: Points) -> list[Points]:
    """The straight pieces of a line; a dot is a very short one."""
    if len(line) == 1:
        return [line + np.array([[-DOT, 0.0], [DOT, 0.0]])]
    return [np.array(ends) for ends in pairwise(line)]


def _longer(piece: Points, reach: float) -> Points:
    ahead = piece[1] - piece[0]
    ahead /= np.hypot(*ahead)
    return np.asarray(piece + np.array([-reach * ahead, reach * ahead]))
