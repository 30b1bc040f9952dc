"""MOBIL: whether a change of lane is worth it, and whether it is safe.

It looks at accelerations only: of the driver who may change, of the follower in the new lane
and of the follower in the old lane, each as it is now and as it would be after the change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.scenes.scene import Floats
from app.simulation.idm import Quantity


@dataclass(frozen=True, slots=True, eq=False)
class MobilParameters:
    """Kesting, Treiber & Helbing (2007): threshold and safe braking as given there.

    The paper varies the politeness from 0 (egoist) to 1; SI units.
    """

    politeness: Quantity = 0.5
    changing_threshold_mps2: Quantity = 0.1
    safe_braking_mps2: Quantity = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class LaneChangeOutlook:
    """Accelerations now and after a change of lane; arrays of one shape (...).

    A follower who does not exist has 0 in both.
    """

    own_now_mps2: Floats
    own_then_mps2: Floats
    new_follower_now_mps2: Floats
    new_follower_then_mps2: Floats
    old_follower_now_mps2: Floats
    old_follower_then_mps2: Floats


def lane_change_is_safe(p: MobilParameters, outlook: LaneChangeOutlook) -> NDArray[np.bool_]:
    """Whether nobody would have to brake harder than the driver finds safe, (...) array.

    The paper asks it for the follower only, with the changing driver's own braking ruled out by
    the incentive; a driver who flees from worse would still dive into too small a gap.
    """
    hardest_mps2 = np.minimum(outlook.new_follower_then_mps2, outlook.own_then_mps2)
    safe: NDArray[np.bool_] = hardest_mps2 >= -p.safe_braking_mps2
    return safe


def lane_change_gain_mps2(p: MobilParameters, outlook: LaneChangeOutlook) -> Floats:
    """By how much the change beats the threshold, (...) array; it is wanted where positive.

    Symmetric rule: own gain plus politeness times the gain of both followers.

    References
    ----------
    Kesting, A., Treiber, M. & Helbing, D. (2007). General lane-changing model MOBIL for
    car-following models. Transportation Research Record 1999, 86-94.
    """
    own_mps2 = outlook.own_then_mps2 - outlook.own_now_mps2
    new_follower_mps2 = outlook.new_follower_then_mps2 - outlook.new_follower_now_mps2
    old_follower_mps2 = outlook.old_follower_then_mps2 - outlook.old_follower_now_mps2
    others_mps2 = new_follower_mps2 + old_follower_mps2
    gain_mps2: Floats = own_mps2 + p.politeness * others_mps2 - p.changing_threshold_mps2
    return gain_mps2
