"""A researcher brings files in, sees what was found, and cuts scenes from them."""

import re

import pytest
from sqlalchemy import func, select

from app.auth.models import Role
from app.clips.models import Clip, ClipState, SceneRecord, Upload, UploadedScene
from tests.factories.footage import make_film
from tests.factories.platform import NOW, make_clip
from tests.factories.recordings import (
    INTERACTION,
    SUMO,
    long_recording,
    sample,
    table,
    upload_recording,
)
from tests.factories.signed_in import sign_in_new_user


@pytest.fixture
def desk(client, database):
    """A browser of a signed-in researcher."""
    sign_in_new_user(client, database, Role.researcher, "r@example.org")
    return client


@pytest.fixture
def film(tmp_path) -> bytes:
    """A finished film of two seconds."""
    make_film(tmp_path / "film.mp4")
    return (tmp_path / "film.mp4").read_bytes()


def count(database, kind) -> int:
    with database.read.begin() as db:
        return db.scalar(select(func.count()).select_from(kind)) or 0


def assert_nothing_kept(database, storage) -> None:
    assert count(database, Upload) == count(database, SceneRecord) == 0
    folder = storage.folder / "uploads"
    assert not folder.exists() or list(folder.iterdir()) == []


def test_map_routes_and_tracks_sent_together_become_a_scene(desk):
    answer = desk.post("/admin/uploads", files=sample(*SUMO))
    assert answer.status_code == 303
    page = desk.get(answer.headers["location"]).text
    assert "SUMO floating car data" in page
    assert "6 lanes" in page
    assert "1 car, 1 bus, 1 pedestrian" in page
    assert "street.rou.xml" in page
    (still,) = re.findall(r'src="(/admin/uploads/[0-9a-f/]+\.png)"', page)
    assert desk.get(still).content.startswith(b"\x89PNG")
    assert "street" in desk.get("/admin/scenes").text


def test_tracks_and_a_lanelet2_map_go_together(desk):
    address = desk.post("/admin/uploads", files=sample(*INTERACTION)).headers["location"]
    page = desk.get(address).text
    assert "INTERACTION" in page
    assert "4 lanes" in page


def test_what_was_done_to_the_files_is_told_in_groups(desk):
    page = desk.get(upload_recording(desk)).text
    assert '<h3 class="notes__title">Computed</h3>' in page
    assert '<h3 class="notes__title">Assumed</h3>' in page
    assert "There is no road map" in page


def test_a_long_recording_is_cut_as_suggested_and_otherwise_on_demand(desk, database):
    address = upload_recording(desk)
    page = desk.get(address).text
    assert page.count('class="suggestion"') == 3
    (first,) = re.findall(r'scene: \{uploaded: &#34;([0-9a-f]{16})&#34;\}" readonly', page)
    choices = {"ego": "2", "start_s": "5", "duration_s": "7.5", "T": "1", "name": "behind"}
    answer = desk.post(f"{address}/scenes", data=choices | {"kind": "highway", "V1": ""})
    assert answer.status_code == 303, answer.text
    cut = desk.get(answer.headers["location"]).text
    assert "Ego 2 · 5 to 12.5 s · 3 road users" in cut
    assert first in cut
    with database.read.begin() as db:
        scene = db.scalars(select(UploadedScene).order_by(UploadedScene.scene_id.desc())).first()
        assert scene.choices["roles"] == {"E": "2", "T": "1"}
        assert scene.choices["kind"] == "highway"


def test_the_same_cut_twice_is_one_scene(desk, database):
    address = upload_recording(desk)
    for _ in range(2):
        desk.post(f"{address}/scenes", data={"ego": "2", "start_s": "1", "duration_s": "3"})
    assert count(database, UploadedScene) == 2


def test_an_impossible_cut_is_told_and_changes_nothing(desk, database):
    address = upload_recording(desk)
    for choices, told in [
        ({"ego": "9", "start_s": "1", "duration_s": "3"}, "no track is called &#39;9&#39;"),
        ({"ego": "1", "start_s": "90", "duration_s": "3"}, "from 0 s to 30 s"),
        ({"ego": "1", "start_s": "1", "duration_s": "-3"}, "must be above 0"),
        ({"ego": "1", "start_s": "1"}, "start_s and duration_s are given together"),
        ({"ego": "1", "start_s": "soon", "duration_s": "3"}, "&#39;soon&#39; is not a number"),
        ({"ego": "1", "start_s": "nan", "duration_s": "3"}, "finite"),
    ]:
        answer = desk.post(f"{address}/scenes", data=choices)
        assert answer.status_code == 422
        assert told in answer.text
    assert count(database, UploadedScene) == 1


