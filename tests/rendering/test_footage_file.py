"""What is no whole film is refused in a sentence that says where."""

import io
import os
import struct
from fractions import Fraction

import av
import numpy as np
import pytest

from app.rendering import footage_file
from app.rendering.footage_file import FootageError, open_footage
from tests.factories.footage import make_film


def look_through(source):
    with open_footage(source) as footage:
        return list(footage.pictures())


def refusal(source):
    with pytest.raises(FootageError) as caught:
        look_through(source)
    return str(caught.value)


def noise(number):
    """Pictures that need many bytes, so that damage hits them."""
    return np.random.default_rng(number).integers(0, 255, (180, 320, 3), dtype=np.uint8)


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    path = tmp_path_factory.mktemp("noisy") / "a.mp4"
    index_first = {"movflags": "faststart"}
    return make_film(path, paint=noise, container_options=index_first).read_bytes()


def test_every_picture_comes_with_its_time(tmp_path):
    pictures = look_through(make_film(tmp_path / "a.mp4", n_frames=30, fps=24))
    np.testing.assert_allclose([p.time_s for p in pictures], np.arange(30) / 24, atol=1e-4)
    np.testing.assert_allclose([p.duration_s for p in pictures], 1 / 24, atol=1e-4)


def test_a_film_is_read_from_an_open_file_too(noisy):
    assert len(look_through(io.BytesIO(noisy))) == 48


@pytest.mark.parametrize(
    ("name", "codec"), [("a.mov", "libx264"), ("a.webm", "libvpx-vp9"), ("a.mkv", "mpeg4")]
)
def test_other_containers_and_codecs_are_read(tmp_path, name, codec):
    assert len(look_through(make_film(tmp_path / name, codec=codec))) == 48


def test_a_film_counts_from_its_first_picture(tmp_path):
    late = make_film(tmp_path / "a.mkv", times=lambda number: number + 72)
    assert look_through(late)[0].time_s == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "this is no film in an MP4, MOV or WebM file"),
        (b"just some text, many lines of it", "this is no film in an MP4, MOV or WebM file"),
        (b"#EXTM3U\n#EXT-X-VERSION:3\n/etc/passwd\n", "this is no film in an MP4, MOV or WebM"),
        (b"ffconcat version 1.0\nfile /etc/passwd\n", "this is no film in an MP4, MOV or WebM"),
        (b"\0\0\0\x18ftypmp42" + os.urandom(500), "the film is damaged or was cut off"),
        (b"\x1a\x45\xdf\xa3" + os.urandom(500), "the film is damaged or was cut off"),
    ],
)
def test_what_is_no_film_is_told(content, sentence):
    assert sentence in refusal(io.BytesIO(content))


@pytest.mark.parametrize("share", [0.3, 0.6, 0.98])
def test_a_film_that_was_cut_off_is_told_with_the_time(noisy, share):
    told = refusal(io.BytesIO(noisy[: int(len(noisy) * share)]))
    assert told.endswith("s: the film is damaged or was cut off")
    stopped_s = float(told.removeprefix("decoding stopped at ").split()[0])
    assert stopped_s == pytest.approx(2 * share, abs=0.25)


