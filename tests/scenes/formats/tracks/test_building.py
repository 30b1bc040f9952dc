from dataclasses import replace
from math import nan

import numpy as np
import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.report import Notes
from app.scenes.formats.tracks import building
from app.scenes.formats.tracks.building import BuiltTracks, RoadUserFacts, build_tracks
from app.scenes.formats.tracks.rows import Rows
from app.scenes.resampling import sample_track
from app.scenes.scene import RoadUser, Track

CAR = RoadUserFacts("car", RoadUser.car, 4.0, 1.7)
WALKER = RoadUserFacts("walker", RoadUser.pedestrian)


def rows(n: int = 10, track: int = 1, speed_mps: float = 5.0) -> Rows:
    """A road user that drives east, at 10 Hz; only its places are known."""
    time_s = np.arange(n) / 10
    unknown = np.full(n, np.nan)
    return Rows(
        np.full(n, track),
        time_s,
        time_s * speed_mps,
        np.zeros(n),
        unknown,
        unknown,
        unknown,
        unknown,
    )


def joined(*parts: Rows) -> Rows:
    columns = (np.concatenate([getattr(p, name) for p in parts]) for name in Rows.__slots__)
    return Rows(*columns)


def build(given: Rows, *users: RoadUserFacts, notes: Notes | None = None) -> BuiltTracks:
    numbered = dict(enumerate(users or (CAR,), start=1))
    return build_tracks(given, numbered, notes or Notes(), "a.csv")


def the_track(given: Rows, user: RoadUserFacts = CAR, notes: Notes | None = None) -> Track:
    (track,) = build(given, user, notes=notes).tracks
    return track


def sentences(notes: Notes) -> list[str]:
    return [note.sentence for note in notes.listed()]


def test_what_is_not_in_the_file_is_computed_flagged_and_noted():
    notes = Notes()
    track = the_track(rows(), CAR, notes)
    np.testing.assert_allclose(track.heading_rad, 0, atol=1e-12)
    np.testing.assert_allclose(track.speed_mps, 5)
    np.testing.assert_allclose(track.acceleration_mps2, 0, atol=1e-9)
    assert track.inferred == {"heading", "speed", "acceleration"}
    assert sentences(notes) == [
        "Road users whose heading was computed from their motion.",
        "Road users whose speed was computed from their motion.",
        "Road users whose acceleration was computed from their speed.",
    ]


def test_what_is_in_the_file_stays_to_the_last_bit():
    known = np.linspace(0.1, 0.9, 10)
    given = replace(rows(), heading_rad=known, speed_mps=known + 1, acceleration_mps2=known + 2)
    notes = Notes()
    track = the_track(given, CAR, notes)
    assert track.heading_rad.tolist() == known.tolist()
    assert track.speed_mps.tolist() == (known + 1).tolist()
    assert track.acceleration_mps2.tolist() == (known + 2).tolist()
    assert (track.inferred, notes.listed()) == (frozenset(), ())


def test_only_the_missing_values_of_a_column_are_computed():
    heading_rad = np.where(np.arange(10) < 5, 0.25, np.nan)
    track = the_track(replace(rows(), heading_rad=heading_rad))
    np.testing.assert_allclose(track.heading_rad, [0.25] * 5 + [0] * 5, atol=1e-12)


def test_a_road_user_without_a_size_gets_the_usual_one_of_its_kind():
    notes = Notes()
    track = the_track(rows(), WALKER, notes)
    assert (track.length_m, track.width_m) == (0.6, 0.6)
    assert "size" in track.inferred
    assert "Road users of kind pedestrian without a size, drawn 0.6 m × 0.6 m." in sentences(notes)


def test_half_a_size_is_completed():
    track = the_track(rows(), RoadUserFacts("van", RoadUser.van, 6.0, nan))
    assert (track.length_m, track.width_m) == (6.0, 2.0)


@pytest.mark.parametrize("size_m", [0.0, -4.5])
def test_a_size_that_is_not_positive_is_refused(size_m):
    with pytest.raises(SceneFormatError) as refusal:
        the_track(rows(), RoadUserFacts("7", RoadUser.car, size_m, 1.8))
    assert str(refusal.value) == (
        f"a.csv: road user '7': the length is {size_m:g} m; it must be above 0"
    )


def test_rows_in_any_order_give_the_same_tracks():
    given = joined(rows(track=2), rows(track=1))
    mixed = given.take(np.random.default_rng(3).permutation(len(given)))
    notes = Notes()
    tracks = {t.id: t for t in build(mixed, CAR, WALKER, notes=notes).tracks}
    assert tracks["car"].x_m.tolist() == rows().x_m.tolist()
    assert "Rows earlier than the row before them; they were sorted." in sentences(notes)


