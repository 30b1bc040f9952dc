"""Who interacts with whom: hand-made encounters, and all pairs against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scenes.geometry import box_corners_m, boxes_overlap
from app.scenes.meetings import MAX_LOOKS, MAX_ROWS, count_meetings, interact, take_snapshots
from app.scenes.scene import Track
from tests.factories.scenes import make_track

SOUTH, EAST, NORTH, WEST = -np.pi / 2, 0.0, np.pi / 2, np.pi


def driving(
    track_id: str, x_m: float, y_m: float, heading_rad: float, speed_mps: float, size_m: float = 4.0
) -> Track:
    """A car, twice as long as wide, that goes straight on for two seconds."""
    time_s = np.arange(21) * 0.1
    return make_track(
        track_id,
        time_s=time_s,
        x_m=x_m + speed_mps * time_s * np.cos(heading_rad),
        y_m=y_m + speed_mps * time_s * np.sin(heading_rad),
        heading_rad=heading_rad,
        speed_mps=speed_mps,
        length_m=size_m,
        width_m=size_m / 2,
    )


def interact_at_once(one: Track, other: Track) -> bool:
    """Whether two interact at the first instant; the same from both sides."""
    snapshots = take_snapshots([one, other])
    rows = [snapshots.rows_of(i)[:1] for i in (0, 1)]
    (there,), (back,) = interact(snapshots, *rows), interact(snapshots, *rows[::-1])
    assert there == back
    return bool(there)


ENCOUNTERS = {
    # The gap between bumpers is 4 m less than the distance; both go at 10 m/s.
    "following at 1.9 s": (driving("2", 23, 0, EAST, 10), True),
    "following at 2.1 s": (driving("2", 25, 0, EAST, 10), False),
    "following in the next lane": (driving("2", 15, 3.5, EAST, 10), False),
    "side by side": (driving("2", 0, 3.5, EAST, 10), False),
    "oncoming in the same lane, in 2.9 s": (driving("2", 62, 0, WEST, 10), True),
    "oncoming in the same lane, in 3.1 s": (driving("2", 66, 0, WEST, 10), False),
    "oncoming in the other lane": (driving("2", 30, 3.5, WEST, 10), False),
    "behind, going away": (driving("2", -10, 0, WEST, 10), False),
    # Paths cross 20 m ahead: the first leaves there after 2.3 s (its rear and half a width).
    "crossing at the same time": (driving("2", 20, -20, NORTH, 10), True),
    "crossing 0.2 s after it has left": (driving("2", 20, -28, NORTH, 10), True),
    "crossing beyond three seconds": (driving("2", 20, -36, NORTH, 10), False),
    "crossing far too early": (driving("2", 20, 20, NORTH, 10), False),
    "crossing 2.5 s before it": (driving("2", 28, -1.5, NORTH, 10), False),
    "crossing 1.9 s before it": (driving("2", 23, -1.5, NORTH, 10), True),
}


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_an_encounter_is_an_interaction_by_what_would_happen_next(name):
    other, expected = ENCOUNTERS[name]
    assert interact_at_once(driving("1", 0, 0, EAST, 10), other) == expected


@pytest.mark.parametrize("turn_rad", [0.3, 2.0, -1.2])
@pytest.mark.parametrize("name", ENCOUNTERS)
def test_an_encounter_is_the_same_wherever_it_happens(name, turn_rad):
    other, expected = ENCOUNTERS[name]
    x_m, y_m = other.x_m[0], other.y_m[0]
    turned = driving(
        "2",
        500 + x_m * np.cos(turn_rad) - y_m * np.sin(turn_rad),
        -300 + x_m * np.sin(turn_rad) + y_m * np.cos(turn_rad),
        other.heading_rad[0] + turn_rad,
        10,
    )
    assert interact_at_once(driving("1", 500, -300, turn_rad, 10), turned) == expected


def test_who_stands_all_the_time_interacts_with_nobody():
    parked = driving("2", 10, 0, EAST, 0)
    snapshots = take_snapshots([driving("1", 0, 0, EAST, 10), parked])
    assert snapshots.moves.tolist() == [True, False]
    assert count_meetings(snapshots).tolist() == [0] * 18


def covers_one_spot(one: Track, other: Track, grow_m: float) -> bool:
    """By trying all pairs of times ahead, an eighth of a second apart."""
    ahead_s = np.arange(25) / 8
    boxes = [
        box_corners_m(
            track.x_m[0] + ahead_s * track.speed_mps[0] * np.cos(track.heading_rad[0]),
            track.y_m[0] + ahead_s * track.speed_mps[0] * np.sin(track.heading_rad[0]),
            track.heading_rad[0],
            track.length_m + grow_m,
            track.width_m + grow_m,
        )
        for track in (one, other)
    ]
    overlap = boxes_overlap(boxes[0][:, None], boxes[1][None, :])
    return bool((overlap & (np.abs(ahead_s[:, None] - ahead_s[None, :]) <= 2)).any())


@settings(max_examples=300, deadline=None)
@given(st.floats(-40, 40), st.floats(-40, 40), st.floats(-4, 4), st.floats(2, 15), st.floats(2, 15))
def test_two_interact_just_if_trying_all_times_finds_a_spot(x_m, y_m, heading_rad, fast, slow):
    one, other = driving("1", 0, 0, 0.4, fast), driving("2", x_m, y_m, heading_rad, slow)
    if covers_one_spot(one, other, grow_m=-0.01):
        assert interact_at_once(one, other)
    # Between the tried times each moves by at most a sixteenth of a second's way.
    elif not covers_one_spot(one, other, grow_m=(fast + slow) / 8):
        assert not interact_at_once(one, other)


def test_everybody_is_counted_with_everybody_else():
    rng = np.random.default_rng(4)
    tracks = [
        driving(str(i), *rng.uniform(-60, 60, 2), rng.uniform(-3, 3), rng.uniform(1, 15))
        for i in range(25)
    ]
    snapshots = take_snapshots(tracks)
    n_rows = len(snapshots.instant)
    one, other = np.divmod(np.arange(n_rows**2), n_rows)
    at_once = (snapshots.instant[one] == snapshots.instant[other]) & (one != other)
    pairs = one[at_once], other[at_once]
    expected = np.bincount(pairs[0][interact(snapshots, *pairs)], minlength=n_rows)
    assert expected.any()
    assert count_meetings(snapshots).tolist() == expected.tolist()


def test_a_long_recording_gets_fewer_looks():
    day = make_track("1", time_s=[0.0, 86_400.0], x_m=[0.0, 10.0], speed_mps=0.0)
    snapshots = take_snapshots([day] * 100)
    assert len(snapshots.times_s) <= MAX_LOOKS + 1
    assert len(snapshots.instant) <= MAX_ROWS + 100


def test_absurd_numbers_interact_with_nobody():
    tracks = [
        make_track(str(i), time_s=[-1e308, 1e308], x_m=[-1e308, 1e308], speed_mps=1e308)
        for i in range(2)
    ]
    assert not count_meetings(take_snapshots(tracks)).any()


def test_nobody_is_nowhere():
    assert len(count_meetings(take_snapshots([]))) == 0