def test_a_refused_cut_is_shown_again_as_it_was_filled_in(desk):
    address = upload_recording(desk)
    (shown,) = re.findall(
        r'cut-form".*?name="shown" value="([0-9a-f]{16})"', desk.get(address).text, re.S
    )
    choices = {"ego": "3", "start_s": "90", "duration_s": "4", "name": "mine", "T": "1"}
    answer = desk.post(f"{address}/scenes", data=choices | {"shown": shown})
    assert answer.status_code == 422
    for kept in (
        "r@example.org",
        'role="alert">the window from 90 s to 94 s is outside the scene',
        '<option value="3" selected>',
        '<option value="1" selected>',
        'value="90"',
        'value="mine"',
    ):
        assert kept in answer.text
    assert "could not be read" not in answer.text


def test_another_ego_gets_roles_of_its_own(desk, database):
    address = upload_recording(desk)
    page = desk.get(address).text
    assert not re.search(r'name="(T|V\d)" value', page)
    desk.post(f"{address}/scenes", data={"ego": "3", "start_s": "5", "duration_s": "4", "T": ""})
    with database.read.begin() as db:
        scene = db.scalars(select(UploadedScene).order_by(UploadedScene.scene_id.desc())).first()
        assert scene.choices["roles"] == {"E": "3", "T": "2", "V1": "1"}


def test_refused_files_leave_what_was_said_about_them(desk):
    answer = desk.post(
        "/admin/uploads",
        files=table(b"who,when,east,north\n1,0,1,0\n"),
        data={"licence": "CC0", "columns": "id = who", "format": "csv"},
    )
    assert answer.status_code == 422
    for kept in (
        'value="CC0"',
        "id = who</textarea>",
        "r@example.org",
        '<details class="more" open>',
    ):
        assert kept in answer.text
    assert '<option value="csv" selected>' in answer.text


def test_a_broken_file_gets_its_sentence_and_leaves_nothing(desk, database, storage):
    answer = desk.post("/admin/uploads", files=table(b"id,t,x,y\n1,0,abc,0\n"))
    assert answer.status_code == 422
    assert "cars.csv: line 2: column &#39;x&#39;: &#39;abc&#39; is not a number." in answer.text
    assert_nothing_kept(database, storage)


@pytest.mark.parametrize("fields", [{"origin": "north"}, {"origin": "95, 8"}, {"columns": "x"}])
def test_a_wrong_word_about_the_files_is_told(desk, database, storage, fields):
    answer = desk.post("/admin/uploads", files=table(long_recording()), data=fields)
    assert answer.status_code == 422
    assert_nothing_kept(database, storage)


def test_a_form_without_a_file_is_told(desk):
    assert "choose at least one file" in desk.post("/admin/uploads", data={"name": "x"}).text


def test_a_name_that_leads_elsewhere_is_only_a_name(desk, database, storage):
    files = table(long_recording(), "../../../etc/cron.d/evil\x07.csv")
    assert desk.post("/admin/uploads", files=files).status_code == 303
    with database.read.begin() as db:
        upload = db.scalars(select(Upload)).one()
    assert upload.files[0]["name"].startswith("evil")
    kept = {path.name for path in (storage.folder / "uploads" / upload.key).iterdir()}
    assert {name for name in kept if "." not in name} == {"0"}


def test_a_film_is_kept_and_played(desk, film, storage):
    address = desk.post("/admin/uploads", files=table(film, "film.mp4")).headers["location"]
    page = desk.get(address).text
    assert "<video" in page
    assert "scene: {uploaded:" in page
    film = desk.get(f"{address}/film", headers={"range": "bytes=0-99"})
    assert (film.status_code, len(film.content)) == (206, 100)
    assert desk.post(f"{address}/scenes", data={"ego": "1"}).status_code == 422
    assert desk.post(f"{address}/remove").status_code == 303
    assert desk.get(f"{address}/film").status_code == 404
    assert list((storage.folder / "footage").iterdir()) == []


