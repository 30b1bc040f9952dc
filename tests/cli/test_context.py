"""The parts that commands work with."""

from sqlalchemy import text

from app.cli.context import open_parts
from app.config import Settings


def test_opening_the_parts_makes_folder_and_tables_where_there_was_nothing(tmp_path):
    settings = Settings(data_dir=tmp_path / "new" / "data")
    with open_parts(settings) as parts, parts.database.read.begin() as db:
        assert db.scalar(text("SELECT count(*) FROM ratings")) == 0
        assert db.scalar(text("SELECT count(*) FROM workflow_status")) == 0
    assert settings.files_dir.is_dir()


def test_opening_the_parts_again_keeps_what_is_there(tmp_path):
    settings = Settings(data_dir=tmp_path)
    with open_parts(settings) as parts:
        parts.storage.put("kept", b"x")
    with open_parts(settings) as parts:
        assert parts.storage.get("kept") == b"x"
