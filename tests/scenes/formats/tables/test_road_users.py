from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest

from app.scenes.formats.report import Notes
from app.scenes.formats.tables.road_users import SizeSurvey, TypeSurvey, road_user_kinds
from app.scenes.scene import RoadUser


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("car", RoadUser.car),
        ("Car", RoadUser.car),
        ("Passenger Car", RoadUser.car),
        ("van", RoadUser.van),
        ("Truck", RoadUser.truck),
        ("BUS", RoadUser.bus),
        ("pedestrians", RoadUser.pedestrian),
        ("cyclist", RoadUser.bicycle),
        ("motorcycle", RoadUser.motorcycle),
        ("trailer", RoadUser.other),
    ],
)
def test_a_kind_is_known_by_its_usual_names(name, kind):
    notes = Notes()
    assert road_user_kinds([name], notes) == [kind]
    assert notes.listed() == ()


def test_what_is_unknown_missing_or_mixed_is_noted():
    notes = Notes()
    kinds = road_user_kinds(["hovercraft", "hovercraft", "", "pedestrian/bicycle"], notes)
    assert kinds == [RoadUser.other, RoadUser.other, RoadUser.car, RoadUser.pedestrian]
    assert [(note.sentence, note.n) for note in notes.listed()] == [
        ("Road users of a type that is not known ('hovercraft'); they are shown as other.", 2),
        (
            "Road users of a type that can mean two things ('pedestrian/bicycle'); they were "
            "taken for the first.",
            1,
        ),
        ("Road users without a type; they were taken for cars.", 1),
    ]


def test_the_first_row_names_a_track():
    survey = TypeSurvey()
    survey.add(np.array([5, 5, 6]), np.array([1, 0, 0]), ["car", "bus"])
    survey.add(np.array([6]), np.array([1]), ["car", "bus"])
    assert survey.types == {5: "bus", 6: "car"}


def test_of_changing_sizes_the_largest_counts_and_nothing_is_no_size():
    survey, notes = SizeSurvey(), Notes()
    survey.add(np.array([1, 2, 1]), np.array([4.0, 0.0, 4.5]), np.array([2.0, nan, 2.0]))
    survey.add(np.array([1, 2]), np.array([3.0, nan]), np.array([1.0, 0.6]))
    sizes_m = survey.sizes_m([1, 2], notes)
    assert sizes_m[1] == (4.5, 2.0)
    assert isnan(sizes_m[2][0])
    assert sizes_m[2][1] == 0.6
    assert [(n.sentence, n.n) for n in notes.listed()] == [
        ("Road users whose size changes; their largest was used.", 1)
    ]


def test_a_size_that_changes_outside_the_window_is_not_noted():
    survey, notes = SizeSurvey(), Notes()
    survey.add(np.array([1, 2, 2]), np.array([4.0, 4.0, 5.0]), np.array([2.0, 2.0, 2.0]))
    assert survey.sizes_m([1], notes)[1] == (4.0, 2.0)
    assert notes.listed() == ()
