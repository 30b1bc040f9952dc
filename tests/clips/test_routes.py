"""The videos' addresses."""

import pytest

KEY = "ab" * 32
VIDEO = bytes(range(256)) * 40


@pytest.fixture
def address(storage):
    storage.put(f"clips/{KEY}.mp4", VIDEO)
    return f"/clips/{KEY}.mp4"


def test_a_clip_is_sent_as_a_video_that_may_be_kept(client, address):
    answer = client.get(address)
    assert answer.content == VIDEO
    assert answer.headers["content-type"] == "video/mp4"
    assert "immutable" in answer.headers["cache-control"]


def test_a_player_can_ask_for_a_part(client, address):
    answer = client.get(address, headers={"range": "bytes=100-199"})
    assert answer.status_code == 206
    assert answer.content == VIDEO[100:200]
    assert answer.headers["content-range"] == f"bytes 100-199/{len(VIDEO)}"


def test_a_part_beyond_the_end_is_refused(client, address):
    assert client.get(address, headers={"range": "bytes=99999-"}).status_code == 416


def test_a_player_can_ask_for_the_head(client, address):
    answer = client.head(address)
    assert answer.status_code == 200
    assert answer.headers["content-length"] == str(len(VIDEO))


@pytest.mark.parametrize("name", ["0" * 64, "..%2fsecret", "x", "AB" * 32])
def test_a_guessed_name_finds_nothing(client, name):
    assert client.get(f"/clips/{name}.mp4").status_code == 404


def test_nothing_tells_when_a_clip_was_filmed(client, address):
    headers = client.get(address).headers
    assert headers["last-modified"] == "Thu, 01 Jan 1970 00:00:00 GMT"
    assert headers["etag"] == f'"{KEY}"'
