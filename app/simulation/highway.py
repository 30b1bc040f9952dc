"""Highway traffic around an ego that drives like everybody; the others drive as asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor, isfinite

import numpy as np

from app.scenes.scene import Floats, RoadUser, Scene, SceneKind, Source, Track
from app.simulation.profiles import DriverProfile, find_profile, profile_settings
from app.simulation.roads import LANE_WIDTH_M, straight_highway
from app.simulation.traffic import decide, move
from app.simulation.traffic_state import Fleet, Ring, TrafficState, motion, settled_state
from app.simulation.vehicles import Vehicles, draw_vehicles, draw_wander, man_fleet

GENERATOR = "highway"
EGO_ID = "ego"

# From the start of one vehicle to the start of the next in its lane: dense, but it flows, and
# some six vehicles are within 60 m of the ego on three lanes.
SPACING_M = 55.0
SHORTEST_RING_M = 300.0

# By then the drawn start is forgotten: platoons and lanes have sorted themselves.
WARM_UP_S = 30.0
START_SPEED_MPS = 22.0
LONGEST_STEP_S = 0.2

# Road beyond the first and the last vehicle, so that no camera sees its end.
ROAD_MARGIN_M = 150.0


def simulate_highway(
    *,
    profile: DriverProfile | str,
    seed: int,
    duration_s: float = 10.0,
    step_s: float = 0.1,
    n_lanes: int = 3,
    n_vehicles: int = 24,
) -> Scene:
    """A scene of highway traffic, the same for the same arguments.

    The ego is the first track, a car in the middle of the traffic that drives by the normal
    profile; everyone else drives by `profile`. The same seed gives the same vehicles at the
    same places half a minute before the scene, whatever the profile.
    """
    drivers = find_profile(profile) if isinstance(profile, str) else profile
    _check(seed, duration_s, step_s, n_lanes, n_vehicles)
    rng = np.random.default_rng(seed)
    vehicles = draw_vehicles(n_vehicles, rng)
    ring = Ring(max(SHORTEST_RING_M, SPACING_M * n_vehicles / n_lanes), n_lanes, LANE_WIDTH_M)
    fleet = man_fleet(vehicles, drivers, n_lanes)
    start = _start(ring, fleet, vehicles, rng)
    n_steps = round(duration_s / step_s) + 1
    wander_mps2 = draw_wander(ceil(WARM_UP_S / step_s) + n_steps, step_s, n_vehicles, rng)
    recording = _record(ring, fleet, start, wander_mps2 * fleet.wander_mps2, n_steps, step_s)
    return _scene(_unroll(recording, ring), vehicles, drivers, seed, ring)


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """States of all vehicles over time; arrays of shape (n_vehicles, n_steps)."""

    step_s: float
    x_m: Floats
    y_m: Floats
    heading_rad: Floats
    speed_mps: Floats
    acceleration_mps2: Floats


def _check(seed: int, duration_s: float, step_s: float, n_lanes: int, n_vehicles: int) -> None:
    if seed < 0:
        raise ValueError(f"seed {seed} is negative")
    if not (isfinite(duration_s) and duration_s >= step_s):
        raise ValueError(f"a scene of {duration_s} s has no step of {step_s} s")
    if not 0 < step_s <= LONGEST_STEP_S:
        raise ValueError(
            f"step_s is {step_s}; drivers need more than 0 and at most {LONGEST_STEP_S}"
        )
    if n_lanes < 1:
        raise ValueError(f"a highway needs a lane, not {n_lanes}")
    if n_vehicles < 1:
        raise ValueError(f"a scene needs an ego, not {n_vehicles} vehicles")


def _start(ring: Ring, fleet: Fleet, vehicles: Vehicles, rng: np.random.Generator) -> TrafficState:
    """Evenly filled lanes, the slower vehicles further to the right, the ego in the middle."""
    n_vehicles = len(vehicles.kinds)
    is_truck = np.array([kind is RoadUser.truck for kind in vehicles.kinds])
    haste = vehicles.temper - 4.0 * is_truck + rng.standard_normal(n_vehicles)
    others = 1 + np.argsort(haste[1:])
    middle = n_vehicles // 2
    order = np.concatenate([others[:middle], [0], others[middle:]])
    lane = np.empty(n_vehicles, dtype=np.intp)
    lane[order] = np.arange(n_vehicles) * ring.n_lanes // n_vehicles
    place = np.empty(n_vehicles)
    for i in range(ring.n_lanes):
        members = rng.permutation(np.flatnonzero(lane == i))
        shift = np.arange(len(members)) + rng.uniform(-0.2, 0.2, len(members)) + rng.random()
        place[members] = shift / max(len(members), 1)
    speed_mps = np.minimum(START_SPEED_MPS, np.asarray(fleet.car_following.desired_speed_mps))
    return settled_state(place * ring.length_m, speed_mps, lane)


def _record(
    ring: Ring,
    fleet: Fleet,
    state: TrafficState,
    wander_mps2: Floats,
    n_recorded: int,
    step_s: float,
) -> Recording:
    """Drive for as many steps as `wander_mps2`, of shape (n_steps, n_vehicles), has.

    Only the last `n_recorded` are kept.
    """
    rows = []
    for wander_now_mps2 in wander_mps2:
        state, wanted_mps2 = decide(ring, fleet, state)
        later = move(state, wanted_mps2 + wander_now_mps2, step_s)
        felt_mps2 = (later.speed_mps - state.speed_mps) / step_s
        now = motion(ring, state, felt_mps2)
        rows.append((state.x_m, now.y_m, now.heading_rad, now.speed_mps, now.acceleration_mps2))
        state = later
    x_m, y_m, heading_rad, speed_mps, acceleration_mps2 = np.array(rows[-n_recorded:]).transpose(
        1, 2, 0
    )
    return Recording(step_s, x_m, y_m, heading_rad, speed_mps, acceleration_mps2)


def _unroll(recording: Recording, ring: Ring) -> Recording:
    """The ring as a straight road that the ego enters at x = 0.

    Every vehicle goes to the round of the ring in which it is nearest to the ego half way
    through the scene, and stays there: nobody jumps, and the road is filled on both sides.
    """
    x_m = recording.x_m - recording.x_m[0, 0]
    half_way = x_m.shape[1] // 2
    rounds = np.round((x_m[0, half_way] - x_m[:, half_way]) / ring.length_m)
    return replace(recording, x_m=x_m + rounds[:, None] * ring.length_m)


def _scene(
    recording: Recording, vehicles: Vehicles, drivers: DriverProfile, seed: int, ring: Ring
) -> Scene:
    n_vehicles, n_steps = recording.x_m.shape
    start_m = floor(recording.x_m.min() - ROAD_MARGIN_M)
    end_m = ceil(recording.x_m.max() + ROAD_MARGIN_M)
    lane_y_m = round(recording.y_m[0, 0] / ring.lane_width_m) * ring.lane_width_m
    return Scene(
        name=f"highway, {drivers.name}, seed {seed}",
        step_s=recording.step_s,
        tracks=tuple(_track(recording, vehicles, i) for i in range(n_vehicles)),
        road_map=straight_highway(ring.n_lanes, start_m, end_m, ring.lane_width_m),
        source=Source(
            generator=GENERATOR,
            model=drivers.name,
            configuration={
                "duration_s": (n_steps - 1) * recording.step_s,
                "step_s": recording.step_s,
                "n_lanes": ring.n_lanes,
                "n_vehicles": n_vehicles,
                **profile_settings(drivers),
            },
            seed=seed,
        ),
        ego_id=EGO_ID,
        kind=SceneKind.highway,
        roles={"E": EGO_ID},
        reference_path_m=np.array([[start_m, lane_y_m], [end_m, lane_y_m]], dtype=np.float64),
    )


def _track(recording: Recording, vehicles: Vehicles, i: int) -> Track:
    n_steps = recording.x_m.shape[1]
    return Track(
        id=EGO_ID if i == 0 else f"{vehicles.kinds[i]}-{i}",
        kind=vehicles.kinds[i],
        length_m=float(vehicles.length_m[i]),
        width_m=float(vehicles.width_m[i]),
        time_s=np.arange(n_steps, dtype=np.float64) * recording.step_s,
        x_m=recording.x_m[i],
        y_m=recording.y_m[i],
        heading_rad=recording.heading_rad[i],
        speed_mps=recording.speed_mps[i],
        acceleration_mps2=recording.acceleration_mps2[i],
        valid=np.ones(n_steps, dtype=np.bool_),
    )
