import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind, FileSet

NET = SourceFile.holding("a.net.xml", b"")
OTHER = SourceFile.holding("b.net.xml", b"")


def test_a_file_is_found_by_its_kind():
    files = FileSet({FileKind.sumo_net: (NET,)})
    assert files.find(FileKind.sumo_net) is NET
    assert files.find(FileKind.sumo_fcd) is None


def test_two_files_where_one_is_needed_are_refused_by_name():
    files = FileSet({FileKind.sumo_net: (NET, OTHER)})
    assert files.all(FileKind.sumo_net) == (NET, OTHER)
    with pytest.raises(SceneFormatError, match=r"a\.net\.xml and b\.net\.xml are both"):
        files.find(FileKind.sumo_net)


def test_a_file_that_must_be_there_is_missed_by_its_kind():
    with pytest.raises(SceneFormatError, match=r"^there is no file of the kind sumo-fcd$"):
        FileSet({}).get(FileKind.sumo_fcd)
