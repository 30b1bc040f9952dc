"""The demo's own parts; the whole of it is walked in tests/journeys/test_demo.py."""

import io

from rich.console import Console

from app.auth.queries import find_user
from app.cli.context import open_parts
from app.cli.demo import DEMO_EMAIL, answers, build_study, make_links
from app.config import Settings
from app.studies.models import Study
from app.studies.queries import list_study_clips


def test_a_demo_study_is_built_once(tmp_path):
    console = Console(file=io.StringIO())
    with open_parts(Settings(data_dir=tmp_path)) as parts:
        first = build_study(parts, 2, console)
        assert build_study(parts, 5, console).id == first.id
        with parts.database.read.begin() as db:
            assert db.query(Study).count() == 1
            assert len(list_study_clips(db, first)) == 2


def test_every_start_has_a_fresh_sign_in_for_the_same_researcher(tmp_path):
    with open_parts(Settings(data_dir=tmp_path)) as parts:
        first, second = (make_links(parts) for _ in range(2))
        assert first.researcher != second.researcher
        with parts.database.read.begin() as db:
            assert find_user(db, DEMO_EMAIL) is not None


def test_other_terminals_are_told_what_to_set(tmp_path):
    settings = Settings(data_dir=tmp_path / "my data", base_url="http://127.0.0.1:8300")
    with open_parts(settings) as parts:
        assert make_links(parts).variables == (
            f"ROADRATER_DATA_DIR='{tmp_path}/my data' ROADRATER_BASE_URL=http://127.0.0.1:8300"
        )


def test_a_server_that_is_not_there_does_not_answer():
    assert not answers("http://127.0.0.1:1")
