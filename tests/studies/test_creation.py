"""A study is made whole or not at all."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text

from app.auth.models import Role, User
from app.clips.models import Clip, ClipState, SceneRecord
from app.errors import Conflict, Refused
from app.scenes.formats.canonical import decode_scene, encode_scene
from app.studies.creation import NotADraft, SlugTaken, create_study
from app.studies.models import Study, StudyClip, StudyState, StudyVersion
from app.studies.problems import StudyFormatError
from app.studies.queries import get_current_version, get_study, list_study_clips
from tests.factories.platform import NOW, make_user
from tests.factories.scenes import straight_road_scene

LATER = NOW + timedelta(days=1)
DOCUMENT = """\
slug: mine
title: My study
video: {duration_s: 1, width_px: 320, height_px: 180, fps: 10}
clips:
  - {name: calm, condition: c, scene: {simulate: highway, model: attentive, seed: 1}}
  - {name: wild, condition: w, scene: {simulate: highway, model: aggressive, seed: 1}}
"""
THIRD = "  - {name: third, scene: {simulate: highway, model: attentive, seed: 2}}\n"


@pytest.fixture
def create(database, storage, jobs):
    """Make or change a study in a transaction of its own, as one user unless told otherwise."""

    def act(document=DOCUMENT, folder=None, email="a@example.org", role=Role.researcher, **more):
        with database.write.begin() as db:
            known = db.scalar(select(User).where(User.email == email))
            owner = known or make_user(db, email, role)
            return create_study(db, storage, jobs, document, folder, owner, LATER, **more)

    return act


def count(db, table):
    return db.scalar(select(func.count()).select_from(table))


def count_jobs(db):
    schema = "" if db.get_bind().dialect.name == "sqlite" else "dbos."
    return db.scalar(text(f"SELECT count(*) FROM {schema}workflow_status"))  # noqa: S608


def test_a_new_study_is_a_draft_with_its_version_and_clips(create, database, storage):
    create()
    with database.read.begin() as db:
        study = get_study(db, "mine")
        assert (study.title, study.state, study.created_at) == (
            "My study",
            StudyState.draft,
            LATER,
        )
        version = get_current_version(db, study)
        assert (version.number, version.yaml) == (1, DOCUMENT)
        rows = list_study_clips(db, study)
        assert [(row.name, row.condition, row.position) for row in rows] == [
            ("calm", "c", 1),
            ("wild", "w", 2),
        ]
        assert {row.clip.state for row in rows} == {ClipState.queued}
        assert rows[0].clip.style["duration_s"] == 1.0
        assert count_jobs(db) == 2
        for record in db.scalars(select(SceneRecord)):
            assert decode_scene(storage.get(record.file_key)).duration_s == pytest.approx(1.0)


def test_an_unchanged_draft_stays_as_it_is(create, database):
    create()
    create("# a comment changes nothing\n" + DOCUMENT)
    with database.read.begin() as db:
        assert [count(db, table) for table in (Study, StudyVersion, StudyClip, Clip)] == [
            1,
            1,
            2,
            2,
        ]
        assert count_jobs(db) == 2
        assert get_current_version(db, get_study(db, "mine")).yaml == DOCUMENT


def test_a_changed_draft_gets_its_next_version_and_its_clips_are_replaced(create, database):
    create()
    create(DOCUMENT.replace("My study", "Renamed").replace("name: calm", "name: quiet") + THIRD)
    with database.read.begin() as db:
        study = get_study(db, "mine")
        assert study.title == "Renamed"
        versions = db.scalars(select(StudyVersion).order_by(StudyVersion.number)).all()
        assert [(v.number, v.document["title"]) for v in versions] == [
            (1, "My study"),
            (2, "Renamed"),
        ]
        rows = list_study_clips(db, study)
        assert [row.name for row in rows] == ["quiet", "wild", "third"]
        assert count_jobs(db) == 3  # two of the three films were asked for before


def test_a_clip_can_be_shown_twice_and_is_filmed_once(create, database):
    create(DOCUMENT + THIRD.replace("seed: 2", "seed: 1"))
    with database.read.begin() as db:
        assert count(db, StudyClip) == 3
        assert count(db, Clip) == count_jobs(db) == 2


@pytest.mark.parametrize("state", [StudyState.open, StudyState.closed])
def test_a_study_that_was_open_is_never_changed(create, database, state):
    create()
    with database.write.begin() as db:
        get_study(db, "mine").state = state
    with pytest.raises(NotADraft, match=f"'mine' is {state}, and only a draft can be changed"):
        create(DOCUMENT + THIRD)
    with database.read.begin() as db:
        assert [count(db, table) for table in (StudyVersion, StudyClip, Clip)] == [1, 2, 2]


def test_somebody_elses_slug_is_taken(create, database):
    create()
    with pytest.raises(SlugTaken, match="'mine' is taken") as caught:
        create(DOCUMENT + THIRD, email="b@example.org")
    assert isinstance(caught.value, Conflict)
    with database.read.begin() as db:
        assert count(db, StudyClip) == 2


def test_an_admin_changes_a_draft_and_it_stays_its_owners(create, database):
    create()
    create(DOCUMENT + THIRD, email="admin@example.org", role=Role.admin)
    with database.read.begin() as db:
        study = db.scalars(select(Study).join(Study.owner)).one()
        assert count(db, StudyVersion) == 2
        assert db.get_one(User, study.owner_id).email == "a@example.org"


def test_a_viewer_makes_no_study(create, database):
    with pytest.raises(Refused, match="is a viewer"):
        create(role=Role.viewer)
    with database.read.begin() as db:
        assert count(db, Study) == 0


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("seed: 1", "seed: x"), "line 5, clips[0].scene.seed: Input should be a valid integer"),
        (("highway", "moon"), "line 5, clips[0].scene.simulate: no scenario is called 'moon'"),
        (("aggressive", "asleep"), "line 6, clips[1].scene.model: no model is called 'asleep'"),
    ],
)
def test_a_wrong_document_leaves_nothing_behind(create, database, storage, change, problem):
    with pytest.raises(StudyFormatError) as caught:
        create(DOCUMENT.replace(*change, 1))
    assert str(caught.value).startswith(problem)
    with database.read.begin() as db:
        tables = (Study, StudyVersion, StudyClip, Clip, SceneRecord)
        assert [count(db, table) for table in tables] == [0] * 5
        assert count_jobs(db) == 0
    assert not storage.folder.exists()


def test_a_failing_transaction_leaves_no_rows_and_no_jobs(database, storage, jobs):
    with pytest.raises(ZeroDivisionError), database.write.begin() as db:
        create_study(db, storage, jobs, DOCUMENT, None, make_user(db), NOW)
        raise ZeroDivisionError
    with database.read.begin() as db:
        assert count(db, Study) == count(db, Clip) == count_jobs(db) == 0


def test_scene_files_are_read_from_beside_the_document(create, database, tmp_path):
    scene = straight_road_scene(duration_s=4.0)
    (tmp_path / "a.json").write_bytes(encode_scene(scene))
    entry = "  - {name: filed, scene: {file: a.json, start_s: 2.5}}\n"
    create(DOCUMENT + entry, tmp_path)
    with database.read.begin() as db:
        row = list_study_clips(db, get_study(db, "mine"))[2]
        assert (row.clip.style["start_s"], row.clip.style["duration_s"]) == (2.5, 1.0)


def test_an_exchanged_scene_file_makes_a_new_version(create, database, tmp_path):
    entry = "  - {name: filed, scene: {file: a.json}}\n"
    for n_cars in (2, 3):
        (tmp_path / "a.json").write_bytes(encode_scene(straight_road_scene(n_cars)))
        create(DOCUMENT + entry, tmp_path)
    with database.read.begin() as db:
        assert count(db, StudyVersion) == 2
        assert count(db, StudyClip) == count(db, Clip) - 1 == 3


def test_progress_is_told_for_every_clip(create):
    told = []
    create(on_clip=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_of_two_who_take_a_slug_at_once_one_is_told(settings, database, storage, jobs):
    if database.url.get_backend_name() == "sqlite":
        pytest.skip("SQLite lets one writer in at a time")
    with database.write.begin() as db:
        owner = make_user(db)
    outcome = []

    def second():
        try:
            with database.write.begin() as db:
                create_study(db, storage, jobs, DOCUMENT, None, owner, NOW)
            outcome.append("made")
        except SlugTaken as error:
            outcome.append(str(error))

    with database.write.begin() as db:
        db.add(Study(slug="mine", title="x", state="draft", owner_id=owner.id, created_at=NOW))
        db.flush()
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(timeout=1.0)
        assert outcome == []  # it waits for the first to commit
    thread.join(timeout=10)
    assert outcome == ["The slug 'mine' was taken just now."]
