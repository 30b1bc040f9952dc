"""What a viewer and a metric can rely on in simulated highway traffic."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
import pytest

from app.scenes.formats.canonical import encode_scene
from app.scenes.geometry import box_corners_m, boxes_overlap
from app.scenes.scene import RoadUser, Scene, SceneKind
from app.scenes.validation import check_scene
from app.simulation.highway import simulate_highway
from app.simulation.profiles import PROFILES
from app.simulation.roads import LANE_WIDTH_M

SEEDS = range(20)


@cache
def highway(profile: str, seed: int) -> Scene:
    return simulate_highway(profile=profile, seed=seed)


def stacked(scene: Scene, field: str) -> np.ndarray:
    """(n_vehicles, n_steps) array."""
    return np.array([getattr(track, field) for track in scene.tracks])


def lengths_m(scene: Scene) -> np.ndarray:
    return np.array([track.length_m for track in scene.tracks])


def collides(scene: Scene) -> bool:
    width_m = np.array([track.width_m for track in scene.tracks])
    corners_m = box_corners_m(
        stacked(scene, "x_m"),
        stacked(scene, "y_m"),
        stacked(scene, "heading_rad"),
        lengths_m(scene)[:, None],
        width_m[:, None],
    )
    one, other = np.triu_indices(len(scene.tracks), k=1)
    return bool(boxes_overlap(corners_m[one], corners_m[other]).any())


def headways_s(scene: Scene) -> np.ndarray:
    """Time headways of all who have someone ahead in their lane, at all steps."""
    x_m, y_m = stacked(scene, "x_m"), stacked(scene, "y_m")
    ahead_m = x_m[None, :] - x_m[:, None]
    in_lane = np.abs(y_m[None, :] - y_m[:, None]) < LANE_WIDTH_M / 2
    half_m = lengths_m(scene) / 2
    gap_m = ahead_m - (half_m[:, None] + half_m[None, :])[:, :, None]
    nearest_m = np.where(in_lane & (ahead_m > 0), gap_m, np.inf).min(axis=1)
    return (nearest_m / stacked(scene, "speed_mps"))[np.isfinite(nearest_m)]


def count_lane_changes(scene: Scene) -> int:
    return int((np.diff(np.round(stacked(scene, "y_m") / LANE_WIDTH_M), axis=1) != 0).sum())


def over_seeds(profile: str) -> list[Scene]:
    return [highway(profile, seed) for seed in SEEDS]


@pytest.mark.parametrize("profile", PROFILES)
def test_nobody_collides_over_twenty_seeds(profile):
    assert [seed for seed in SEEDS if collides(highway(profile, seed))] == []


def test_aggressive_drivers_follow_closer():
    attentive = np.concatenate([headways_s(scene) for scene in over_seeds("attentive")])
    aggressive = np.concatenate([headways_s(scene) for scene in over_seeds("aggressive")])
    assert np.median(aggressive) < 0.7 * np.median(attentive)
    assert np.quantile(aggressive, 0.1) < 0.5 * np.quantile(attentive, 0.1)


def test_aggressive_drivers_change_lanes_far_more_often():
    attentive = sum(map(count_lane_changes, over_seeds("attentive")))
    normal = sum(map(count_lane_changes, over_seeds("normal")))
    aggressive = sum(map(count_lane_changes, over_seeds("aggressive")))
    assert attentive < normal < aggressive
    assert aggressive > 5 * (attentive + 1)


def test_in_every_aggressive_scene_someone_changes_lanes():
    assert min(map(count_lane_changes, over_seeds("aggressive"))) >= 1


def test_aggressive_drivers_are_faster_and_brake_harder():
    speed = {p: np.mean([stacked(s, "speed_mps").mean() for s in over_seeds(p)]) for p in PROFILES}
    hardest = {
        p: np.median([stacked(s, "acceleration_mps2").min() for s in over_seeds(p)])
        for p in PROFILES
    }
    assert speed["attentive"] < speed["normal"] < speed["aggressive"]
    assert hardest["attentive"] > hardest["normal"] > hardest["aggressive"]


@pytest.mark.parametrize("profile", PROFILES)
def test_there_is_always_traffic_around_the_ego(profile):
    for scene in over_seeds(profile):
        x_m = stacked(scene, "x_m")
        away_m = x_m[1:] - x_m[0]
        around = (np.abs(away_m) < 60).sum(axis=0)
        assert around.min() >= 2
        assert around.mean() >= 3
        assert (away_m.min(axis=0) < -100).all()
        assert (away_m.max(axis=0) > 100).all()


@pytest.mark.parametrize("profile", PROFILES)
def test_the_heading_is_the_direction_of_motion(profile):
    for scene in over_seeds(profile)[:5]:
        dx, dy = (np.diff(stacked(scene, name), axis=1) for name in ("x_m", "y_m"))
        heading_rad = stacked(scene, "heading_rad")
        between_rad = (heading_rad[:, 1:] + heading_rad[:, :-1]) / 2
        assert np.abs(np.arctan2(dy, dx) - between_rad).max() < 0.003


@pytest.mark.parametrize("profile", PROFILES)
def test_the_speed_is_the_derivative_of_the_position(profile):
    for scene in over_seeds(profile)[:5]:
        way_m = np.hypot(*(np.diff(stacked(scene, name), axis=1) for name in ("x_m", "y_m")))
        speed_mps = stacked(scene, "speed_mps")
        between_mps = (speed_mps[:, 1:] + speed_mps[:, :-1]) / 2
        np.testing.assert_allclose(way_m / scene.step_s, between_mps, atol=0.02)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_acceleration_is_the_derivative_of_the_speed(profile):
    for scene in over_seeds(profile)[:5]:
        change_mps2 = np.diff(stacked(scene, "speed_mps"), axis=1) / scene.step_s
        np.testing.assert_allclose(
            stacked(scene, "acceleration_mps2")[:, :-1], change_mps2, atol=0.15
        )


def test_everyone_stays_on_the_road_and_far_from_its_ends():
    for scene in over_seeds("aggressive"):
        lanes_m = np.vstack([lane.polygon_m for lane in scene.road_map.lanes])
        x_m, y_m = stacked(scene, "x_m"), stacked(scene, "y_m")
        assert lanes_m[:, 0].min() < x_m.min() - 100
        assert lanes_m[:, 0].max() > x_m.max() + 100
        assert lanes_m[:, 1].min() < y_m.min() - 1.2
        assert lanes_m[:, 1].max() > y_m.max() + 1.2


def test_trucks_and_cars_share_the_road():
    kinds = [track.kind for scene in over_seeds("attentive") for track in scene.tracks]
    assert {RoadUser.car, RoadUser.van, RoadUser.truck} == set(kinds)


def test_the_start_is_not_an_artefact():
    """The first second looks like the last: no common pulling away or braking."""
    for scene in over_seeds("attentive"):
        speed_mps = stacked(scene, "speed_mps")
        assert abs(speed_mps[:, :10].mean() - speed_mps[:, -10:].mean()) < 1.0
        assert np.abs(stacked(scene, "acceleration_mps2")[:, :10]).mean() < 0.5


@pytest.mark.parametrize("profile", PROFILES)
def test_the_same_seed_gives_the_same_bytes(profile):
    again = simulate_highway(profile=profile, seed=4)
    assert encode_scene(again) == encode_scene(highway(profile, 4))


def test_the_same_seed_gives_the_same_vehicles_to_every_profile():
    sizes = [lengths_m(highway(profile, 7)).tolist() for profile in PROFILES]
    assert sizes[0] == sizes[1] == sizes[2]


def test_a_scene_says_how_it_was_made():
    scene = highway("aggressive", 2)
    check_scene(scene)
    assert scene.kind is SceneKind.highway
    assert scene.tracks[0].id == scene.ego_id == scene.roles["E"]
    assert (scene.source.model, scene.source.seed) == ("aggressive", 2)
    assert scene.source.configuration["n_vehicles"] == 24
    assert scene.source.configuration["time_headway_s"] == 0.6


@pytest.mark.parametrize(("n_lanes", "n_vehicles"), [(1, 1), (1, 8), (2, 3), (5, 60)])
def test_other_roads_and_other_numbers_of_vehicles_work_too(n_lanes, n_vehicles):
    scene = simulate_highway(
        profile="aggressive", seed=1, duration_s=3.0, n_lanes=n_lanes, n_vehicles=n_vehicles
    )
    check_scene(scene)
    assert len(scene.tracks) == n_vehicles
    assert len(scene.road_map.lanes) == n_lanes
    assert not collides(scene)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"seed": -1}, "seed -1 is negative"),
        ({"duration_s": 0.0}, "a scene of 0.0 s has no step"),
        ({"duration_s": np.inf}, "a scene of inf s"),
        ({"step_s": 0.5}, "step_s is 0.5"),
        ({"step_s": 0.0}, "step_s is 0.0"),
        ({"n_lanes": 0}, "a highway needs a lane"),
        ({"n_vehicles": 0}, "a scene needs an ego"),
        ({"profile": "sleepy"}, "no driver profile is called 'sleepy'"),
    ],
)
def test_what_cannot_be_simulated_is_refused_with_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        simulate_highway(**({"profile": "attentive", "seed": 0} | wrong))


def test_ten_seconds_of_thirty_vehicles_take_less_than_half_a_second():
    times_s = []
    for seed in range(3):
        start_s = time.process_time()
        simulate_highway(profile="aggressive", seed=seed, n_vehicles=30)
        times_s.append(time.process_time() - start_s)
    assert min(times_s) < 0.5
