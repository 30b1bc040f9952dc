"""The Intelligent Driver Model: how hard a driver accelerates behind another."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats

Quantity: TypeAlias = float | Floats
"""A number for one driver, or an array of shape (n,) for as many."""

# Closer than this the model's braking would only grow; it is far beyond any vehicle's already.
SMALLEST_GAP_M = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class IdmParameters:
    """Treiber, Hennecke & Helbing (2000), Table I; SI units."""

    desired_speed_mps: Quantity = 33.3
    time_headway_s: Quantity = 1.6
    standstill_gap_m: Quantity = 2.0
    max_acceleration_mps2: Quantity = 0.73
    comfortable_braking_mps2: Quantity = 1.67
    exponent: Quantity = 4.0

    def of(self, drivers: NDArray[np.intp]) -> IdmParameters:
        """The parameters of some drivers, in the shape of the index array."""
        return IdmParameters(*(np.asarray(getattr(self, f.name))[drivers] for f in fields(self)))


def idm_acceleration_mps2(
    p: IdmParameters, speed_mps: Quantity, gap_m: Quantity, closing_speed_mps: Quantity
) -> Floats:
    """Acceleration of followers.

    Parameters
    ----------
    p : IdmParameters
    speed_mps : (...) array or float
        Own speed.
    gap_m : (...) array or float
        Bumper to bumper; inf if alone.
    closing_speed_mps : (...) array or float
        Own speed minus the leader's; 0 if alone.

    References
    ----------
    Treiber, M., Hennecke, A. & Helbing, D. (2000). Physical Review E 62(2), 1805-1824.

    Examples
    --------
    >>> float(idm_acceleration_mps2(IdmParameters(), 0.0, np.inf, 0.0))
    0.73
    """
    braking_m = (
        speed_mps
        * closing_speed_mps
        / (2 * np.sqrt(p.max_acceleration_mps2 * p.comfortable_braking_mps2))
    )
    wanted_gap_m = p.standstill_gap_m + np.maximum(0.0, speed_mps * p.time_headway_s + braking_m)
    free_road = 1 - (speed_mps / p.desired_speed_mps) ** p.exponent
    interaction = (wanted_gap_m / np.maximum(gap_m, SMALLEST_GAP_M)) ** 2
    acceleration_mps2: Floats = p.max_acceleration_mps2 * (free_road - interaction)
    return acceleration_mps2
