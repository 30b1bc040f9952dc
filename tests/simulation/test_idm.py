"""The Intelligent Driver Model, in the sentences of its paper."""

from __future__ import annotations

import numpy as np
import pytest

from app.simulation.idm import IdmParameters, idm_acceleration_mps2
from app.simulation.kinematics import advance

P = IdmParameters()


def drive_towards_an_obstacle(speed_mps: float, distance_m: float, p: IdmParameters = P):
    """Positions and speeds every 0.1 s for two minutes; the obstacle stands at `distance_m`."""
    x_m, v_mps = np.array([0.0]), np.array([speed_mps])
    xs, vs = [x_m[0]], [v_mps[0]]
    for _ in range(1200):
        a_mps2 = idm_acceleration_mps2(p, v_mps, distance_m - x_m, v_mps)
        x_m, v_mps = advance(x_m, v_mps, a_mps2, 0.1)
        xs.append(x_m[0])
        vs.append(v_mps[0])
    return np.array(xs), np.array(vs)


def test_at_rest_and_alone_it_pulls_away_at_full_acceleration():
    assert idm_acceleration_mps2(P, 0.0, np.inf, 0.0) == P.max_acceleration_mps2


def test_at_the_desired_speed_and_alone_it_does_neither():
    assert idm_acceleration_mps2(P, P.desired_speed_mps, np.inf, 0.0) == 0


def test_above_the_desired_speed_it_slows_down():
    assert idm_acceleration_mps2(P, P.desired_speed_mps + 5, np.inf, 0.0) < 0


def test_at_rest_at_the_standstill_gap_it_stays():
    assert idm_acceleration_mps2(P, 0.0, P.standstill_gap_m, 0.0) == 0


def test_the_gap_behind_a_steady_leader_is_the_one_the_paper_gives():
    # Treiber, Hennecke & Helbing (2000): s_e(v) = (s0 + vT) / sqrt(1 - (v/v0)^4) in equilibrium.
    speed_mps = 20.0
    gap_m = (2.0 + speed_mps * 1.6) / np.sqrt(1 - (speed_mps / 33.3) ** 4)
    assert idm_acceleration_mps2(P, speed_mps, gap_m, 0.0) == pytest.approx(0, abs=1e-12)


def test_it_brakes_harder_the_nearer_and_the_faster_it_closes_in():
    gaps_m = np.array([10.0, 20.0, 40.0, 80.0])
    assert (np.diff(idm_acceleration_mps2(P, 20.0, gaps_m, 0.0)) > 0).all()
    closing_mps = np.array([0.0, 2.0, 5.0, 10.0])
    assert (np.diff(idm_acceleration_mps2(P, 20.0, 50.0, closing_mps)) < 0).all()


def test_a_leader_that_runs_away_does_not_pull():
    free = idm_acceleration_mps2(P, 10.0, np.inf, 0.0)
    assert idm_acceleration_mps2(P, 10.0, 1000.0, -50.0) <= free


@pytest.mark.parametrize("speed_mps", [5.0, 15.0, 30.0])
def test_it_stops_before_an_obstacle_at_the_standstill_gap(speed_mps):
    xs, vs = drive_towards_an_obstacle(speed_mps, 300.0)
    assert vs[-1] < 0.05
    assert xs.max() < 300.0
    assert 300.0 - xs[-1] == pytest.approx(P.standstill_gap_m, abs=0.5)


def test_it_never_reverses():
    xs, vs = drive_towards_an_obstacle(30.0, 60.0)
    assert (vs >= 0).all()
    assert (np.diff(xs) >= 0).all()


def test_even_bumper_to_bumper_the_answer_is_a_number():
    assert np.isfinite(idm_acceleration_mps2(P, 20.0, np.array([0.0, -3.0]), 5.0)).all()


def test_many_drivers_are_as_many_single_ones():
    headways_s = np.array([0.8, 1.6, 2.4])
    together = idm_acceleration_mps2(IdmParameters(time_headway_s=headways_s), 20.0, 40.0, 1.0)
    alone = [
        idm_acceleration_mps2(IdmParameters(time_headway_s=float(t)), 20.0, 40.0, 1.0)
        for t in headways_s
    ]
    np.testing.assert_array_equal(together, alone)


def test_the_parameters_of_some_drivers_come_in_the_shape_of_their_indices():
    p = IdmParameters(*(np.arange(3.0) + i for i in range(6)))
    some = p.of(np.array([[2, 0], [1, 1]]))
    assert np.asarray(some.time_headway_s).tolist() == [[3.0, 1.0], [2.0, 2.0]]
