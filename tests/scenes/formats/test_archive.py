"""An archive gives its files, and nothing that an archive can do harms the reader."""

import io
import random
import stat
import zipfile
from copy import copy

import pytest

from app.scenes.formats.archive import FREE_BYTES, MAX_MEMBERS, unpack
from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile


def packed(members, method=zipfile.ZIP_DEFLATED) -> SourceFile:
    """A zip of (name or ZipInfo, content) pairs."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data, method)
    return SourceFile.holding("all.zip", content.getvalue())


def test_a_file_that_is_no_archive_is_alone():
    file = SourceFile.holding("tracks.csv", b"id,t,x,y\n")
    assert unpack(file) == [file]


def test_the_files_of_an_archive_are_read_as_often_as_needed():
    tracks, road = unpack(packed([("a/tracks.csv", b"id,t\n1,0\n"), ("a/map.osm", b"<osm/>")]))
    assert (tracks.name, road.name) == ("tracks.csv", "map.osm")
    for _ in range(2):
        assert tracks.head(4) == b"id,t"
        assert tracks.read(100) == b"id,t\n1,0\n"
        assert road.read(100) == b"<osm/>"


def test_two_members_are_read_at_the_same_time():
    first, second = unpack(packed([("a", b"1" * 300_000), ("b", b"2" * 300_000)]))
    with first.open() as one, second.open() as two:
        for _ in range(3):
            assert one.read(100_000) == b"1" * 100_000
            assert two.read(100_000) == b"2" * 100_000


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "C:\\Windows\\passwd"])
def test_a_name_that_leads_elsewhere_is_only_a_name(name):
    (file,) = unpack(packed([(name, b"x")]))
    assert file.name == "passwd"


def test_folders_and_what_file_managers_leave_are_no_files():
    names = ["a/", "__MACOSX/a/._tracks.csv", ".DS_Store", "a/tracks.csv"]
    assert [file.name for file in unpack(packed([(name, b"") for name in names]))] == ["tracks.csv"]


def test_a_member_that_lies_about_its_size_is_stopped_while_it_is_read():
    bomb = packed([("bomb.csv", bytes(FREE_BYTES * 50))])
    data = bytearray(bomb.read(2**30))
    size = (FREE_BYTES * 50).to_bytes(4, "little")
    assert data.count(size) == 2
    lying = SourceFile.holding("all.zip", bytes(data.replace(size, (10).to_bytes(4, "little"))))
    for file in (bomb, lying):
        with pytest.raises(SceneFormatError) as told:
            read_in_pieces(*unpack(file))
        assert str(told.value) in (
            "all.zip: bomb.csv unpacks to more than 200 times its size",
            "all.zip: broken zip archive: Bad CRC-32 for file 'bomb.csv'",
        )


def read_in_pieces(file: SourceFile) -> None:
    with file.open() as stream:
        n_bytes = 0
        while piece := stream.read(2**16):
            n_bytes += len(piece)
            assert n_bytes < 30 * FREE_BYTES


def test_all_members_together_have_one_limit(monkeypatch):
    monkeypatch.setattr("app.scenes.formats.archive.MAX_UNPACKED_BYTES", 280_000)
    files = unpack(packed([(f"{k}.csv", b"x" * 100_000) for k in range(3)]))
    for file in files[:2] * 3:  # read again is not read more
        assert len(file.read(200_000)) == 100_000
    with pytest.raises(
        SceneFormatError, match=r"all.zip: the archive unpacks to more than 280,000 by"
    ):
        files[2].read(200_000)


def test_what_is_no_plain_file_is_refused():
    link = zipfile.ZipInfo("passwd")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(SceneFormatError, match=r"^all.zip: passwd is a link to another file"):
        unpack(packed([(link, b"/etc/passwd")]))


def test_an_archive_in_an_archive_is_refused():
    inner = packed([("tracks.csv", b"x")]).read(1000)
    with pytest.raises(SceneFormatError, match=r"inner.zip is an archive inside the archive"):
        unpack(packed([("inner.zip", inner)]))


def test_an_encrypted_file_is_refused():
    data = bytearray(packed([("tracks.csv", b"x")]).read(1000))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1
    with pytest.raises(SceneFormatError, match=r"tracks.csv is encrypted"):
        unpack(SourceFile.holding("all.zip", bytes(data)))


def test_a_method_that_others_do_not_have_is_refused():
    with pytest.raises(SceneFormatError, match="a method other than deflate"):
        unpack(packed([("tracks.csv", b"x")], zipfile.ZIP_LZMA))


def test_too_many_files_are_refused():
    with pytest.raises(SceneFormatError, match=r"the archive has 101 files; at most 100 are read"):
        unpack(packed([(str(k), b"") for k in range(MAX_MEMBERS + 1)]))


def test_an_archive_of_nothing_is_refused():
    with pytest.raises(SceneFormatError, match=r"^all.zip: there is no file in the archive$"):
        unpack(packed([]))


def test_a_broken_archive_is_told_in_a_sentence_whatever_is_broken(tmp_path):
    whole = packed([("a.csv", b"id,t,x,y\n" * 99), ("ü.csv", b"id,t,x,y\n" * 99)]).read(10**6)
    rng, path, told = random.Random(1), tmp_path / "broken.zip", []
    for _ in range(1500):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(4, len(data))] = rng.randrange(256)
        data = data[: rng.choice([len(data), rng.randrange(4, len(data))])]
        path.write_bytes(data)
        try:
            for file in unpack(SourceFile.at(path)):
                file.read(10**6)
        except SceneFormatError as error:
            told.append(str(error))
    assert len(told) > 1000
    assert all(sentence.startswith(("broken.zip: ", "a.csv: ", "ü.csv: ")) for sentence in told)


def test_two_names_for_one_member_are_refused():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.csv", b"x" * 1000)
        again = copy(archive.filelist[0])
        again.filename = "b.csv"
        archive.filelist.append(again)
    with pytest.raises(SceneFormatError, match=r"a\.csv and b\.csv are at the same place"):
        unpack(SourceFile.holding("all.zip", content.getvalue()))


def test_a_spreadsheet_is_told_how_to_become_a_table():
    sheet = SourceFile.holding("cars.xlsx", b"PK\x03\x04 and so on")
    with pytest.raises(SceneFormatError, match="this is a spreadsheet; please save it as CSV UTF"):
        unpack(sheet)
