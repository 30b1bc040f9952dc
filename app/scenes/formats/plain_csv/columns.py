"""Which column of a plain table means what, by its name or by what the researcher says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.plain_csv.units import SCALES, Quantity, parse_unit
from app.scenes.wording import quoted

NEEDED = ("id", "t", "x", "y")
MOST_SHOWN = 20

# What a column can mean, and what it measures; "compass" is a heading clockwise from north and
# "frame" a time that is counted.
MEANINGS: dict[str, Quantity | None] = {
    "id": None,
    "t": Quantity.time,
    "frame": Quantity.time,
    "x": Quantity.length,
    "y": Quantity.length,
    "heading": Quantity.angle,
    "compass": Quantity.angle,
    "speed": Quantity.speed,
    "acceleration": Quantity.acceleration,
    "vx": Quantity.speed,
    "vy": Quantity.speed,
    "length": Quantity.length,
    "width": Quantity.length,
    "type": None,
}

# Names as simulators, data sets and spreadsheets have them: lower case, only letters and digits.
SYNONYMS: dict[str, str] = {
    "id": "id trackid vehicleid vehid carid agentid actorid objectid objid obstacleid roaduserid "
    "track vehicle agent actor tracknumber vehiclenumber fahrzeug fahrzeugid objekt objektid",
    "t": "t time timestamp simtime simulationtime elapsedtime timetotal zeit zeitstempel",
    "frame": "frame frameid frames framenumber frameno frameindex framecount timestep step",
    "x": "x posx xpos positionx xposition xcenter centerx xcentre centrex xcoord xcoordinate "
    "easting utmx xutm vehiclex agentx objectx",
    "y": "y posy ypos positiony yposition ycenter centery ycentre centrey ycoord ycoordinate "
    "northing utmy yutm vehicley agenty objecty",
    "heading": "heading headingangle yaw yawangle psi theta orientation angle hdg rotation "
    "gierwinkel",
    "compass": "compass compassheading compassbearing bearing azimuth course",
    "speed": "speed velocity v vel vabs absvelocity groundspeed vehiclespeed geschwindigkeit tempo",
    "acceleration": "acceleration accel acc a lonacceleration longitudinalacceleration alon "
    "beschleunigung",
    "vx": "vx velocityx xvelocity velx xvel speedx",
    "vy": "vy velocityy yvelocity vely yvel speedy",
    "length": "length len l vehiclelength objectlength agentlength vlength boxlength laenge",
    "width": "width w vehiclewidth objectwidth agentwidth vwidth boxwidth breite",
    "type": "type kind class category label agenttype agentclass vehicletype vehicleclass "
    "objecttype objectclass roadusertype classname typename "
    "typ art klasse fahrzeugtyp fahrzeugart",
}
BY_NAME = {name: meaning for meaning, names in SYNONYMS.items() for name in names.split()}

_BRACKETED = re.compile(r"([^\[\](){}]*)[\[(]([^\[\](){}]*)[\])]\s*")
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]")
# Longest first, so that speed_km_h is not taken for hours.
_SUFFIXES = {quantity: sorted(scales, key=len, reverse=True) for quantity, scales in SCALES.items()}


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its name in the file, and what one of its unit is in SI, if that is known."""

    name: str
    scale: Fraction | None = None


def find_columns(
    file: SourceFile, header: Sequence[str], mapping: Mapping[str, str]
) -> dict[str, Column]:
    """The column of each meaning; what the researcher says counts more than any name.

    Raises SceneFormatError where a name fits no column, two columns fit one meaning, or id, time
    or place are missing.
    """
    columns = dict(_mapped(file, header, *item) for item in mapping.items())
    settled, taken = _settled(columns), {column.name for column in columns.values()}
    for meaning, found in _recognised(name for name in header if name not in taken).items():
        if meaning not in settled:
            columns[meaning] = _only(file, meaning, found)
    _settle_time(file, columns)
    if missing := [meaning for meaning in NEEDED if meaning not in columns]:
        raise file.wrong(
            f"no column for {_listed(missing)} was found among {_shown(header)}; id, t, x and y "
            "are needed: name them so, or say which they are, for example x=pos_x [ft]"
        )
    if "heading" in columns and "compass" in columns:
        raise _ambiguous(file, "heading", [columns["heading"], columns["compass"]])
    return columns


