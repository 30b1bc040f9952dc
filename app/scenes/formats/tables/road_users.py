"""What files call the kinds of road users, and how large each of them is by its rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import nan

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.report import Notes
from app.scenes.formats.tables.blocks import Codes
from app.scenes.scene import Floats, RoadUser
from app.scenes.wording import quoted

MOST_SHOWN = 5

# Lower case, only letters.
_NAMES: dict[RoadUser, str] = {
    RoadUser.car: "car passengercar passenger automobile auto pkw vehicle sedan suv taxi kfz",
    RoadUser.van: "van deliveryvan minivan transporter lieferwagen",
    RoadUser.truck: "truck lorry lkw hgv heavyvehicle truckbus lastwagen",
    RoadUser.bus: "bus coach minibus",
    RoadUser.motorcycle: "motorcycle motorcyclist motorbike moped motorrad kraftrad",
    RoadUser.bicycle: "bicycle bicyclist bike cyclist ebike escooter fahrrad radfahrer",
    RoadUser.pedestrian: "pedestrian ped person people walker human pedestrianbicycle fussgaenger",
    RoadUser.other: "other unknown undefined trailer tricycle animal tram train",
}
_BY_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_MIXED = {"truckbus", "pedestrianbicycle"}
_NOT_A_LETTER = re.compile(r"[^a-z]")


def road_user_kinds(types: Sequence[str], notes: Notes) -> list[RoadUser]:
    """The kind of each road user by what its file calls it; doubts are noted."""
    names = [_NOT_A_LETTER.sub("", _spelt_out(name)) for name in types]
    unknown = [t for t, name in zip(types, names, strict=True) if _kind(name) is None and t]
    mixed = [t for t, name in zip(types, names, strict=True) if name in _MIXED]
    notes.assumed(
        f"Road users of a type that is not known ({_shown(unknown)}); they are shown as other.",
        len(unknown),
    )
    notes.assumed(
        f"Road users of a type that can mean two things ({_shown(mixed)}); they were taken for "
        "the first.",
        len(mixed),
    )
    without = types.count("")
    notes.assumed("Road users without a type; they were taken for cars.", without)
    return [
        (_kind(name) or RoadUser.other) if t else RoadUser.car
        for t, name in zip(types, names, strict=True)
    ]


class TypeSurvey:
    """What the first row of each track calls it."""

    def __init__(self) -> None:
        self.types: dict[int, str] = {}

    def add(self, track: NDArray[np.int64], codes: Codes, names: Sequence[str]) -> None:
        """Take a block into account."""
        tracks, firsts = np.unique(track, return_index=True)
        for number, code in zip(tracks.tolist(), codes[firsts].tolist(), strict=True):
            self.types.setdefault(number, names[code])


class SizeSurvey:
    """Length and width of each track from rows, which may disagree."""

    def __init__(self) -> None:
        self.extremes: list[tuple[NDArray[np.int64], list[Floats]]] = []

    def add(self, track: NDArray[np.int64], length_m: Floats, width_m: Floats) -> None:
        """Take a block into account; zero and nan are no sizes."""
        length_m = np.where(length_m > 0, length_m, nan)
        width_m = np.where(width_m > 0, width_m, nan)
        self.extremes.append(_extremes(track, [length_m, length_m, width_m, width_m]))

    def sizes_m(self, chosen: Sequence[int], notes: Notes) -> dict[int, tuple[float, float]]:
        """Length and width of each chosen track, nan where no row has them."""
        tracks = np.concatenate([tracks for tracks, _ in self.extremes])
        columns = zip(*(columns for _, columns in self.extremes), strict=True)
        tracks, (shortest, longest, narrowest, widest) = _extremes(
            tracks, [np.concatenate(column) for column in columns]
        )
        changing = (shortest < longest) | (narrowest < widest)
        changing &= np.isin(tracks, chosen)
        # A tracker sees less of a vehicle at the edge of its picture, never more.
        notes.assumed("Road users whose size changes; their largest was used.", int(changing.sum()))
        sizes_m = zip(longest.tolist(), widest.tolist(), strict=True)
        return dict(zip(tracks.tolist(), sizes_m, strict=True))


def _spelt_out(name: str) -> str:
    """In letters that every keyboard has: Fußgänger is fussgaenger."""
    return name.lower().replace("ß", "ss").replace("ä", "ae")


def _kind(name: str) -> RoadUser | None:
    return _BY_NAME.get(name) or _BY_NAME.get(name.removesuffix("s"))


def _shown(types: Sequence[str]) -> str:
    return quoted(list(dict.fromkeys(types)), MOST_SHOWN)


def _extremes(
    track: NDArray[np.int64], columns: Sequence[Floats]
) -> tuple[NDArray[np.int64], list[Floats]]:
    """Of each track the smallest of the first and third column, the largest of the others."""
    order = np.argsort(track, kind="stable")
    tracks, starts = np.unique(track[order], return_index=True)
    if not len(tracks):
        return tracks, [np.empty(0) for _ in columns]
    joins = (np.fmin, np.fmax, np.fmin, np.fmax)
    return tracks, [
        join.reduceat(column[order], starts) for join, column in zip(joins, columns, strict=True)
    ]
