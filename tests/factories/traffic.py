"""Normally driven cars put by hand on a ring."""

from __future__ import annotations

import numpy as np

from app.scenes.scene import RoadUser
from app.simulation.profiles import NORMAL
from app.simulation.traffic_state import Fleet, TrafficState, settled_state
from app.simulation.vehicles import Vehicles, man_fleet


def place_cars(*places: tuple[float, float, int], n_lanes: int = 2) -> tuple[Fleet, TrafficState]:
    """Cars of 4.5 m by 1.8 m at (x in metres, speed in m/s, lane)."""
    n = len(places)
    bodies = Vehicles((RoadUser.car,) * n, np.full(n, 4.5), np.full(n, 1.8), np.zeros(n))
    x_m, speed_mps, lane = (np.array(column) for column in zip(*places, strict=True))
    return man_fleet(bodies, NORMAL, n_lanes), settled_state(x_m, speed_mps, lane)
