from __future__ import annotations

import pytest

from app.scenes.formats.canonical import scene_hash
from app.scenes.validation import check_scene
from app.simulation.scenarios import SCENARIOS, simulate

PAIRS = [(name, model) for name, scenario in SCENARIOS.items() for model in scenario.models]


@pytest.mark.parametrize(("scenario", "model"), PAIRS)
def test_every_scenario_runs_with_every_model_it_offers(scenario, model):
    scene = simulate(scenario, model, seed=3, duration_s=2.0)
    check_scene(scene)
    assert scene.duration_s == pytest.approx(2.0)
    assert scene.source.model == model
    assert scene.source.seed == 3
    assert scene.ego_id is not None


@pytest.mark.parametrize(("scenario", "model"), PAIRS)
def test_the_same_seed_is_the_same_scene_and_another_is_another(scenario, model):
    one, again, other = (simulate(scenario, model, seed, 1.0) for seed in (5, 5, 6))
    assert scene_hash(one) == scene_hash(again)
    assert scene_hash(one) != scene_hash(other)


def test_an_unknown_scenario_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="'moon'; there are highway"):
        simulate("moon", "attentive", 0)


def test_an_unknown_model_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="'sleepy'; there are attentive, normal, aggressive"):
        simulate("highway", "sleepy", 0)
