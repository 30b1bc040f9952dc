import gzip

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile


def test_a_file_on_disk_goes_by_its_bare_name(tmp_path):
    path = tmp_path / "deep" / "tracks.csv"
    path.parent.mkdir()
    path.write_bytes(b"id,t\n")
    file = SourceFile.at(path)
    assert (file.name, file.read(100)) == ("tracks.csv", b"id,t\n")


def test_a_name_that_came_with_folders_loses_them():
    assert SourceFile.holding("../../etc/passwd", b"").name == "passwd"


def test_a_gzip_file_is_unpacked_while_it_is_read():
    file = SourceFile.holding("a.xml.gz", gzip.compress(b"<net/>" * 1000))
    assert file.read(10_000) == b"<net/>" * 1000
    assert file.head(6) == b"<net/>"


def test_a_file_can_be_opened_as_often_as_needed():
    file = SourceFile.holding("a.csv", b"12345")
    assert [file.head(2), file.read(5), file.head(2)] == [b"12", b"12345", b"12"]


def test_a_file_over_the_limit_is_refused():
    with pytest.raises(SceneFormatError, match=r"^a\.csv: the file has more than 4 bytes$"):
        SourceFile.holding("a.csv", b"12345").read(4)


def test_a_gzip_bomb_is_refused_before_it_is_unpacked():
    bomb = SourceFile.holding("a.gz", gzip.compress(bytes(50_000_000)))
    with pytest.raises(SceneFormatError, match="more than 1,000,000 bytes"):
        bomb.read(1_000_000)


@pytest.mark.parametrize("cut", [5, 12, -1])
def test_a_broken_gzip_file_is_refused(cut):
    packed = gzip.compress(b"id,t,x,y\n" * 100)
    with pytest.raises(SceneFormatError, match=r"^a\.gz: broken gzip: "):
        SourceFile.holding("a.gz", packed[:cut]).read(10_000)


def test_a_file_can_be_read_through_to_its_end_in_pieces():
    with SourceFile.holding("a", b"abc").open() as stream:
        assert [stream.read(2), stream.read(2), stream.read(2)] == [b"ab", b"c", b""]
