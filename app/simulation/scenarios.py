"""Every scenario that can be simulated, by name: a new one is one entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from app.scenes.scene import Scene
from app.simulation.highway import simulate_highway
from app.simulation.profiles import PROFILES

Run: TypeAlias = Callable[[str, int, float], Scene]
"""From the name of a model, a seed and a duration in seconds."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A situation and the models that can drive in it."""

    name: str
    description: str
    models: tuple[str, ...]
    run: Run


def _highway(model: str, seed: int, duration_s: float) -> Scene:
    return simulate_highway(profile=model, seed=seed, duration_s=duration_s)


SCENARIOS: Mapping[str, Scenario] = MappingProxyType(
    {
        scenario.name: scenario
        for scenario in (
            Scenario(
                name="highway",
                description="Dense traffic on three lanes around an ego that drives normally",
                models=tuple(PROFILES),
                run=_highway,
            ),
        )
    }
)


def simulate(scenario: str, model: str, seed: int, duration_s: float = 10.0) -> Scene:
    """A scene of this scenario driven by this model; the same for the same arguments.

    Raises ValueError with the names there are if one is none of them.
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"no scenario is called {scenario!r}; there are {', '.join(SCENARIOS)}")
    chosen = SCENARIOS[scenario]
    if model not in chosen.models:
        raise ValueError(
            f"no model of {scenario} is called {model!r}; there are {', '.join(chosen.models)}"
        )
    return chosen.run(model, seed, duration_s)
