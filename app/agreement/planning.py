"""How wide the intervals will be, and how many raters or clips a target needs, by simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.agreement.counts import check_categories, count_matrix
from app.agreement.kappa import kappa_interval, weighted_fleiss_kappa
from app.agreement.rating_model import latent_clip_share, simulate_scores
from app.agreement.student_t import t_quantile
from app.agreement.summary import FEWEST_CLIPS_FOR_INTERVAL
from app.agreement.weights import quadratic_weights

Quantity = Literal["kappa", "mos"]

# Enough runs for a mean width within about 1 %, as long as the study is of usual size.
_MOST_RUNS = 200
_FEWEST_RUNS = 10
_CELLS = 4_000_000
_MOST_CLIPS = 5_000
_MOST_RATERS = 1_000


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A study to be: its size and what is expected of its raters."""

    n_clips: int
    n_raters: int
    kappa: float = 0.6
    categories: int = 5
    clips_per_rater: int | None = None  # None: every rater rates every clip
    rater_share: float = 0.2  # of what is not the clips', the part that is raters' bias


@dataclass(frozen=True, slots=True)
class PlanResult:
    """Expected 95 % intervals of a plan."""

    kappa_width: float  # nan if undefined
    mos_width: float  # of a clip's mean opinion score
    kappa_mean: float  # over the runs; near the kappa asked for
    ratings_per_clip: float
    n_ratings: int
    n_runs: int
    why_undefined: str = ""


@dataclass(frozen=True, slots=True)
class NeededResult:
    """The smallest number that brings an interval to the target, and how many more that is."""

    needed: int | None  # None if no number up to the limit does
    more: int | None
    width: float  # expected with `needed`, or at the limit
    why_undefined: str = ""


