from __future__ import annotations

import random
from math import isnan

import pytest

from app.agreement.alpha import krippendorff_alpha
from app.agreement.kappa import published_kappa, weighted_fleiss_kappa
from app.agreement.live import LiveAgreement, LiveResult
from app.agreement.weights import quadratic_weights


def batch(live: LiveAgreement) -> LiveResult:
    counts = live.counts()
    weights = quadratic_weights(live.categories)
    standard = weighted_fleiss_kappa(counts, weights)
    return LiveResult(
        kappa=standard.kappa,
        se=standard.se,
        kappa_pooled=weighted_fleiss_kappa(counts, weights, margins="pooled").kappa,
        kappa_published=published_kappa(counts).kappa,
        alpha_interval=krippendorff_alpha(counts, "interval").alpha,
        n_clips=standard.n_rated,
        n_pairable=standard.n_pairable,
        n_ratings=standard.n_ratings,
    )


def assert_equal(one: LiveResult, other: LiveResult) -> None:
    for name in LiveResult.__slots__:
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-12, nan_ok=True)


def play(
    live: LiveAgreement, chance: random.Random, held: set[tuple[int, int]], events: int
) -> None:
    """Set, change and delete ratings of 40 raters on 60 clips; `held` are those there are."""
    for _ in range(events):
        pair = chance.randrange(60), chance.randrange(40)
        if pair in held and chance.random() < 0.4:
            live.delete_rating(*pair)
            held.remove(pair)
        else:
            live.set_rating(*pair, chance.randint(1, live.categories))
            held.add(pair)


@pytest.mark.parametrize("categories", [2, 5, 11])
def test_the_live_state_equals_the_batch_after_ten_thousand_events(categories):
    live = LiveAgreement(categories)
    chance = random.Random(categories)
    held: set[tuple[int, int]] = set()

    for _ in range(10):
        play(live, chance, held, events=1_000)
        assert_equal(live.result(), batch(live))


def test_every_state_of_a_tiny_study_equals_the_batch():
    live = LiveAgreement(3)
    chance = random.Random(1)
    assert_equal(live.result(), batch(live))
    held: set[tuple[int, int]] = set()
    for _ in range(300):
        pair = chance.randrange(3), chance.randrange(3)
        if pair in held:
            live.delete_rating(*pair)
            held.remove(pair)
        else:
            live.set_rating(*pair, chance.randint(1, 3))
            held.add(pair)
        assert_equal(live.result(), batch(live))


def test_the_same_rater_replaces_and_never_adds():
    live = LiveAgreement(5)
    live.set_rating("a", "ann", 1)
    live.set_rating("a", "ann", 4)

    assert live.result().n_ratings == 1
    assert live.counts().tolist() == [[0, 0, 0, 1, 0]]


def test_taking_everything_back_leaves_no_rating():
    live = LiveAgreement(5)
    live.set_rating("a", "ann", 1)
    live.set_rating("a", "bob", 2)
    live.delete_rating("a", "ann")
    live.delete_rating("a", "bob")

    result = live.result()

    assert (result.n_clips, result.n_pairable, result.n_ratings) == (0, 0, 0)
    assert isnan(result.kappa)


def test_numbers_stay_exact_where_floats_would_drift():
    live = LiveAgreement(2)
    for clip in range(30):
        for rater in range(2 + clip % 3):
            live.set_rating(clip, rater, 1 + (clip + rater // 2) % 2)
    before = live.result()

    for _ in range(2_000):
        live.set_rating("visitor", "ann", 2)
        live.delete_rating("visitor", "ann")

    assert live.result() == before


def test_a_rating_outside_the_scale_changes_nothing():
    live = LiveAgreement(5)
    live.set_rating("a", "ann", 3)

    with pytest.raises(ValueError, match=r"rating 6 is outside 1\.\.5"):
        live.set_rating("a", "ann", 6)

    assert live.counts().tolist() == [[0, 0, 1, 0, 0]]


def test_a_rating_that_is_not_there_cannot_be_deleted():
    with pytest.raises(ValueError, match="rater ann has no rating on clip a"):
        LiveAgreement(5).delete_rating("a", "ann")


def test_counts_are_those_of_the_ratings_held():
    live = LiveAgreement(3)
    held: set[tuple[int, int]] = set()
    play(live, random.Random(4), held, events=500)

    assert live.counts().sum() == live.result().n_ratings == len(held)
