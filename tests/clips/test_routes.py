"""The addresses of videos and their thumbnails."""

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


@pytest.mark.parametrize("ending", ["mp4", "webp", "png"])
@pytest.mark.parametrize("name", ["0" * 64, "..%2fsecret", "x", "AB" * 32])
def test_a_guessed_name_finds_nothing(client, name, ending):
    assert client.get(f"/clips/{name}.{ending}").status_code == 404


@pytest.mark.parametrize("ending", ["webp", "png"])
def test_a_thumbnail_is_sent_as_a_picture_that_may_be_kept(client, storage, ending):
    storage.put(f"clips/{KEY}.{ending}", b"picture")
    answer = client.get(f"/clips/{KEY}.{ending}")
    assert answer.content == b"picture"
    assert answer.headers["content-type"] == f"image/{ending}"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["last-modified"] == "Thu, 01 Jan 1970 00:00:00 GMT"
    assert client.head(f"/clips/{KEY}.{ending}").headers["content-length"] == "7"


def test_a_clip_filmed_before_there_were_thumbnails_has_none(client, address):
    for ending in ("webp", "png"):
        answer = client.get(address.replace("mp4", ending))
        assert answer.status_code == 404
        assert "immutable" not in answer.headers.get("cache-control", "")


def test_nothing_tells_when_a_clip_was_filmed(client, address):
    headers = client.get(address).headers
    assert headers["last-modified"] == "Thu, 01 Jan 1970 00:00:00 GMT"
    assert headers["etag"] == f'"{KEY}"'