def test_a_film_whose_index_was_cut_off_is_told(tmp_path):
    whole = make_film(tmp_path / "a.mp4").read_bytes()
    assert "it has no index" in refusal(io.BytesIO(whole[: len(whole) // 2]))


def test_a_webm_that_was_cut_off_is_told(tmp_path):
    whole = make_film(tmp_path / "a.webm", codec="libvpx-vp9", paint=noise).read_bytes()
    assert "was cut off" in refusal(io.BytesIO(whole[: len(whole) // 2]))


def test_damage_in_the_middle_is_told(noisy):
    damaged = bytearray(noisy)
    middle = len(noisy) // 2
    damaged[middle : middle + 2000] = bytes(2000)
    assert "decoding stopped at 0." in refusal(io.BytesIO(bytes(damaged)))


def test_a_film_that_claims_giant_pictures_is_refused(tmp_path):
    film = make_film(tmp_path / "a.mov", codec="mjpeg", pix_fmt="yuvj420p").read_bytes()
    size_px = struct.pack(">HH", 180, 320)  # in the header of every picture
    giant = film.replace(size_px, struct.pack(">HH", 65_000, 65_000))
    assert giant != film
    assert refusal(io.BytesIO(giant)) == (
        "decoding stopped at 0.00 s: the film is damaged or was cut off"
    )


@pytest.mark.parametrize("size_px", [(3842, 90), (90, 3842)])
def test_a_picture_that_is_too_long_is_refused(tmp_path, size_px):
    told = refusal(make_film(tmp_path / "a.mp4", size_px=size_px, n_frames=2))
    assert told == (
        f"the picture is {size_px[0]} × {size_px[1]} px; it may have up to 3840 × 2160 px"
    )


def test_a_file_that_is_too_large_is_refused_unread(noisy, monkeypatch):
    monkeypatch.setattr(footage_file, "MAX_BYTES", 1_000_000)
    assert refusal(io.BytesIO(noisy + bytes(1_000_000))).endswith("at most 1 MB are read")


def test_a_film_may_not_lead_to_another_file(tmp_path):
    """The reference leads to the same pictures at the same place, so following it would work."""
    film = make_film(tmp_path / "a.mp4")
    (tmp_path / "other.mp4").write_bytes(film.read_bytes())
    film.write_bytes(refers_to(film.read_bytes(), str(tmp_path / "other.mp4")))
    assert "was cut off" in refusal(film)


def refers_to(film: bytes, path: str) -> bytes:
    """The film with its pictures said to be in another file, as QuickTime does it (`alis`)."""
    name = path.encode()
    absolute = struct.pack(">HH", 2, len(name)) + name + bytes(len(name) % 2)
    alias = bytes(10) + b"\x04disk" + bytes(23) + bytes(12)
    alias += bytes([9]) + b"other.mp4" + bytes(54) + bytes(16) + struct.pack(">hh", -1, -1)
    alias += bytes(16) + absolute + struct.pack(">hH", -1, 0)
    entry = struct.pack(">I", len(alias) + 12) + b"alis" + bytes(4) + alias
    place = film.index(b"url \0\0\0\1") - 4
    longer = len(entry) - 12
    changed = bytearray(film[:place] + entry + film[place + 12 :])
    for box in (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref"):
        at = changed.index(box, film.index(b"moov") - 4) - 4
        struct.pack_into(">I", changed, at, struct.unpack_from(">I", changed, at)[0] + longer)
    return bytes(changed)


def test_two_films_in_one_file_are_refused(tmp_path):
    with av.open(str(tmp_path / "a.mp4"), "w") as container:
        for _ in range(2):
            stream = container.add_stream("libx264", rate=10)
            stream.width, stream.height = 64, 64
        for stream in container.streams.video:
            for number in range(12):
                frame = av.VideoFrame(64, 64, "yuv420p")
                frame.pts, frame.time_base = number, Fraction(1, 10)
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
    assert refusal(tmp_path / "a.mp4") == "the file has 2 video tracks; it must have one"


def test_sound_alone_is_no_film(tmp_path):
    with av.open(str(tmp_path / "a.mp4"), "w") as container:
        stream = container.add_stream("aac", rate=48_000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 48_000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    assert refusal(tmp_path / "a.mp4") == "the file has 0 video tracks; it must have one"


def test_a_codec_that_is_not_read_is_named(tmp_path):
    told = refusal(make_film(tmp_path / "a.mov", codec="prores_ks", pix_fmt="yuv422p10le"))
    assert told == "the film is compressed with prores, which is not read; use H.264"


def test_an_interlaced_film_is_refused(tmp_path):
    film = make_film(
        tmp_path / "a.mp4", codec_options={"x264-params": "interlaced=1:force-cfr=1"}, paint=noise
    )
    assert refusal(film) == "the film is interlaced; please export it progressive"


@pytest.mark.parametrize(
    "tags",
    [{"color_trc": 16}, {"color_trc": 18}, {"color_primaries": 9}, {"color_primaries": 12}],
)
def test_hdr_and_wide_gamut_are_refused(tmp_path, tags):
    assert "HDR or wide gamut" in refusal(make_film(tmp_path / "a.mp4", **tags))


def test_a_film_that_is_too_fast_or_too_long_is_refused_on_the_way(tmp_path):
    fast = make_film(tmp_path / "fast.mp4", fps=1000, n_frames=400, size_px=(64, 64))
    assert "more than 120 pictures per second" in refusal(fast)
    slow = make_film(tmp_path / "slow.mp4", fps=1, n_frames=605, size_px=(64, 64))
    assert refusal(slow) == "the film is longer than 600 s"


def test_a_film_that_changes_its_size_is_refused(tmp_path):
    parts = [
        make_film(tmp_path / name, size_px=size_px, codec="mjpeg", pix_fmt="yuvj420p", n_frames=24)
        for name, size_px in (("a.mkv", (320, 180)), ("b.mkv", (160, 90)))
    ]
    joined = tmp_path / "joined.mkv"
    join(parts, joined)
    assert refusal(joined) == "the size or format of the pictures changes at 1.00 s"


def join(parts, target):
    """The packets of one film after those of another, as if nothing had changed."""
    with av.open(str(target), "w") as out, av.open(str(parts[0])) as first:
        stream = out.add_stream_from_template(first.streams.video[0])
        for number, part in enumerate(parts):
            with av.open(str(part)) as container:
                for packet in container.demux(video=0):
                    if packet.dts is not None:
                        packet.pts = packet.dts = packet.pts + number * 1000
                        packet.stream = stream
                        out.mux(packet)
