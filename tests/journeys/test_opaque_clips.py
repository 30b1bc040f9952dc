"""Nothing but the picture tells two conditions apart: not name, address, header, size or length."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import av
import pytest
from sqlalchemy import select

from app.clips.models import Clip
from app.clips.render_job import render_clip
from app.studies.creation import create_study
from tests.factories.platform import NOW, make_user

STUDY = """
slug: opaque-study
title: Which of them is it?
video: {width_px: 320, height_px: 180, fps: 30, duration_s: 3.0}
clips:
  - {name: tame-9, condition: human, scene: {simulate: highway, model: attentive, seed: 1}}
  - {name: fierce-9, condition: machine, scene: {simulate: highway, model: aggressive, seed: 4}}
"""
TELLTALES = ("tame", "fierce", "human", "machine", "attentive", "aggressive", "highway",
             "opaque-study", "x264", "Lavf", "Lavc", "roadrater", "idm")  # fmt: skip
CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"dinf", b"edts", b"udta"}
# These hold where and how large the compressed pictures are, which is the picture itself.
OF_THE_PICTURE = {"mdat", "stsz", "stco", "stss", "avc1", "stsd"}


@pytest.fixture
def films(client, database, storage, jobs) -> list[tuple[Clip, bytes, dict[str, str]]]:
    """Both conditions' clips as a participant's browser gets them: row, bytes and headers."""
    with database.write.begin() as db:
        create_study(db, storage, jobs, STUDY, None, make_user(db), NOW)
    with database.read.begin() as db:
        ids = db.scalars(select(Clip.id).order_by(Clip.id)).all()
    for clip_id in ids:
        render_clip(database, storage, clip_id)
    with database.read.begin() as db:
        clips = db.scalars(select(Clip).order_by(Clip.id)).all()
    answers = [client.get(clip.url) for clip in clips]
    return [(c, a.content, dict(a.headers)) for c, a in zip(clips, answers, strict=True)]


def boxes(data: bytes, path: str = "") -> Iterator[tuple[str, bytes]]:
    """Every box of an MP4 with its path and content, in order."""
    at = 0
    while at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        content, place = data[at + 8 : at + size], f"{path}/{kind.decode('latin-1')}"
        yield place, content
        if kind in CONTAINERS:
            yield from boxes(content, place)
        at += size


def test_the_files_have_the_same_boxes_and_differ_only_in_those_of_the_picture(films):
    (_, one, _), (_, other, _) = films
    assert one != other
    assert [place for place, _ in boxes(one)] == [place for place, _ in boxes(other)]
    differing = {
        place.rpartition("/")[2]
        for (place, first), (_, second) in zip(boxes(one), boxes(other), strict=True)
        if first != second and place.rpartition("/")[2].encode() not in CONTAINERS
    }
    assert differing <= OF_THE_PICTURE


def test_the_files_and_their_answers_hold_no_word_of_the_study_or_of_a_program(films):
    for clip, content, headers in films:
        said = f"{clip.url} {clip.file_key} {headers}".lower()
        for word in TELLTALES:
            assert word.lower() not in said
            # Short words turn up in compressed pictures by chance.
            outside = b"".join(c for place, c in boxes(content) if not place.endswith("mdat"))
            assert word.lower().encode() not in outside.lower()
        assert re.fullmatch(r"/clips/[0-9a-f]{64}\.mp4", clip.url)


def test_the_films_have_one_size_rate_number_of_pictures_and_times(films):
    facts = set()
    for _, content, _ in films:
        with av.open(io.BytesIO(content)) as video:
            stream = video.streams.video[0]
            times = tuple(frame.pts for frame in video.decode(video=0))
            picture = (stream.width, stream.height, stream.average_rate)
            words = (tuple(stream.metadata), tuple(video.metadata))
            facts.add((picture, video.duration, times, len(video.streams), words))
    assert len(facts) == 1


def test_the_answers_headers_tell_nothing_but_the_address_and_the_length(films):
    (_, _, one), (_, _, other) = films
    assert {n for n in one if one[n] != other[n]} <= {"etag", "content-length", "x-request-id"}
