"""The parts of a CommonRoad file that its obstacles and its lanelets are both made of."""

from __future__ import annotations

from math import isfinite
from xml.etree.ElementTree import Element

import numpy as np

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.safe_xml import parse_tree
from app.scenes.road_map import Points

# The largest published scenarios have 20 MB.
MAX_BYTES = 2**26
# Farther than around the Earth, and still far from where arithmetic overflows.
LARGEST = 1e9
VERSIONS = ("2018b", "2020a")


def read_root(file: SourceFile) -> Element:
    """The root of a CommonRoad file of a version that is known here."""
    root = parse_tree(file, MAX_BYTES)
    if root.tag != "commonRoad":
        raise file.wrong(f"the first element is <{root.tag}>, but <commonRoad> was expected")
    version = root.get("commonRoadVersion")
    if version is None:
        raise file.wrong("<commonRoad> has no attribute commonRoadVersion")
    if version not in VERSIONS:
        raise file.wrong(
            f"this is CommonRoad version {version!r}; the known versions are "
            f"{' and '.join(VERSIONS)}. CommonRoad's own tools convert older files"
        )
    return root


def number(text: str | None, what: str) -> float:
    """A finite number; whoever asks for it says where in the file it is."""
    try:
        value = float(text or "")
    except ValueError:
        raise SceneFormatError(f"{what}: {(text or '').strip()!r} is not a number") from None
    if not isfinite(value):
        raise SceneFormatError(f"{what}: {value} is not a finite number")
    if abs(value) > LARGEST:
        raise SceneFormatError(f"{what}: {value:g} is too large")
    return value


def number_of(parent: Element, tag: str) -> float:
    """The number in a child element."""
    child = parent.find(tag)
    if child is None:
        raise SceneFormatError(f"<{tag}> is missing")
    return number(child.text, tag)


def points_of(parent: Element, at_least: int = 2) -> Points:
    """The points of a polyline or polygon; a height is left out."""
    n_points = len(parent.findall("point"))
    if n_points < at_least:
        raise SceneFormatError(f"{parent.tag}: {n_points} points, but {at_least} are needed")
    # Whole columns at once: a map has ten thousand points.
    columns = [[element.text for element in parent.iterfind(f"point/{axis}")] for axis in "xy"]
    if [len(column) for column in columns] != [n_points, n_points]:
        raise SceneFormatError(f"{parent.tag}: a point needs one x and one y")
    return np.array([[number(text, parent.tag) for text in column] for column in columns]).T
