"""Downloads."""

import asyncio

import httpx

from app.auth.models import Role
from tests.factories.answers import rate_study
from tests.factories.platform import make_study, make_user
from tests.factories.signed_in import sign_in_new_user, token_header
from tests.factories.waiting import run_async

PATH = "/api/v1/studies/test-study/responses.csv"


def test_the_responses_are_a_file_with_the_study_s_name(client, database):
    with database.write.begin() as db:
        rate_study(db, make_study(db, n_clips=2), [[1, 5]])
    sign_in_new_user(client, database, Role.viewer)
    answer = client.get(PATH)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/csv; charset=utf-8")
    assert 'filename="test-study-responses.csv"' in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.count("\r\n") == 3


def test_who_is_not_signed_in_gets_nothing(client, database):
    with database.write.begin() as db:
        make_study(db)
    assert client.get(PATH).status_code == 401


def test_a_download_gives_its_connection_back(client, database):
    with database.write.begin() as db:
        rate_study(db, make_study(db, n_clips=2), [[1, 5]])
    sign_in_new_user(client, database)
    for _ in range(25):  # more than the pool has
        assert client.get(PATH).status_code == 200


def test_while_more_downloads_stall_than_there_are_connections_the_site_answers(client, database):
    with database.write.begin() as db:
        rate_study(db, make_study(db, n_clips=2), [[1, 5]])
        user = make_user(db, role=Role.admin)
    headers = [(name.lower(), text) for name, text in token_header(database, user).items()]

    async def stall_and_ask() -> int:
        arrived, never = asyncio.Semaphore(0), asyncio.Event()

        async def send(message: dict[str, object]) -> None:
            if message["type"] == "http.response.body":
                arrived.release()
                await never.wait()

        downloads = [
            asyncio.create_task(client.app(request_for(PATH, headers), never.wait, send))
            for _ in range(25)
        ]
        for _ in downloads:
            await asyncio.wait_for(arrived.acquire(), 20)
        transport = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as other:
            answer = await asyncio.wait_for(other.get("/readyz"), 10)
        for download in downloads:
            download.cancel()
        await asyncio.gather(*downloads, return_exceptions=True)
        return answer.status_code

    assert run_async(stall_and_ask()) == 200


def request_for(path: str, headers: list[tuple[str, str]]) -> dict[str, object]:
    """A GET as a server hands it to the application."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), text.encode()) for name, text in headers],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
    }
