"""Files and uploads of a document are looked at together, and nothing is stored."""

import pytest

from app.auth.models import Role
from app.cli.study_check import check_all
from app.config import Settings
from app.errors import Invalid
from app.studies.problems import StudyFormatError
from app.studies.yaml_reader import parse_study
from tests.factories.platform import make_user

UPLOADED = """\
slug: mine
title: My study
clips:
  - {name: a, scene: {uploaded: deadbeefdead}}
"""
BOTH = UPLOADED + "  - {name: b, scene: {file: missing.csv}}\n"
SIMULATED = """\
slug: mine
title: My study
clips:
  - {name: a, scene: {simulate: highway, model: attentive, seed: 1}}
"""


def test_files_and_uploads_that_are_not_there_are_told_at_once(database, settings, tmp_path):
    with database.write.begin() as db:
        make_user(db, "admin@example.org", Role.admin)
    with pytest.raises(StudyFormatError) as caught:
        check_all(parse_study(BOTH), tmp_path, settings, "")
    upload, file = map(str, caught.value.problems)
    assert upload.startswith("line 4, clips[0].scene.uploaded: none of admin@example.org's uploads")
    assert file.startswith("line 5, clips[1].scene.file: there is no file 'missing.csv'")


def test_whose_uploads_they_are_must_be_known(database, settings, tmp_path):
    with pytest.raises(Invalid, match="There is no admin yet"):
        check_all(parse_study(UPLOADED), tmp_path, settings, "")


def test_without_a_database_it_is_said_that_uploads_were_not_looked_up(tmp_path):
    settings = Settings(data_dir=tmp_path / "data", database_url="")
    checked = check_all(parse_study(UPLOADED), tmp_path, settings, "")
    assert checked.unchecked == [
        "1 uploaded scene or film was not looked up: there is no database yet."
    ]
    assert not settings.data_dir.exists()


def test_a_database_of_something_else_is_not_looked_through(tmp_path):
    (tmp_path / "roadrater.db").write_bytes(b"")
    checked = check_all(parse_study(UPLOADED), tmp_path, Settings(data_dir=tmp_path), "")
    assert "not looked up: the database says no such table" in checked.unchecked[0]


def test_a_document_without_uploads_needs_no_database(tmp_path):
    settings = Settings(data_dir=tmp_path / "data", database_url="")
    assert check_all(parse_study(SIMULATED), tmp_path, settings, "").unchecked == []
    assert not settings.data_dir.exists()
