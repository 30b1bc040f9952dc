"""Numbers for the ids in a table, so that a track can be told apart before all ids are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scenes.formats.tables.blocks import Codes

# The ego's number is needed before its id is met, because the window may depend on it.
EGO = -1


def track_numbers(codes: Codes, names: Sequence[str], ego_id: str | None) -> NDArray[np.int64]:
    """(n_rows,) array: the code of each row's id, or EGO."""
    if ego_id is None or ego_id not in names:
        return codes
    return np.where(codes == names.index(ego_id), EGO, codes)


def ego_number(ego_id: str | None) -> int | None:
    """What the ego will be, if there is one."""
    return None if ego_id is None else EGO


def id_of(number: int, names: Sequence[str], ego_id: str | None) -> str:
    """The id behind a number."""
    return ego_id if number == EGO and ego_id is not None else names[number]
