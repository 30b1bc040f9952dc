"""Who sees what in which order: pure, so that it can be repeated and checked."""

from __future__ import annotations

import numpy as np

from app.studies.document import Order


def clip_order(order: Order, n_clips: int, seed: int) -> list[int]:
    """Indices of the clips in the order in which one participant sees them.

    Random orders sort the clips by the first `n_clips` 64-bit draws of numpy's PCG64 with
    this seed. Of numpy's generators only the raw stream is promised to stay the same in
    later versions; `Generator.permutation` is not.

    >>> clip_order(Order.fixed, 4, seed=1)
    [0, 1, 2, 3]
    >>> clip_order(Order.random, 4, seed=1)
    [2, 0, 3, 1]
    """
    if n_clips < 0:
        raise ValueError(f"there are {n_clips} clips to put in order")
    match order:
        case Order.fixed:
            return list(range(n_clips))
        case Order.random:
            draws = np.random.PCG64(seed).random_raw(n_clips)
            return [int(index) for index in np.argsort(draws, kind="stable")]
