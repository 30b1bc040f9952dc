from __future__ import annotations

import numpy as np

from app.scenes.formats.tables.track_numbers import EGO, ego_number, id_of, track_numbers

CODES = np.array([0, 1, 2, 1])


def test_the_ego_has_a_number_before_it_is_met():
    assert ego_number("b") == EGO
    assert track_numbers(CODES, ["a"], "b").tolist() == [0, 1, 2, 1]
    assert track_numbers(CODES, ["a", "b", "c"], "b").tolist() == [0, EGO, 2, EGO]
    assert id_of(EGO, ["a", "b"], "b") == "b"


def test_without_an_ego_numbers_are_codes():
    assert ego_number(None) is None
    assert track_numbers(CODES, ["a", "b", "c"], None).tolist() == CODES.tolist()
    assert id_of(2, ["a", "b", "c"], None) == "c"