def test_a_film_that_two_uploads_have_stays_with_the_second(desk, film):
    first, second = (
        desk.post("/admin/uploads", files=table(film, name)).headers["location"]
        for name in ("a.mp4", "b.mp4")
    )
    desk.post(f"{first}/remove")
    assert desk.get(f"{second}/film").status_code == 200


def test_films_and_tracks_are_not_mixed(desk, film, database, storage):
    files = table(film, "film.mp4") + table(long_recording())
    assert "one after the other" in desk.post("/admin/uploads", files=files).text
    assert_nothing_kept(database, storage)


def test_of_several_films_all_are_kept_or_none(desk, film, database, storage):
    broken = table(film[:3000], "broken.mp4")
    answer = desk.post("/admin/uploads", files=table(film, "whole.mp4") + broken)
    assert answer.status_code == 422
    assert "broken.mp4" in answer.text
    assert_nothing_kept(database, storage)
    files = [*table(film, "a.mp4"), *table(film, "b.mp4")]
    answer = desk.post("/admin/uploads", files=files)
    assert answer.headers["location"] == "/admin/scenes"
    assert count(database, Upload) == 2


def test_somebody_elses_upload_does_not_exist(desk, client, database):
    address = upload_recording(desk)
    (still,) = re.findall(r'src="(/admin/uploads/[0-9a-f/]+\.png)"', desk.get(address).text)
    sign_in_new_user(client, database, Role.researcher)
    for path in (address, still, f"{address}/film"):
        assert client.get(path).status_code == 404
    choices = {"ego": "2", "start_s": "1", "duration_s": "3"}
    assert client.post(f"{address}/scenes", data=choices).status_code == 404
    assert client.post(f"{address}/remove").status_code == 404
    assert "cars" not in client.get("/admin/scenes").text
    sign_in_new_user(client, database, Role.admin)
    assert client.get(address).status_code == 200
    assert "r@example.org" in client.get("/admin/scenes").text


def test_a_viewer_may_not_bring_anything_in(client, database, storage):
    sign_in_new_user(client, database, Role.viewer)
    assert "but not bring in scenes" in client.get("/admin/scenes").text
    assert client.post("/admin/uploads", files=sample(*SUMO)).status_code == 403
    assert_nothing_kept(database, storage)


def test_an_address_that_is_none_is_told(desk):
    for key in ("x", "0" * 32, "%00", "../secret"):
        assert desk.get(f"/admin/uploads/{key}").status_code == 404
    address = upload_recording(desk)
    assert desk.get(f"{address}?scene=0000").status_code == 404
    assert desk.get(f"{address}/{'0' * 64}.png").status_code == 404


def test_a_removed_upload_is_gone_with_its_files(desk, database, storage):
    with database.write.begin() as db:
        make_clip(db)  # of another study, whose scene is none of ours
    address = upload_recording(desk)
    assert list((storage.folder / "scenes").iterdir()) != []
    assert desk.post(f"{address}/remove").headers["location"] == "/admin/scenes"
    assert desk.get(address).status_code == 404
    assert (count(database, Upload), count(database, SceneRecord)) == (0, 1)
    assert list((storage.folder / "uploads").iterdir()) == []
    assert list((storage.folder / "scenes").iterdir()) == []


def test_what_a_study_shows_is_not_removed(desk, database):
    address = upload_recording(desk)
    with database.write.begin() as db:
        scene = db.scalars(select(SceneRecord)).one()
        db.add(
            Clip(content_key="0" * 64, scene=scene, style={}, state=ClipState.ready, created_at=NOW)
        )
    answer = desk.post(f"{address}/remove")
    assert answer.status_code == 409
    assert "A study uses a clip" in answer.text
    assert desk.get(address).status_code == 200


def test_a_scene_that_another_upload_brought_too_stays_with_it(desk, storage):
    first, second = upload_recording(desk), upload_recording(desk)
    desk.post(f"{first}/remove")
    assert desk.get(second).status_code == 200
    assert list((storage.folder / "scenes").iterdir()) != []


def test_times_that_count_from_1970_are_told_in_full(desk):
    lines = [f"1,{1_700_000_000 + k / 10},{k},0" for k in range(51)]
    recording = "\n".join(["id,t,x,y", *lines]).encode()
    address = desk.post("/admin/uploads", files=table(recording)).headers["location"]
    page = desk.get(address).text
    assert "e+09" not in page
    assert "from 1700000000 s" in page
    assert "1700000000 to 1700000005 s" in page
