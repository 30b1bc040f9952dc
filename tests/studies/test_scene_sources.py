"""Scenes are made as the document asks, or the line that asks for the impossible is named."""

import os
from dataclasses import replace

import pytest

from app.scenes.formats.canonical import encode_scene, scene_hash
from app.studies.problems import StudyFormatError
from app.studies.scene_sources import check_sources, make_scenes
from app.studies.yaml_reader import parse_study
from tests.factories.footage import make_film
from tests.factories.scenes import make_track, straight_road_scene

HEAD = """\
slug: s
title: T
video: {duration_s: 2}
clips:
"""
SIMULATED = "  - {name: a, scene: {simulate: highway, model: attentive, seed: 1}}\n"


def from_file(name, rest=""):
    return f"  - {{name: b, scene: {{file: {name!r}{rest}}}}}\n"


def scenes_of(text, folder=None, on_clip=lambda done, total: None):
    return make_scenes(parse_study(HEAD + text), folder, on_clip)


def problems(text, folder=None):
    with pytest.raises(StudyFormatError) as caught:
        scenes_of(text, folder)
    return [str(problem) for problem in caught.value.problems]


def test_a_simulated_scene_is_as_long_as_the_clip():
    (scene,) = scenes_of(SIMULATED)
    assert scene.duration_s == pytest.approx(2.0)
    assert (scene.source.model, scene.source.seed) == ("attentive", 1)


def test_a_clip_that_ends_between_two_steps_has_a_scene_that_covers_it():
    text = HEAD.replace("duration_s: 2", "duration_s: 2.03") + SIMULATED
    (scene,) = make_scenes(parse_study(text), None, lambda done, total: None)
    assert 2.03 <= scene.duration_s < 2.2


def test_the_same_document_gives_the_same_scenes():
    (first,), (second,) = scenes_of(SIMULATED), scenes_of(SIMULATED)
    assert scene_hash(first) == scene_hash(second)


def test_progress_is_told_for_every_clip():
    told = []
    scenes_of(SIMULATED + SIMULATED.replace("a,", "b,", 1), None, lambda *at: told.append(at))
    assert told == [(1, 2), (2, 2)]


def test_unknown_scenarios_and_models_are_all_told_before_anything_is_simulated():
    text = (
        SIMULATED
        + "  - {name: b, scene: {simulate: moon, model: attentive, seed: 1}}\n"
        + "  - {name: c, scene: {simulate: highway, model: drunk, seed: 1}}\n"
    )
    source, told = parse_study(HEAD + text), []
    with pytest.raises(StudyFormatError) as caught:
        make_scenes(source, None, lambda *at: told.append(at))
    first, second = (str(problem) for problem in caught.value.problems)
    assert first.startswith("line 6, clips[1].scene.simulate: no scenario is called 'moon'")
    assert "highway" in first
    assert second.startswith("line 7, clips[2].scene.model: no model is called 'drunk'")
    assert "attentive" in second
    assert told == []


@pytest.mark.parametrize("compress", [False, True])
def test_a_file_beside_the_document_is_read(tmp_path, compress):
    scene = straight_road_scene(duration_s=4.0)
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "a.json").write_bytes(encode_scene(scene, compress=compress))
    (read,) = scenes_of(from_file("scenes/a.json", ", start_s: 1.5"), tmp_path)
    assert scene_hash(read) == scene_hash(scene)


def test_missing_and_broken_files_are_all_told_with_their_lines(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "folder").mkdir()
    text = "".join(
        from_file(name).replace("name: b", f"name: {letter}")
        for letter, name in zip("abc", ["none.json", "broken.json", "folder"], strict=True)
    )
    none, broken, folder = problems(text, tmp_path)
    assert none == (
        "line 5, clips[0].scene.file: there is no file 'none.json' in the document's folder"
    )
    assert broken.startswith("line 6, clips[1].scene.file: ")
    assert folder.startswith("line 7, clips[2].scene.file: there is no file 'folder'")


