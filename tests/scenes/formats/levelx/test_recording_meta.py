from __future__ import annotations

from math import isnan

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.levelx.recording_meta import read_recording_meta, read_users_meta
from app.scenes.formats.report import Notes
from tests.factories.tables import table

SIZE = ("length", "width")


def test_numbers_are_kept_as_numbers_and_words_as_words():
    file = table("locationId,frameRate,weekday,speedLimit\n3,25,monday,13.9")
    meta = read_recording_meta(file, ("locationId", "weekday", "speedLimit", "month"), Notes())
    assert meta.configuration == {
        "frameRate": 25.0,
        "locationId": 3,
        "weekday": "monday",
        "speedLimit": 13.9,
    }


def test_a_size_of_0_is_none():
    users = read_users_meta(table("trackId,class,width,length\n4,car,2,0"), "trackId", SIZE)
    length_m, width_m = users.sizes_m["4"]
    assert isnan(length_m)
    assert width_m == 2.0
    assert users.types == {"4": "car"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("frameRate\n25\n25", "expected one row about the recording, not 2"),
        ("frameRate", "expected one row about the recording, not 0"),
        ("frameRate\n0", "line 2: column 'frameRate': 0 frames per second"),
        ("frameRate\nnan", "line 2: column 'frameRate': nan frames per second"),
        ("frames\n25", "columns missing: frameRate"),
    ],
)
def test_a_recording_without_a_rate_is_refused(text, sentence):
    with pytest.raises(SceneFormatError) as caught:
        read_recording_meta(table(text), (), Notes())
    assert str(caught.value) == f"tracks.csv: {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("trackId,class\n1,car\n1,bus", "line 3: the track '1' is there already"),
        ("trackId,length,width\n1,-4,2", "line 2: column 'length': a size cannot be -4"),
        ("trackId,class\n,car", "line 2: column 'trackId': there is no id"),
        ("id,class\n1,car", "columns missing: trackId"),
    ],
)
def test_a_table_of_road_users_that_is_broken_is_refused(text, sentence):
    with pytest.raises(SceneFormatError) as caught:
        read_users_meta(table(text), "trackId", SIZE)
    assert str(caught.value) == f"tracks.csv: {sentence}"
