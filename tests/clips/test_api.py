"""Programs bring files in and take scenes out."""

import pytest
from sqlalchemy import select

from app.auth.models import Role, Scope
from app.clips.models import Upload
from app.scenes.formats.canonical import decode_scene
from app.scenes.formats.canonical_csv import decode_csv
from tests.factories.platform import make_user
from tests.factories.recordings import SUMO, long_recording, sample, table
from tests.factories.signed_in import token_header


@pytest.fixture
def researcher(database):
    with database.write.begin() as db:
        return make_user(db, "r@example.org", Role.researcher)


@pytest.fixture
def write(database, researcher):
    return token_header(database, researcher, Scope.write)


def test_files_go_in_and_the_scene_comes_out_without_loss(client, write):
    answer = client.post("/api/v1/scenes", files=sample(*SUMO), headers=write)
    assert answer.status_code == 201, answer.text
    (upload,) = answer.json()
    assert upload["report"]["kinds"] == {"car": 1, "bus": 1, "pedestrian": 1}
    assert upload["files"][0]["name"] == "street.fcd.xml"
    (scene,) = upload["scenes"]
    for name in (scene["id"], upload["key"]):
        packed = client.get(f"/api/v1/scenes/{name}.json.gz", headers=write)
        assert packed.headers["content-type"] == "application/gzip"
        assert decode_scene(packed.content).ego_id == scene["ego_id"]
        plain = client.get(f"/api/v1/scenes/{name}.csv", headers=write)
        assert decode_csv(plain.content).ego_id == scene["ego_id"]
    assert client.get(f"/api/v1/scenes/{upload['key']}", headers=write).json() == upload
    assert client.get("/api/v1/scenes", headers=write).json() == [upload]


def test_what_is_asked_for_is_cut_at_once(client, write):
    fields = {"ego": "2", "start_s": "3", "duration_s": "4", "T": "1", "licence": "CC0"}
    answer = client.post(
        "/api/v1/scenes", files=table(long_recording()), data=fields, headers=write
    )
    (upload,) = answer.json()
    (scene,) = upload["scenes"]
    assert (scene["ego_id"], scene["start_s"], scene["end_s"]) == ("2", 3, 7)
    assert scene["roles"] == {"E": "2", "T": "1"}
    assert upload["report"]["duration_s"] == 30  # suggestions are about all of it
    for report in (upload["report"], scene["report"]):
        assert "taken as the ego" not in str(report["notes"])
    packed = client.get(f"/api/v1/scenes/{scene['id']}.json.gz", headers=write)
    assert decode_scene(packed.content).source.licence == "CC0"


def test_files_that_cannot_be_read_get_the_readers_sentence(client, write):
    answer = client.post("/api/v1/scenes", files=table(b"id,t,x,y\n1,0,a,0\n"), headers=write)
    assert answer.status_code == 422
    message = "cars.csv: line 2: column 'x': 'a' is not a number."
    assert answer.json()["error"]["message"] == message


def test_bringing_in_needs_a_token_that_may_write(client, database, researcher):
    read = token_header(database, researcher, Scope.read)
    for headers, status in (({}, 401), (read, 403)):
        answer = client.post("/api/v1/scenes", files=sample(*SUMO), headers=headers)
        assert answer.status_code == status
        assert answer.headers["connection"] == "close"
    with database.read.begin() as db:
        assert db.scalar(select(Upload)) is None


def test_a_viewers_token_may_not_bring_anything_in(client, database):
    with database.write.begin() as db:
        viewer = make_user(db, role=Role.viewer)
    headers = token_header(database, viewer, Scope.write)
    assert client.post("/api/v1/scenes", files=sample(*SUMO), headers=headers).status_code == 403


def test_somebody_elses_scene_does_not_exist(client, database, write):
    (upload,) = client.post("/api/v1/scenes", files=sample(*SUMO), headers=write).json()
    with database.write.begin() as db:
        somebody = make_user(db, role=Role.researcher)
    other = token_header(database, somebody)
    scene = upload["scenes"][0]["id"]
    for name in (upload["key"], f"{scene}.json.gz", f"{scene}.csv"):
        assert client.get(f"/api/v1/scenes/{name}", headers=other).status_code == 404
    assert client.get("/api/v1/scenes", headers=other).json() == []


def test_another_scene_is_cut_and_the_upload_removed(client, write, storage):
    (upload,) = client.post("/api/v1/scenes", files=table(long_recording()), headers=write).json()
    address = f"/api/v1/scenes/{upload['key']}"
    choice = {"ego": "3", "start_s": 5, "duration_s": 4}
    answer = client.post(f"{address}/cuts", json=choice, headers=write)
    assert answer.status_code == 201, answer.text
    newest, first = answer.json()["scenes"]
    assert (newest["ego_id"], newest["start_s"], newest["end_s"]) == ("3", 5, 9)
    assert first == upload["scenes"][0]
    assert client.delete(address, headers=write).status_code == 204
    assert client.get(address, headers=write).status_code == 404
    assert list((storage.folder / "uploads").iterdir()) == []


def test_what_is_wrong_with_a_cut_is_told_in_words(client, write):
    (upload,) = client.post("/api/v1/scenes", files=table(long_recording()), headers=write).json()
    for choice, told in [
        ({"ego": "3", "end_s": 9}, "end_s: there is no such field; there are name, kind, ego"),
        ({"start_s": 3}, "start_s and duration_s are given together, or neither."),
        ({"ego": 3}, "ego: 3 does not fit here."),
        ({"ego": "3", "start_s": 90, "duration_s": 3}, "the window from 90 s to 93 s is outside"),
        ([], "The body is not a JSON object."),
    ]:
        address = f"/api/v1/scenes/{upload['key']}/cuts"
        answer = client.post(address, json=choice, headers=write)
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith(told)
        assert "files" not in answer.json()["error"]["title"]


def test_a_scene_that_is_none_is_not_found(client, write):
    for name in ("x", "0" * 16, "0" * 17):
        answer = client.get(f"/api/v1/scenes/{name}.csv", headers=write)
        assert answer.status_code == 404
        assert answer.json()["error"]["message"] == "There is no such scene."


def test_removing_and_cutting_are_for_who_may_write(client, database, researcher, write):
    (upload,) = client.post("/api/v1/scenes", files=sample(*SUMO), headers=write).json()
    address, read = f"/api/v1/scenes/{upload['key']}", token_header(database, researcher)
    assert client.delete(address, headers=read).status_code == 403
    assert client.post(f"{address}/cuts", json={}, headers=read).status_code == 403
    with database.write.begin() as db:
        somebody = make_user(db, role=Role.researcher)
    other = token_header(database, somebody, Scope.write)
    assert client.delete(address, headers=other).status_code == 404
    assert client.post(f"{address}/cuts", json={}, headers=other).status_code == 404


def test_the_form_is_described_for_programs(client):
    operation = client.get("/api/openapi.json").json()["paths"]["/api/v1/scenes"]["post"]
    form = operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]
    assert {"files", "format", "ego", "start_s", "duration_s", "T", "columns"} <= set(form)
    assert all(field.get("description") for field in form.values())
    assert "201" in operation["responses"]
