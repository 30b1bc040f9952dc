"""Confidence intervals: the value, and Student's t around an estimate."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan

from app.agreement.student_t import t_quantile


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, or why there is none."""

    low: float  # nan if undefined
    high: float
    level: float
    method: str
    why_undefined: str = ""

    @property
    def width(self) -> float:
        return self.high - self.low


def no_interval(reason: str, level: float, method: str) -> Interval:
    """An interval that cannot be given, with the reason."""
    return Interval(nan, nan, level, method, reason)


def t_interval(
    estimate: float, se: float, df: float, level: float = 0.95, highest: float = inf
) -> Interval:
    """`estimate ± t_df · se`, the upper end cut at `highest`.

    Examples
    --------
    >>> interval = t_interval(0.2840722, se=0.1111794, df=29, highest=1.0)
    >>> round(interval.low, 5), round(interval.high, 5)
    (0.05668, 0.51146)
    """
    check_level(level)
    if not (isfinite(estimate) and isfinite(se)) or df <= 0:
        return no_interval("The standard error is not defined.", level, "t")
    reach = t_quantile((1 + level) / 2, df) * se
    return Interval(estimate - reach, min(estimate + reach, highest), level, "t")


def check_level(level: float) -> None:
    """Refuse a confidence level that is not a probability."""
    if not 0 < level < 1:
        raise ValueError(f"confidence level {level} is not between 0 and 1")