def _mapped(
    file: SourceFile, header: Sequence[str], meaning: str, wanted: str
) -> tuple[str, Column]:
    if meaning not in MEANINGS:
        raise file.wrong(f"{meaning!r} cannot be mapped; what can is {_listed(list(MEANINGS))}")
    name, unit = _named(file, header, meaning, wanted.strip())
    quantity = MEANINGS[meaning]
    if quantity is None:
        return meaning, Column(name)
    scale = _suffix(name, quantity)[1] if unit is None else _scale(file, name, unit, quantity)
    by_name = BY_NAME.get(_simple(_split_unit(name)[0]))
    # t=frame is a count of frames and heading=bearing a bearing, whatever they are mapped to.
    if (meaning, by_name) in (("t", "frame"), ("heading", "compass")):
        meaning = by_name or meaning
    return meaning, Column(name, scale)


def _named(
    file: SourceFile, header: Sequence[str], meaning: str, wanted: str
) -> tuple[str, str | None]:
    """The column that a researcher means, and the unit: theirs, or else that in the header."""
    bare, unit = _split_unit(wanted)
    exact = [name for name in header if name and name in (wanted, bare)]
    names = exact or [name for name in header if name and _split_unit(name)[0] == bare]
    if not names:
        raise file.wrong(f"there is no column {bare[:40]!r} for {meaning}, only {_shown(header)}")
    return names[0], _split_unit(names[0])[1] if unit is None else unit


def _settled(columns: Mapping[str, Column]) -> set[str]:
    """Meanings that no name can change any more: one that is mapped, and its other form."""
    settled = set(columns)
    for pair in ({"t", "frame"}, {"heading", "compass"}):
        if settled & pair:
            settled |= pair
    return settled


def _recognised(header: Iterable[str]) -> dict[str, list[Column]]:
    found: dict[str, list[Column]] = {}
    for name in header:
        if known := _recognise(name):
            found.setdefault(known[0], []).append(known[1])
    return found


def _recognise(name: str) -> tuple[str, Column] | None:
    """What a name in a header means, such as `x`, `Track ID`, `speed_kmh` or `x [ft]`."""
    bare, unit = _split_unit(name)
    meaning = BY_NAME.get(_simple(bare))
    if meaning is None:
        return _recognise_suffixed(name)
    quantity = MEANINGS[meaning]
    scale = parse_unit(unit, quantity) if unit and quantity else None
    # A unit that is none of the quantity's means that the name misleads.
    return None if unit and quantity and scale is None else (meaning, Column(name, scale))


def _recognise_suffixed(name: str) -> tuple[str, Column] | None:
    for quantity in Quantity:
        bare, scale = _suffix(name, quantity)
        meaning = BY_NAME.get(_simple(bare))
        if scale is not None and meaning is not None and MEANINGS[meaning] is quantity:
            return meaning, Column(name, scale)
    return None


def _suffix(name: str, quantity: Quantity) -> tuple[str, Fraction | None]:
    """`speed_kmh` apart."""
    lower = name.lower()
    for suffix in _SUFFIXES[quantity]:
        if lower.endswith(suffix) and lower[: -len(suffix)].endswith(("_", "-", " ", ".")):
            return lower[: -len(suffix) - 1], SCALES[quantity][suffix]
    return lower, None


def _split_unit(name: str) -> tuple[str, str | None]:
    """`x [ft]` or `x (ft)` apart."""
    match = _BRACKETED.fullmatch(name)
    return (match[1].strip(), match[2].strip()) if match else (name.strip(), None)


def _simple(name: str) -> str:
    return _NOT_ALPHANUMERIC.sub("", name.lower().replace("ä", "ae"))  # as in Länge


def _scale(file: SourceFile, name: str, unit: str, quantity: Quantity) -> Fraction:
    scale = parse_unit(unit, quantity)
    if scale is None:
        known = ", ".join(list(SCALES[quantity])[:12])
        raise file.wrong(
            f"column {name!r}: {unit!r} is no unit of {quantity}; known are {known} and multiples "
            "such as 1/25 s"
        )
    return scale


def _only(file: SourceFile, meaning: str, found: list[Column]) -> Column:
    if len(found) > 1:
        raise _ambiguous(file, meaning, found)
    return found[0]


def _ambiguous(file: SourceFile, meaning: str, found: list[Column]) -> SceneFormatError:
    names = " and ".join(repr(column.name) for column in found)
    return file.wrong(
        f"the columns {names} could each be {meaning}; please say which one is, "
        f"for example {meaning}={found[0].name}"
    )


def _settle_time(file: SourceFile, columns: dict[str, Column]) -> None:
    """A count of frames is the time where there is no other, and if it is known how long one is."""
    frame = columns.pop("frame", None)
    if frame is None or "t" in columns:
        return
    if frame.scale is None:
        raise file.wrong(
            f"the column {frame.name!r} counts frames, but nothing says how long one lasts; "
            f"please say so, for example t={frame.name} [1/25 s]"
        )
    columns["t"] = frame


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _shown(header: Sequence[str]) -> str:
    return quoted([name for name in header if name], MOST_SHOWN)
