"""A long table of ratings: who gave which clip which answer."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import Counts, check_categories, count_ratings

COLUMNS = ("clip", "rater", "rating")
ORDER_COLUMNS = ("order", "rated_at")


class RatingsFormatError(ValueError):
    """The file is not a table of ratings; the message says where."""


@dataclass(frozen=True, slots=True, eq=False)
class RatingTable:
    """Ratings of clips by raters, at most one of each rater on each clip.

    `clip_index`, `rater_index` and `rating` have shape (n_ratings,) and belong together;
    the indices point into `clips` and `raters`. Answers are 1 to `categories`.
    """

    clips: tuple[str, ...]
    raters: tuple[str, ...]
    clip_index: NDArray[np.int64]
    rater_index: NDArray[np.int64]
    rating: NDArray[np.int64]
    categories: int

    @property
    def n_ratings(self) -> int:
        return len(self.rating)

    def counts(self) -> Counts:
        """(n_clips, n_categories) array: raters per clip and category."""
        return count_ratings(self.clip_index, self.rating, len(self.clips), self.categories)

    def scores(self) -> NDArray[np.int64]:
        """(n_clips, n_raters) array: the answers, 0 where there is none."""
        table = np.zeros((len(self.clips), len(self.raters)), dtype=np.int64)
        table[self.clip_index, self.rater_index] = self.rating
        return table


def rating_table(
    ratings: Iterable[tuple[str, str, int]],
    categories: int,
    clips: Iterable[str] = (),
    raters: Iterable[str] = (),
) -> RatingTable:
    """A table of (clip, rater, rating) in the order given; the last of a repeated pair wins.

    Name `clips` or `raters` to keep those in the table who have no rating yet.

    Examples
    --------
    >>> table = rating_table([("a", "ann", 1), ("a", "bob", 2), ("a", "ann", 2)], categories=2)
    >>> table.counts()
    array([[0, 2]])
    """
    check_categories(categories)
    last: dict[tuple[str, str], int] = {}
    for clip, rater, rating in ratings:
        if not 1 <= rating <= categories:
            raise ValueError(f"rating {rating} of {rater} on {clip} is outside 1..{categories}")
        last[clip, rater] = rating
    return _from_cells(last, categories, clips, raters)


def table_from_scores(scores: NDArray[np.integer[Any]], categories: int) -> RatingTable:
    """A table from answers with one row per clip and one column per rater, 0 where missing."""
    clip_index, rater_index = np.nonzero(scores)
    rating = scores[clip_index, rater_index].astype(np.int64)
    if rating.size and (rating.min() < 1 or rating.max() > categories):
        raise ValueError(
            f"ratings from {rating.min()} to {rating.max()} are outside 1..{categories}"
        )
    n_clips, n_raters = scores.shape
    return RatingTable(
        clips=tuple(f"clip {i + 1}" for i in range(n_clips)),
        raters=tuple(f"rater {r + 1}" for r in range(n_raters)),
        clip_index=clip_index.astype(np.int64),
        rater_index=rater_index.astype(np.int64),
        rating=rating,
        categories=check_categories(categories),
    )


def read_ratings_csv(lines: Iterable[str], categories: int) -> RatingTable:
    """Ratings from CSV with the columns clip, rater and rating, in any order, others ignored.

    Two ratings of one rater on a clip are refused, unless a column `order` (a number) or
    `rated_at` (ISO 8601) tells which came last.

    Raises
    ------
    RatingsFormatError
        One sentence with the line.

    Examples
    --------
    >>> read_ratings_csv(["clip,rater,rating", "a,ann,6"], categories=5)
    Traceback (most recent call last):
    app.agreement.ratings.RatingsFormatError: line 2: rating 6 is outside 1..5
    """
    check_categories(categories)
    reader = csv.reader(lines, strict=True)
    cells: dict[tuple[str, str], _Cell] = {}
    try:
        columns = _read_header(next(reader, None))
        for row in reader:
            if any(value.strip() for value in row):
                _add_row(cells, row, reader.line_num, columns, categories)
    except csv.Error as error:
        raise RatingsFormatError(f"line {reader.line_num}: {error}") from error
    if not cells:
        raise RatingsFormatError(f"line {reader.line_num}: the file has a header but no ratings")
    return _from_cells({pair: cell.rating for pair, cell in cells.items()}, categories)


@dataclass(frozen=True, slots=True)
class _Cell:
    rating: int
    line: int
    order: float | None


def _read_header(row: list[str] | None) -> Mapping[str, int]:
    if row is None:
        raise RatingsFormatError(
            "line 1: the file is empty; it needs the columns clip,rater,rating"
        )
    names = [name.strip().lstrip("\ufeff").strip('"').lower() for name in row]
    if "rater" not in names:  # our own responses.csv calls them so
        names = ["rater" if name == "participant" else name for name in names]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise RatingsFormatError(
            f"line 1: columns missing: {', '.join(missing)} (found: {', '.join(names)})"
        )
    for name in COLUMNS:
        if names.count(name) > 1:
            raise RatingsFormatError(f"line 1: column {name} occurs {names.count(name)} times")
    return {name: names.index(name) for name in (*COLUMNS, *ORDER_COLUMNS) if name in names}


def _add_row(
    cells: dict[tuple[str, str], _Cell],
    row: list[str],
    line: int,
    columns: Mapping[str, int],
    categories: int,
) -> None:
    if len(row) <= max(columns.values()):
        raise RatingsFormatError(f"line {line}: {len(row)} values, but the header names more")
    values = {name: row[position].strip() for name, position in columns.items()}
    for name in ("clip", "rater"):
        if not values[name]:
            raise RatingsFormatError(f"line {line}: the {name} is empty")
    cell = _Cell(_read_rating(values["rating"], line, categories), line, _read_order(values, line))
    pair = values["clip"], values["rater"]
    earlier = cells.get(pair)
    if earlier is not None and not _ordered(earlier, cell):
        raise RatingsFormatError(
            f"line {line}: rater {pair[1]} has rated clip {pair[0]} before, "
            f"on line {earlier.line}, and nothing tells which rating came last"
        )
    if earlier is None or _is_later(cell, earlier):
        cells[pair] = cell


def _ordered(one: _Cell, other: _Cell) -> bool:
    return one.order is not None and other.order is not None and one.order != other.order


def _is_later(cell: _Cell, earlier: _Cell) -> bool:
    return cell.order is not None and earlier.order is not None and cell.order > earlier.order


def _read_rating(text: str, line: int, categories: int) -> int:
    if not text:
        raise RatingsFormatError(
            f"line {line}: the rating is empty; leave out the line of a missing rating"
        )
    try:
        number = float(text)
    except ValueError:
        raise RatingsFormatError(f"line {line}: rating {text!r} is not a number") from None
    if not number.is_integer():
        raise RatingsFormatError(f"line {line}: rating {text} is not a whole number")
    if not 1 <= number <= categories:
        raise RatingsFormatError(f"line {line}: rating {text} is outside 1..{categories}")
    return int(number)


def _read_order(values: Mapping[str, str], line: int) -> float | None:
    if order := values.get("order"):
        try:
            number = float(order)
        except ValueError:
            number = nan
        if isnan(number):
            raise RatingsFormatError(f"line {line}: order {order!r} is not a number")
        return number
    if rated_at := values.get("rated_at"):
        try:
            time = datetime.fromisoformat(rated_at)
        except ValueError:
            sentence = f"line {line}: rated_at {rated_at!r} is not an ISO 8601 time"
            raise RatingsFormatError(sentence) from None
        # A time without a zone is read as UTC, so that the result is the same everywhere.
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    return None


def _from_cells(
    cells: Mapping[tuple[str, str], int],
    categories: int,
    clips: Iterable[str] = (),
    raters: Iterable[str] = (),
) -> RatingTable:
    # A dict keeps the order of first appearance, which a set would lose.
    clip_rows = {
        name: row for row, name in enumerate(dict.fromkeys([*clips, *(c for c, _ in cells)]))
    }
    rater_rows = {
        name: row for row, name in enumerate(dict.fromkeys([*raters, *(r for _, r in cells)]))
    }
    return RatingTable(
        clips=tuple(clip_rows),
        raters=tuple(rater_rows),
        clip_index=np.array([clip_rows[clip] for clip, _ in cells], dtype=np.int64),
        rater_index=np.array([rater_rows[rater] for _, rater in cells], dtype=np.int64),
        rating=np.array(list(cells.values()), dtype=np.int64),
        categories=categories,
    )
