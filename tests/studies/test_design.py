"""Orders are seeded, stable, complete and fair."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.studies.design import clip_order
from app.studies.document import Order


@given(st.sampled_from(Order), st.integers(0, 200), st.integers(0, 2**31 - 1))
def test_every_clip_is_in_the_order_once(order, n_clips, seed):
    assert sorted(clip_order(order, n_clips, seed)) == list(range(n_clips))


def test_a_fixed_order_is_the_documents_for_everybody():
    assert clip_order(Order.fixed, 5, seed=1) == clip_order(Order.fixed, 5, seed=2) == [*range(5)]


def test_the_same_seed_gives_the_same_order_on_every_machine_and_version():
    assert clip_order(Order.random, 10, seed=1) == [9, 2, 4, 7, 5, 0, 8, 6, 3, 1]
    assert clip_order(Order.random, 10, seed=2**31 - 1) == [6, 0, 2, 5, 4, 3, 8, 9, 1, 7]


def test_every_order_of_four_clips_is_equally_likely():
    n_seeds = 4_800
    counts = dict.fromkeys(permutations(range(4)), 0)
    for seed in range(n_seeds):
        counts[tuple(clip_order(Order.random, 4, seed))] += 1
    expected = n_seeds / len(counts)
    chi_square = sum((n - expected) ** 2 / expected for n in counts.values())
    assert chi_square < 49.7  # the 0.999 quantile with 23 degrees of freedom


def test_a_negative_number_of_clips_is_refused():
    with pytest.raises(ValueError, match="-1 clips"):
        clip_order(Order.random, -1, seed=1)
