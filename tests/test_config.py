"""Settings come from the environment and say what they mean."""

from pathlib import Path

from app.config import Settings


def test_the_embedded_database_lies_in_the_data_folder(tmp_path):
    assert Settings(data_dir=tmp_path).database == f"sqlite:///{tmp_path}/roadrater.db"


def test_one_variable_changes_the_database(monkeypatch):
    monkeypatch.setenv("ROADRATER_DATABASE_URL", "postgresql+psycopg://db/x")
    assert Settings().database == "postgresql+psycopg://db/x"


def test_files_are_kept_beside_the_database():
    assert Settings(data_dir=Path("somewhere")).files_dir == Path("somewhere/files")


def test_every_setting_has_a_sentence():
    for name, field in Settings.model_fields.items():
        assert (field.description or "").endswith("."), name