def test_rows_grouped_by_time_are_in_order():
    given = joined(rows(track=1), rows(track=2))
    notes = Notes()
    built = build(given.take(np.argsort(given.time_s, kind="stable")), CAR, WALKER, notes=notes)
    assert [track.id for track in built.tracks] == ["car", "walker"]
    assert not any("sorted" in sentence for sentence in sentences(notes))


def test_tracks_come_in_the_order_of_their_first_rows():
    built = build(joined(rows(track=2), rows(track=1)), CAR, WALKER)
    assert [track.id for track in built.tracks] == ["walker", "car"]


def test_a_row_that_is_there_twice_counts_once():
    notes = Notes()
    track = the_track(joined(rows(), rows()), CAR, notes)
    assert len(track.time_s) == 10
    dropped = notes.listed()[0]
    assert (dropped.sentence, dropped.n) == ("Rows that repeat the row before them.", 10)


def test_two_places_at_one_time_are_refused():
    elsewhere = replace(rows(), x_m=rows().x_m + 1)
    with pytest.raises(SceneFormatError) as refusal:
        the_track(joined(rows(), elsewhere.take(np.array([4]))))
    assert str(refusal.value) == "a.csv: road user 'car' has two different rows at 0.4 s"


@pytest.mark.parametrize("place", [nan, np.inf, -np.inf])
def test_a_place_that_is_nowhere_is_refused_with_who_and_when(place):
    x_m = np.where(np.arange(10) == 3, place, rows().x_m)
    with pytest.raises(SceneFormatError) as refusal:
        the_track(replace(rows(), x_m=x_m))
    assert str(refusal.value) == (
        f"a.csv: road user 'car' is at x {place:g} m, y 0 m at 0.3 s; "
        "places and times must be finite"
    )


def test_one_lost_sample_is_bridged():
    notes = Notes()
    track = the_track(rows().take(np.delete(np.arange(10), 4)), CAR, notes)
    assert track.valid.all()
    assert sample_track(track, np.array([0.4])).x_m[0] == pytest.approx(2.0)
    assert any("Lost samples" in sentence for sentence in sentences(notes))


def test_nothing_is_drawn_in_a_gap():
    notes = Notes()
    track = the_track(rows(30).take(np.delete(np.arange(30), np.arange(10, 15))), CAR, notes)
    between = sample_track(track, np.array([0.9, 1.0, 1.2, 1.4, 1.5]))
    assert between.valid.tolist() == [True, False, False, False, True]
    told = " ".join(sentences(notes))
    assert "Gaps of several samples, in which nothing is drawn, of '" in told


def test_speeds_are_not_computed_across_a_gap():
    given = rows(30).take(np.delete(np.arange(30), np.arange(10, 20)))
    jump = replace(given, x_m=given.x_m + np.where(given.time_s > 1.5, 1000, 0))
    track = the_track(jump)
    np.testing.assert_allclose(track.speed_mps[track.valid], 5)


def test_who_stands_before_and_after_a_gap_keeps_the_heading_of_its_way():
    given = rows(30)
    y_m = np.where(given.time_s < 1, given.time_s * 5, 5)
    stands = replace(given, x_m=np.zeros(30), y_m=y_m)
    track = the_track(stands.take(np.delete(np.arange(30), np.arange(15, 22))))
    np.testing.assert_allclose(track.heading_rad[track.valid], np.pi / 2)


def test_who_never_moves_faces_east_and_that_is_noted():
    notes = Notes()
    track = the_track(rows(speed_mps=0), CAR, notes)
    assert track.heading_rad.tolist() == [0.0] * 10
    assert "Road users that never move and have no heading; they face east." in sentences(notes)


def test_a_single_moment_has_a_step_all_the_same():
    notes = Notes()
    built = build(rows(1), CAR, notes=notes)
    assert built.step_s == 0.1
    assert built.tracks[0].speed_mps.tolist() == [0.0]
    assert "There is one moment only; the time step is set to 0.1 s." in sentences(notes)


def test_the_step_is_the_usual_one_without_its_rounding():
    given = rows(200)
    assert build(replace(given, time_s=given.time_s / 2.5 + 1e5)).step_s == 0.04


def test_too_many_road_users_are_refused(monkeypatch):
    monkeypatch.setattr(building, "MAX_TRACKS", 1)
    with pytest.raises(SceneFormatError, match="there are 2 road users, but a scene may have 1"):
        build(joined(rows(track=1), rows(track=2)), CAR, WALKER)