def expected_widths(plan: StudyPlan, rng: np.random.Generator) -> PlanResult:
    """Mean widths of Gwet's interval of kappa and of the clips' MOS intervals.

    The model: an answer is `middle + clip + bias of rater + noise`, normal, rounded to the
    scale and cut at its ends; the shares of the three are chosen so that the answers have the
    quadratic kappa asked for. With `clips_per_rater`, raters take turns, so that clips get
    equally many ratings.

    Clips, not raters, set the width of kappa's interval; raters set the width of a MOS.
    """
    _check_plan(plan)
    share = latent_clip_share(plan.kappa, plan.categories)
    per_rater = plan.clips_per_rater or plan.n_clips
    n_ratings = per_rater * plan.n_raters
    n_runs = max(_FEWEST_RUNS, min(_MOST_RUNS, _CELLS // (plan.n_clips * plan.n_raters)))
    kappas, kappa_widths, mos_widths = [], [], []
    for _ in range(n_runs):
        scores = simulate_scores(
            plan.n_clips, plan.n_raters, share, plan.rater_share, plan.categories, rng
        )
        if per_rater < plan.n_clips:
            scores = np.where(_takes_turns(plan.n_clips, plan.n_raters, per_rater), scores, 0)
        counts = count_matrix(scores, plan.categories)
        result = weighted_fleiss_kappa(counts, quadratic_weights(plan.categories))
        kappas.append(result.kappa)
        kappa_widths.append(kappa_interval(result).width)
        mos_widths.append(_mean_mos_width(counts))
    too_few = plan.n_clips < FEWEST_CLIPS_FOR_INTERVAL
    return PlanResult(
        kappa_width=nan if too_few else _mean_known(kappa_widths),
        mos_width=_mean_known(mos_widths),
        kappa_mean=_mean_known(kappas),
        ratings_per_clip=n_ratings / plan.n_clips,
        n_ratings=n_ratings,
        n_runs=n_runs,
        why_undefined=(
            f"Kappa gets an interval from {FEWEST_CLIPS_FOR_INTERVAL} clips on." if too_few else ""
        ),
    )


def raters_needed(
    plan: StudyPlan, target_width: float, of: Quantity, rng: np.random.Generator
) -> NeededResult:
    """Raters that bring the expected width to the target, the clips staying as they are."""
    search = _width_of(plan, of, rng, lambda n: replace(plan, n_raters=n))
    found, width = _smallest(search, target_width, 2, _MOST_RATERS)
    if found is None:
        reason = f"Even {_MOST_RATERS} raters leave an interval of {width:.2f}"
        reason += "; more clips narrow it." if of == "kappa" else "."
        return NeededResult(None, None, width, reason)
    return NeededResult(found, max(0, found - plan.n_raters), width)


def clips_needed(plan: StudyPlan, target_width: float, rng: np.random.Generator) -> NeededResult:
    """Clips that bring kappa's expected width to the target, the raters staying as they are."""
    search = _width_of(plan, "kappa", rng, lambda n: replace(plan, n_clips=n))
    fewest = max(FEWEST_CLIPS_FOR_INTERVAL, plan.clips_per_rater or 0)
    found, width = _smallest(search, target_width, fewest, _MOST_CLIPS)
    if found is None:
        reason = f"Even {_MOST_CLIPS} clips leave an interval of {width:.2f}."
        return NeededResult(None, None, width, reason)
    return NeededResult(found, max(0, found - plan.n_clips), width)


def _check_plan(plan: StudyPlan) -> None:
    check_categories(plan.categories)
    if plan.n_clips < 2 or plan.n_raters < 2:
        raise ValueError(
            f"a plan needs two clips and two raters, not {plan.n_clips} and {plan.n_raters}"
        )
    if not 0 <= plan.kappa < 1:
        raise ValueError(f"the expected kappa is from 0 to below 1, not {plan.kappa}")
    if not 0 <= plan.rater_share <= 1:
        raise ValueError(f"the raters' share is from 0 to 1, not {plan.rater_share}")
    if plan.clips_per_rater is not None and not 1 <= plan.clips_per_rater <= plan.n_clips:
        raise ValueError(f"a rater can rate 1 to {plan.n_clips} clips, not {plan.clips_per_rater}")


def _takes_turns(n_clips: int, n_raters: int, per_rater: int) -> NDArray[np.bool_]:
    """(n_clips, n_raters) array: each rater goes on where the one before stopped."""
    position = (np.arange(n_clips)[:, None] - per_rater * np.arange(n_raters)) % n_clips
    seen: NDArray[np.bool_] = position < per_rater
    return seen


def _mean_mos_width(counts: NDArray[np.int64]) -> float:
    scale = np.arange(counts.shape[1])
    n = counts.sum(axis=1)
    paired = counts[n >= 2]
    n = n[n >= 2]
    if len(n) == 0:
        return nan
    s1, s2 = paired @ scale, paired @ scale**2
    se = np.sqrt((n * s2 - s1 * s1) / (n - 1)) / n
    quantiles = {int(size): t_quantile(0.975, int(size) - 1) for size in np.unique(n)}
    return float(np.mean([2 * quantiles[int(size)] * e for size, e in zip(n, se, strict=True)]))


def _mean_known(values: list[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return sum(known) / len(known) if known else nan


def _width_of(
    plan: StudyPlan, of: Quantity, rng: np.random.Generator, sized: Callable[[int], StudyPlan]
) -> Callable[[int], float]:
    _check_plan(plan)
    # Seeded anew for every size, so that a size asked for twice has one width.
    seed = int(rng.integers(2**63))

    def width(size: int) -> float:
        result = expected_widths(sized(size), np.random.default_rng(seed))
        return result.kappa_width if of == "kappa" else result.mos_width

    return width


def _smallest(
    width: Callable[[int], float], target: float, fewest: int, most: int
) -> tuple[int | None, float]:
    """Doubling, then halving the gap; the width falls with the size."""
    if not target > 0:
        raise ValueError(f"a target width is more than 0, not {target}")
    low, high, at_high = fewest - 1, fewest, width(fewest)
    # `not <=` goes on where the width is not defined yet.
    while not at_high <= target:
        if high == most:
            return None, at_high
        low, high = high, min(2 * high, most)
        at_high = width(high)
    while high - low > 1:
        middle = (low + high) // 2
        at_middle = width(middle)
        if at_middle <= target:
            high, at_high = middle, at_middle
        else:
            low = middle
    return high, at_high
