"""Files arrive over a real connection, from several people at once, or only half."""

import io
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import uvicorn
from sqlalchemy import func, select

from app.auth.models import Role, Scope
from app.clips import receiving
from app.clips.models import SceneRecord, Upload
from app.clips.queries import find_upload, list_scenes, list_uploads
from app.clips.reading_apart import ReadingGivenUp
from app.clips.receiving import is_film
from app.clips.uploads import remove_files, remove_upload
from app.main import create_app
from tests.factories.platform import make_upload, make_user
from tests.factories.recordings import long_recording, table, upload_recording
from tests.factories.signed_in import sign_in_new_user, token_header
from tests.factories.waiting import wait_until


@pytest.fixture
def server(settings):
    """The product on a port of its own."""
    limited = settings.model_copy(update={"max_upload_bytes": 3_000_000})
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = uvicorn.Config(create_app(limited), port=port, log_level="warning", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield port
    server.should_exit = True
    thread.join(timeout=10)


@pytest.fixture
def write(database):
    with database.write.begin() as db:
        user = make_user(db, role=Role.researcher)
    return token_header(database, user, Scope.write)


def head_of(port, path, headers, length):
    lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Content-Length: {length}"]
    lines += ["Content-Type: multipart/form-data; boundary=line"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


PART = b'--line\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'


def folders(storage):
    folder = storage.folder / "uploads"
    return list(folder.iterdir()) if folder.exists() else []


def test_several_people_send_at_once_and_each_gets_their_own(server, write, database):
    def send(number):
        files = table(long_recording(n_cars=number + 1), f"cars{number}.csv")
        address = f"http://127.0.0.1:{server}/api/v1/scenes"
        return httpx.post(address, files=files, headers=write, timeout=60)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert [answer.status_code for answer in answers] == [201] * 4
    assert [answer.json()[0]["report"]["n_tracks"] for answer in answers] == [1, 2, 3, 4]
    assert [answer.json()[0]["name"] for answer in answers] == [f"cars{n}" for n in range(4)]


def test_an_upload_that_breaks_off_leaves_nothing(server, write, database, storage):
    with socket.create_connection(("127.0.0.1", server)) as connection:
        connection.sendall(head_of(server, "/api/v1/scenes", write, 2_500_000))
        connection.sendall(PART + long_recording()[:1_000_000])
    # The next request is answered after the broken one was noticed or in spite of it.
    answer = httpx.get(f"http://127.0.0.1:{server}/api/v1/scenes", headers=write, timeout=30)
    assert answer.json() == []
    assert folders(storage) == []
    with database.read.begin() as db:
        assert db.scalar(select(func.count()).select_from(Upload)) == 0


@pytest.mark.parametrize(
    ("path", "status"), [("/admin/uploads", b" 303 "), ("/api/v1/scenes", b" 401 ")]
)
def test_a_stranger_is_answered_before_the_body_is_read(server, path, status):
    with socket.create_connection(("127.0.0.1", server), timeout=10) as connection:
        connection.sendall(head_of(server, path, {}, 2_900_000) + PART)
        answer = b""
        while piece := connection.recv(65536):  # until the server closes the connection
            answer += piece
    assert status in answer.split(b"\r\n")[0]
    assert b"connection: close" in answer.lower()


def test_too_large_an_upload_is_refused_announced_or_not(server, write, storage):
    address = f"http://127.0.0.1:{server}/api/v1/scenes"
    with socket.create_connection(("127.0.0.1", server), timeout=10) as connection:
        connection.sendall(head_of(server, "/api/v1/scenes", write, 3_000_001))
        assert b" 413 " in connection.recv(1000).split(b"\r\n")[0]

    def pieces():
        yield PART
        for _ in range(40):
            yield b"x" * 100_000

    kind = {"content-type": "multipart/form-data; boundary=line"}
    try:
        answer = httpx.post(address, content=pieces(), headers=write | kind, timeout=30)
        assert answer.status_code == 413
    except httpx.WriteError:
        pass  # the server hung up while we were still sending: refused, too
    assert folders(storage) == []


def test_who_goes_away_while_the_files_are_read_leaves_nothing(
    server, write, database, storage, monkeypatch
):
    reads, given_up = threading.Event(), threading.Event()

    def read_for_ever(files, options, limits, work, gone):
        reads.set()
        assert gone.wait(20)
        given_up.set()
        raise ReadingGivenUp

    monkeypatch.setattr(receiving, "read_apart", read_for_ever)
    body = PART + long_recording() + b"\r\n--line--\r\n"
    with socket.create_connection(("127.0.0.1", server)) as connection:
        connection.sendall(head_of(server, "/api/v1/scenes", write, len(body)) + body)
        assert reads.wait(20)
    assert given_up.wait(5)
    wait_until(lambda: folders(storage) == [])
    with database.read.begin() as db:
        assert db.scalar(select(func.count()).select_from(Upload)) == 0


def test_a_scene_cut_from_what_was_removed_meanwhile_is_nobodys(
    client, database, storage, monkeypatch
):
    ada = sign_in_new_user(client, database, Role.researcher, "ada@example.org")
    address = upload_recording(client)
    mine = address.rsplit("/", 1)[1]
    read = receiving.read_apart

    def read_while_others_act(*arguments):
        reading = read(*arguments)
        monkeypatch.setattr(receiving, "read_apart", read)
        with database.write.begin() as db:
            gone = remove_upload(db, find_upload(db, mine))
            remove_files(db, storage, mine, gone)
        with database.write.begin() as db:  # SQLite gives it the id that has become free
            make_upload(db, make_user(db, email="bob@example.org"))
        return reading

    monkeypatch.setattr(receiving, "read_apart", read_while_others_act)
    choices = {"ego": "2", "start_s": "5", "duration_s": "7"}
    answer = client.post(f"{address}/scenes", data=choices)
    assert (answer.status_code, "There is no such upload." in answer.text) == (404, True)
    with database.read.begin() as db:
        assert [list_scenes(db, one) for one in db.scalars(select(Upload))] == [[]]
        assert db.scalar(select(func.count()).select_from(SceneRecord)) == 0
        assert list_uploads(db, ada) == []
    assert folders(storage) == []
    assert not list(storage.folder.glob("scenes/*"))


def test_films_are_known_by_their_first_bytes():
    assert is_film(io.BytesIO(b"\0\0\0\x18ftypmp42"))
    assert is_film(io.BytesIO(b"\x1aE\xdf\xa3rest"))
    assert is_film(io.BytesIO(b"\0\0\0\x08wide\0\0\0\0mdat"))
    assert not is_film(io.BytesIO(b"id,t,x,y\n"))
    assert not is_film(io.BytesIO(b""))
