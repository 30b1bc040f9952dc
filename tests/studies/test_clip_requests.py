"""Clips of every kind are asked for together, or the document is refused with all reasons."""

import io

import av
import pytest

from app.clips.footage import import_footage
from app.clips.importing import import_scene
from app.clips.models import Upload, UploadedScene
from app.clips.render_job import render_clip
from app.rendering.footage import inspect_footage
from app.studies.clip_requests import uploaded_problems
from app.studies.creation import create_study
from app.studies.problems import StudyFormatError
from app.studies.queries import get_study, list_study_clips
from app.studies.yaml_reader import parse_study
from tests.factories.footage import make_film
from tests.factories.platform import NOW, make_user
from tests.factories.scenes import straight_road_scene

HEAD = """\
slug: mixed
title: Mixed
video: {duration_s: 1.5, width_px: 320, height_px: 180, fps: 20, lead_in_s: 0.25, fade_s: 0.25}
clips:
"""
MIXED = (
    HEAD
    + """\
  - {name: simulated, scene: {simulate: highway, model: attentive, seed: 1}}
  - {name: table, scene: {file: tracks.csv, ego: '1', start_s: 2}}
  - {name: film, scene: {video: films/a.mp4, start_s: 0.5}}
"""
)
CSV = "track_id,t,x,y,heading,speed,length,width\n" + "".join(
    f"{track},{k / 10:.1f},{k + 20 * track},{3 * track},0,10,4.5,1.8\n"
    for track in (1, 2)
    for k in range(61)
)


@pytest.fixture
def folder(tmp_path):
    """The document's folder with a table and a film of another shape and pace, with sound."""
    here = tmp_path / "study"
    (here / "films").mkdir(parents=True)
    (here / "tracks.csv").write_text(CSV)
    make_film(here / "films" / "a.mp4", size_px=(240, 180), fps=24, n_frames=60, with_sound=True)
    return here


def shape(data):
    """Size, rate, number of pictures and duration of a film, after all of it was decoded."""
    with av.open(io.BytesIO(data)) as container:
        stream = container.streams.video[0]
        n_frames = sum(1 for _ in container.decode(stream))
        duration_s = float(stream.duration * stream.time_base)
        return stream.width, stream.height, stream.average_rate, n_frames, duration_s


def test_simulated_tabled_and_filmed_clips_come_out_alike(
    database, storage, jobs, folder, settings
):
    with database.write.begin() as db:
        create_study(db, storage, jobs, MIXED, folder, make_user(db), NOW)
    with database.read.begin() as db:
        clips = [row.clip for row in list_study_clips(db, get_study(db, "mixed"))]
    assert [clip.footage_id is None for clip in clips] == [True, True, False]
    for clip in clips:
        render_clip(database, storage, clip.id)
    shapes = {shape(storage.get(clip.file_key)) for clip in clips}
    assert shapes == {(320, 180, 20, 40, 2.0)}


def test_the_same_document_twice_changes_nothing(database, storage, jobs, folder):
    with database.write.begin() as db:
        owner = make_user(db)
    for _ in range(2):
        with database.write.begin() as db:
            study = create_study(db, storage, jobs, MIXED, folder, owner, NOW)
            ids = [row.clip_id for row in list_study_clips(db, study)]
    assert len(set(ids)) == 3


@pytest.fixture
def uploaded(database, storage, tmp_path):
    """An owner, and the keys of a scene and a film that are theirs."""
    path = make_film(tmp_path / "up.mp4", n_frames=60)
    with database.write.begin() as db:
        owner = make_user(db)
        scene = import_scene(db, storage, straight_road_scene(duration_s=4.0), NOW)
        footage = import_footage(db, storage, path, inspect_footage(path), NOW)
        told = {"name": "a", "format": "f", "files": [], "options": {}, "report": {}}
        both = [
            Upload(
                key=key, owner_id=owner.id, footage_id=film, suggestions=[], created_at=NOW, **told
            )
            for key, film in (("a", None), ("b", footage.id))
        ]
        db.add_all(both)
        cut = UploadedScene(
            upload=both[0], scene_id=scene.id, choices={}, report={}, created_at=NOW
        )
        db.add(cut)
    return owner, scene.content_hash[:12], footage.content_hash[:16]


def uploads(*entries):
    return HEAD + "".join(
        f"  - {{name: c{number}, scene: {{uploaded: '{key}'{rest}}}}}\n"
        for number, (key, rest) in enumerate(entries)
    )


def test_what_was_uploaded_becomes_clips(database, storage, jobs, uploaded):
    owner, scene, film = uploaded
    document = uploads((scene, ", start_s: 1"), (film, ", start_s: 1"))
    with database.write.begin() as db:
        study = create_study(db, storage, jobs, document, None, owner, NOW)
        clips = [row.clip for row in list_study_clips(db, study)]
    assert [clip.style["start_s"] for clip in clips] == [1.0, 1.0]
    for clip in clips:
        render_clip(database, storage, clip.id)
        assert shape(storage.get(clip.file_key))[3] == 40


def test_what_cannot_be_had_of_uploads_is_told_all_at_once(database, storage, jobs, uploaded):
    owner, scene, film = uploaded
    document = uploads((scene, ", start_s: 3"), (film, ", start_s: 2"), ("f" * 12, ""))
    with pytest.raises(StudyFormatError) as caught, database.write.begin() as db:
        create_study(db, storage, jobs, document, None, owner, NOW)
    short, beyond, none = (str(problem) for problem in caught.value.problems)
    assert short.startswith("line 5, clips[0].scene.uploaded: the window from 3 s to 4.5 s is not")
    assert beyond.startswith("line 6, clips[1].scene.uploaded: the window from 2 s to 3.5 s is not")
    assert none.startswith("line 7, clips[2].scene.uploaded: none of ")
    with database.read.begin() as db:
        checked = uploaded_problems(db, storage, parse_study(document), owner)
    assert tuple(checked) == caught.value.problems


def test_somebody_elses_upload_makes_no_clip(database, storage, jobs, uploaded):
    document = uploads((uploaded[1], ""))
    with pytest.raises(StudyFormatError, match="none of"), database.write.begin() as db:
        create_study(db, storage, jobs, document, None, make_user(db), NOW)