@pytest.mark.parametrize("way_out", ["../secret.json", "sub/../../secret.json", "absolute", "link"])
def test_the_documents_folder_is_not_left(tmp_path, way_out):
    secret = tmp_path / "secret.json"
    secret.write_bytes(encode_scene(straight_road_scene()))
    folder = tmp_path / "studies"
    (folder / "sub").mkdir(parents=True)
    (folder / "link").symlink_to(secret)
    name = str(secret) if way_out == "absolute" else way_out
    (told,) = problems(from_file(name), folder)
    assert told == f"line 5, clips[0].scene.file: {name!r} leads out of the document's folder"


def test_links_in_a_circle_lead_nowhere(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert problems(from_file("a"), tmp_path)[0].startswith("line 5, clips[0].scene.file: ")


def test_a_file_name_that_no_disk_can_hold_is_a_sentence(tmp_path):
    assert problems(from_file("x" * 290), tmp_path) == [
        "line 5, clips[0].scene.file: File name too long"
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "there is no file 'pipe'" in problems(from_file("pipe"), tmp_path)[0]


def test_without_a_folder_there_are_no_files():
    assert "only when a study is made from a file" in problems(from_file("a.json"))[0]


@pytest.mark.parametrize("window", ["", ", start_s: 1", ", start_s: -0.5"])
def test_a_scene_that_does_not_cover_the_clip_is_refused(tmp_path, window):
    scene = straight_road_scene(duration_s=1.5 if window == "" else 2.5)
    (tmp_path / "a.json").write_bytes(encode_scene(scene))
    (told,) = problems(from_file("a.json", window), tmp_path)
    assert "s is not within the ego's time from 0 s to" in told


def test_an_ego_that_is_away_for_a_while_is_refused(tmp_path):
    scene = straight_road_scene(duration_s=4.0)
    ego = scene.tracks[0]
    gap = (ego.time_s < 0.95) | (ego.time_s > 1.45)
    tracks = (make_track(ego.id, time_s=ego.time_s, valid=gap), *scene.tracks[1:])
    write(tmp_path / "a.json", scene, tracks=tracks)
    (told,) = problems(from_file("a.json"), tmp_path)
    assert "is missing at" in told


def test_a_scene_without_an_ego_follows_who_is_said_or_who_interacts_most(tmp_path):
    scene = straight_road_scene()
    write(tmp_path / "a.json", scene, ego_id=None, roles={})
    other = scene.tracks[1].id
    (said,) = scenes_of(from_file("a.json", f", ego: {other!r}"), tmp_path)
    assert said.ego_id == other
    (suggested,) = scenes_of(from_file("a.json"), tmp_path)
    assert suggested.ego_id in {track.id for track in scene.tracks}


def test_an_ego_that_is_never_there_is_refused(tmp_path):
    scene = straight_road_scene()
    ego = make_track(scene.tracks[0].id, time_s=scene.tracks[0].time_s, valid=False)
    write(tmp_path / "a.json", scene, tracks=(ego, *scene.tracks[1:]))
    assert "is nowhere in its tracks" in problems(from_file("a.json"), tmp_path)[0]


CSV = "track_id,t,x,y,heading,speed,length,width\n" + "".join(
    f"{track},{k / 10:.1f},{k + 20 * track},{3 * track},0,10,4.5,1.8\n"
    for track in (1, 2)
    for k in range(101)
)


def test_a_table_of_tracks_is_read_with_the_window_around_the_clip(tmp_path):
    (tmp_path / "tracks.csv").write_text(CSV)
    (scene,) = scenes_of(from_file("tracks.csv", ", ego: '2', start_s: 4"), tmp_path)
    assert scene.ego_id == "2"
    assert (scene.start_s, scene.end_s) == (pytest.approx(3.0), pytest.approx(7.0))


def test_columns_and_format_can_be_said(tmp_path):
    renamed = CSV.replace("t,x,y", "when,pos_x,pos_y", 1)
    (tmp_path / "tracks.csv").write_text(renamed)
    said = ", format: csv, columns: {t: when, x: pos_x, y: pos_y}, ego: '1', start_s: 0"
    (scene,) = scenes_of(from_file("tracks.csv", said), tmp_path)
    assert scene.tracks[0].x_m[:2] == pytest.approx([20.0, 21.0])


def test_a_file_that_belongs_to_it_must_be_there_too(tmp_path):
    (tmp_path / "tracks.csv").write_text(CSV)
    (told,) = problems(from_file("tracks.csv", ", also: [map.osm]"), tmp_path)
    assert told.endswith("there is no file 'map.osm' in the document's folder")
    (told,) = problems(from_file("tracks.csv", ", also: [../map.osm]"), tmp_path)
    assert told.endswith("'../map.osm' leads out of the document's folder")


def filmed(name, rest=""):
    return f"  - {{name: c, scene: {{video: {name!r}{rest}}}}}\n"


def test_a_finished_film_is_looked_through(tmp_path):
    (tmp_path / "films").mkdir()
    path = make_film(tmp_path / "films" / "a.mp4", n_frames=72)
    (film,) = scenes_of(filmed("films/a.mp4", ", start_s: 1"), tmp_path)
    assert film.path == path.resolve()
    assert film.facts.duration_s == pytest.approx(3.0)


def test_what_is_wrong_with_a_film_is_told_with_line_and_field(tmp_path):
    make_film(tmp_path / "a.mp4", n_frames=36)
    (tmp_path / "b.mp4").write_text("not a film")
    assert problems(filmed("a.mp4"), tmp_path) == [
        "line 5, clips[0].scene.video: the window from 0 s to 2 s is not within the film, "
        "which is 1.5 s long"
    ]
    assert problems(filmed("b.mp4"), tmp_path) == [
        "line 5, clips[0].scene.video: this is no film in an MP4, MOV or WebM file"
    ]
    assert "leads out" in problems(filmed("../b.mp4"), tmp_path)[0]
    assert "only when a study is made from a file" in problems(filmed("a.mp4"))[0]


def test_what_was_uploaded_is_looked_up_later():
    (entry,) = scenes_of("  - {name: d, scene: {uploaded: 0123456789ab}}\n")
    assert entry.uploaded == "0123456789ab"


def test_checking_looks_at_files_but_simulates_nothing(tmp_path):
    make_film(tmp_path / "a.mp4", n_frames=36)
    with pytest.raises(StudyFormatError, match=r"clips\[1\]\.scene\.video: the window"):
        check_sources(parse_study(HEAD + SIMULATED + filmed("a.mp4")), tmp_path)


def test_checking_tells_what_is_good_to_know(tmp_path):
    make_film(tmp_path / "a.mp4", size_px=(320, 240))
    (tmp_path / "tracks.csv").write_text(CSV)
    source = parse_study(HEAD + filmed("a.mp4") + from_file("tracks.csv"))
    told = [str(remark) for remark in check_sources(source, tmp_path)]
    assert told[0] == (
        "line 5, clips[0].scene.video: The film is 320 × 240 px; around it the picture of "
        "1280 × 720 px is black."
    )
    assert any("clips[1].scene.file" in remark and "as the ego" in remark for remark in told)


def write(path, scene, **changes):
    path.write_bytes(encode_scene(replace(scene, **changes)))


# A meets B at 8 s and is there from 0 to 12 s.
MEETING = "id,t,x,y\n" + "".join(
    f"a,{k / 10},{k},0\n" + (f"b,{k / 10},{80 + (k - 60)},{(80 - k) * 0.9}\n" if k > 59 else "")
    for k in range(121)
)


def test_a_clip_without_a_start_begins_where_the_ego_interacts_most(tmp_path):
    (tmp_path / "a.csv").write_text(MEETING)
    (scene,) = scenes_of(from_file("a.csv", ", ego: a"), tmp_path)
    assert scene.start_s > 3
    assert scene.duration_s == pytest.approx(2.1, abs=0.11)


def test_a_window_beyond_the_ego_is_refused_with_its_whole_time(tmp_path):
    (tmp_path / "a.csv").write_text(MEETING)
    (told,) = problems(from_file("a.csv", ", ego: a, start_s: 11"), tmp_path)
    assert "is not within the ego's time from 0 s to 12 s" in told
