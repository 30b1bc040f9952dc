"""Student's t and the normal distribution, to about 1e-13, without scipy."""

from __future__ import annotations

from math import copysign, erfc, exp, inf, isinf, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

import numpy as np

_ROUNDS = 10_000
_NEARLY_NORMAL_DF = 2_000
_TINY = 1e-300


def t_cdf(t: float, df: float) -> float:
    """Probability that Student's t with `df` degrees of freedom is at most `t`.

    Examples
    --------
    >>> round(t_cdf(2.0, df=2), 12)  # (1 + t/√(2 + t²))/2
    0.908248290464
    """
    tail = t_upper_tail(abs(t), df)
    return 1 - tail if t > 0 else tail


def t_upper_tail(t: float, df: float) -> float:
    """Probability of more than `t`, exact far out; `t` must not be negative.

    It is half the regularised incomplete beta function at df/(df+t²), by its continued
    fraction on the side where that converges (DLMF 8.17.22).
    """
    _check_df(df)
    if t < 0:
        raise ValueError(f"the upper tail starts at t = 0, not {t}")
    if isinf(df):
        return normal_upper_tail(t)
    if isinf(t):
        return 0.0
    if df > _NEARLY_NORMAL_DF:
        return _integrated_tail(t, df)
    near_one, near_zero = df / (df + t * t), t * t / (df + t * t)
    front = exp(_log_ratio(df / 2) - log(pi) / 2 + _log_power(t, df)) * sqrt(near_zero)
    if near_one < (df / 2 + 1) / (df / 2 + 2.5):
        return 0.5 * front / (df / 2) * _beta_fraction(near_one, df / 2, 0.5)
    return 0.5 - 0.5 * front / 0.5 * _beta_fraction(near_zero, 0.5, df / 2)


def t_quantile(probability: float, df: float) -> float:
    """The t that is not exceeded with this probability.

    Examples
    --------
    >>> round(t_quantile(0.975, df=29), 9)
    2.045229642
    """
    _check_df(df)
    if not 0 < probability < 1:
        raise ValueError(f"probability {probability} is not between 0 and 1")
    if probability == 0.5:
        return 0.0
    tail = min(probability, 1 - probability)
    return copysign(_t_of_tail(tail, df), probability - 0.5)


def normal_cdf(z: float) -> float:
    """Standard normal distribution function, exact in both tails."""
    return 0.5 * erfc(-z / sqrt(2))


def normal_upper_tail(z: float) -> float:
    """Probability that a standard normal exceeds `z`."""
    return 0.5 * erfc(z / sqrt(2))


def normal_quantile(probability: float) -> float:
    """The standard normal value that is not exceeded with this probability."""
    return NormalDist().inv_cdf(probability)


def _check_df(df: float) -> None:
    if not df > 0:
        raise ValueError(f"Student's t needs more than 0 degrees of freedom, not {df}")


def _t_of_tail(tail: float, df: float) -> float:
    # The tail is convex and t's is heavier than the normal's, so Newton's steps from the
    # normal quantile climb to the root and never pass it.
    t = -normal_quantile(tail)
    if isinf(df):
        return t
    for _ in range(_ROUNDS):
        step = (t_upper_tail(t, df) - tail) / _density(t, df)
        t += step
        if step <= 1e-15 * t:  # a step back is rounding: the root is reached
            break
    return t


def _integrated_tail(t: float, df: float) -> float:
    """The tail by Gauss-Legendre quadrature, where the continued fraction loses digits.

    With so many degrees of freedom the density falls like the normal's, so that what lies
    beyond the piece integrated is below 1e-17 of it.
    """
    nodes, weights = np.polynomial.legendre.leggauss(64)
    half_length = min(12.0, 50.0 / max(t, 1.0)) / 2
    points = t + half_length * (nodes + 1)
    log_shape = -(df + 1) / 2 * np.log1p(points**2 / df)
    scale = exp(_log_ratio(df / 2)) / sqrt(pi * df)
    return float(half_length * scale * (weights @ np.exp(log_shape)))


def _density(t: float, df: float) -> float:
    return exp(_log_ratio(df / 2) - log(pi * df) / 2 + _log_power(t, df) - log1p(t * t / df) / 2)


def _log_power(t: float, df: float) -> float:
    return -df / 2 * log1p(t * t / df)


def _log_ratio(x: float) -> float:
    """Log of Γ(x + 1/2)/Γ(x); by its series where the difference of two lgamma cancels."""
    if x < 25:
        return lgamma(x + 0.5) - lgamma(x)
    y = 1 / (x * x)
    series = -1 / 8 + y * (1 / 192 + y * (-1 / 640 + y * (17 / 14336 - y * 31 / 18432)))
    return log(x) / 2 + series / x


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Continued fraction of the incomplete beta function, by Lentz's method."""
    if x == 0:
        return 1.0
    d = 1 / (_nonzero(1 - (a + b) * x / (a + 1)))
    c, fraction = 1.0, d
    for m in range(1, _ROUNDS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = fraction
        for term in (even, odd):
            d = 1 / _nonzero(1 + term * d)
            c = _nonzero(1 + term / c)
            fraction *= c * d
        if abs(fraction - before) <= 1e-16 * abs(fraction):
            return fraction
    return inf


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
