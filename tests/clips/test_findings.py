"""What is found in files, and what is cut from them unless somebody chose."""

import gzip
from hashlib import sha256

import pytest

from app.clips.findings import LONGEST_CLIP_S, find, find_film
from app.scenes.formats.canonical import decode_scene
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.options import ReadOptions
from tests.factories.recordings import FILES, SUMO, long_recording


def found_in(tmp_path, content: bytes, **options):
    (tmp_path / "0").write_bytes(content)
    return find([("cars.csv", tmp_path / "0")], ReadOptions(**options))


def test_a_long_recording_becomes_its_best_suggestion(tmp_path):
    found = found_in(tmp_path, long_recording())
    best, scene = found.suggestions[0], decode_scene(found.scene_file)
    assert (scene.ego_id, scene.start_s, scene.end_s) == (best.ego_id, best.start_s, best.end_s)
    assert scene.roles == best.roles
    assert scene.duration_s <= LONGEST_CLIP_S
    assert found.report.duration_s == 30
    assert found.plan.tracks[0].points[-1][0] == 30  # the plan shows all of it


def test_every_suggestion_can_be_cut_as_it_is(tmp_path):
    late = b"".join(b"late,%.1f,%d,3,4.5,1.8\n" % (t / 10, t) for t in range(290, 301))
    found = found_in(tmp_path, long_recording() + late)
    for one in found.suggestions:
        window = {"start_s": one.start_s, "end_s": one.end_s}
        again = found_in(
            tmp_path, long_recording() + late, ego_id=one.ego_id, roles=one.roles, **window
        )
        assert again.scene.roles == one.roles


def test_what_is_as_short_as_a_clip_stays_whole(tmp_path):
    assert decode_scene(found_in(tmp_path, long_recording(duration_s=12)).scene_file).end_s == 12


def test_what_was_chosen_is_cut(tmp_path):
    found = found_in(tmp_path, long_recording(), ego_id="3", start_s=2.0, end_s=5.0)
    scene = decode_scene(found.scene_file)
    assert (scene.ego_id, scene.start_s, scene.end_s) == ("3", 2.0, 5.0)


def test_what_was_left_out_of_a_choice_is_suggested_for_it(tmp_path):
    found = found_in(tmp_path, long_recording(), ego_id="3", start_s=2.0, end_s=5.0)
    assert found.scene.roles == {"E": "3", "T": "2", "V1": "1"}
    found = found_in(tmp_path, long_recording(), ego_id="1")
    (suggested,) = (one for one in found.suggestions if one.ego_id == "1")
    assert (found.scene.start_s, found.scene.end_s) == (suggested.start_s, suggested.end_s)
    assert found.scene.roles == suggested.roles
    found = found_in(tmp_path, long_recording(), start_s=2.0, end_s=5.0)
    assert found.scene.ego_id in found.report.notes[-1].sentence
    assert (found.scene.start_s, found.scene.end_s) == (2.0, 5.0)


def test_nothing_is_said_of_an_assumed_ego_where_one_was_chosen(tmp_path):
    found = found_in(tmp_path, long_recording(), ego_id="3", start_s=2.0, end_s=5.0)
    assert found.report.duration_s == 30  # the report is about the files
    assert not [note for note in found.report.notes if "taken as the ego" in note.sentence]
    assert found.suggestions == found_in(tmp_path, long_recording()).suggestions


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ({"roles": {"V3": "3"}}, "'3' is the ego and cannot be V3 as well"),
        ({"roles": {"T": "late"}}, "'late' cannot be T: it is not seen from 2 s to 5 s"),
        ({"roles": {"T": "9"}}, "no track is called '9'; there are '1', '2', '3', 'late'"),
        (
            {"ego_id": "late"},
            "the ego 'late' is not in the window from 2 s to 5 s; it is seen from 29 s to 30 s",
        ),
    ],
)
def test_a_choice_that_cannot_be_is_told_without_the_files(tmp_path, choice, sentence):
    late = b"".join(b"late,%.1f,%d,3,4.5,1.8\n" % (t / 10, t) for t in range(290, 301))
    window = {"ego_id": "3", "start_s": 2.0, "end_s": 5.0}
    with pytest.raises(SceneFormatError) as refused:
        found_in(tmp_path, long_recording() + late, **window | choice)
    assert str(refused.value) == sentence


def test_the_hash_is_that_of_the_canonical_file(tmp_path):
    found = found_in(tmp_path, long_recording())
    assert found.scene.content_hash == sha256(gzip.decompress(found.scene_file)).hexdigest()


def test_a_scene_that_cannot_be_drawn_is_kept_with_the_reason(tmp_path):
    found = found_in(tmp_path, long_recording().replace(b"4.5,1.8", b"400,1.8"))
    assert found.still_png == b""
    assert "400 m" in found.still_problem


def test_files_that_belong_together_are_read_together():
    found = find([(name, FILES / name) for name in SUMO], ReadOptions())
    assert found.report.n_lanes == 6
    assert set(found.to_json()) == {"scene", "report", "suggestions", "still_problem"}


def test_a_film_that_is_none_is_refused_under_its_name(tmp_path):
    (tmp_path / "0").write_bytes(b"no film")
    with pytest.raises(SceneFormatError, match=r"^mine\.mp4: "):
        find_film("mine.mp4", tmp_path / "0")
