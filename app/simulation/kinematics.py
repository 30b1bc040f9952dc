"""How vehicles move: forward along their lane, and sideways only as far as they go forward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.scenes.scene import Floats


@dataclass(frozen=True, slots=True, eq=False)
class PlanarMotion:
    """Motion of vehicles on their way; arrays of shape (n,)."""

    y_m: Floats
    heading_rad: Floats
    speed_mps: Floats
    acceleration_mps2: Floats


def advance(
    x_m: Floats, speed_mps: Floats, acceleration_mps2: Floats, step_s: float
) -> tuple[Floats, Floats]:
    """Position and speed one step later under constant acceleration; nobody reverses.

    A vehicle that would come to rest within the step stops where it comes to rest.

    Parameters
    ----------
    x_m, speed_mps, acceleration_mps2 : (n,) arrays

    Returns
    -------
    x_m, speed_mps : (n,) arrays
    """
    later_mps = np.maximum(speed_mps + acceleration_mps2 * step_s, 0.0)
    stops = speed_mps + acceleration_mps2 * step_s < 0
    braking_mps2 = np.where(stops, -acceleration_mps2, 1.0)
    way_m = np.where(stops, speed_mps**2 / (2 * braking_mps2), (speed_mps + later_mps) / 2 * step_s)
    return x_m + way_m, later_mps


def change_lane(
    x_m: Floats,
    forward_mps: Floats,
    forward_mps2: Floats,
    *,
    from_y_m: Floats,
    to_y_m: Floats,
    start_m: Floats,
    length_m: Floats,
) -> PlanarMotion:
    """Motion on a smooth way from one lane to another.

    The way is y(x): a quintic that leaves one line and joins the other without a kink in
    direction or curvature. As y depends on x and not on time, a vehicle that stops half way
    does not slide sideways, and its heading is always the direction of its motion.

    Parameters
    ----------
    x_m, forward_mps, forward_mps2 : (n,) arrays
        Position, speed and acceleration along the road.
    from_y_m, to_y_m, start_m, length_m : (n,) arrays
        The way begins at `start_m` and is over after `length_m`; straight before and after.
    """
    side_m = to_y_m - from_y_m
    share = np.clip((x_m - start_m) / length_m, 0.0, 1.0)
    slope = side_m / length_m * 30 * (share * (1 - share)) ** 2
    bend_per_m = side_m / length_m**2 * 60 * share * (1 - share) * (1 - 2 * share)
    stretch = np.hypot(1.0, slope)
    return PlanarMotion(
        y_m=from_y_m + side_m * smooth_step(share),
        heading_rad=np.arctan(slope),
        speed_mps=forward_mps * stretch,
        acceleration_mps2=forward_mps2 * stretch + forward_mps**2 * slope * bend_per_m / stretch,
    )


def smooth_step(share: Floats) -> Floats:
    """From 0 to 1 with no slope and no curvature at both ends."""
    step: Floats = share**3 * (10 - 15 * share + 6 * share**2)
    return step
